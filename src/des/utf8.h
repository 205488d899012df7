/*
 * utf8.h - characters of UTF-8 text, and which of them may be shown. The one place that knows: what
 * reads, cuts, measures or prints text from an input walks it with these.
 */
#ifndef DCS_DES_UTF8_H
#define DCS_DES_UTF8_H

#include "des/base.h"

/* Bytes of the character at text[0..size), 1 to 4; 0: it is no UTF-8, or size is 0. *point (may be
 * NULL) gets its number. */
size_t dcs_utf8_point(const char *text, size_t size, uint32_t *point);

/* Writes a character, from 1 to U+10FFFF, in 1 to 4 bytes. Returns where they end. */
char *dcs_utf8_put(char *to, uint32_t point);

/* Whether a terminal obeys a character, or hides it, in place of showing it: controls, U+007F to
 * U+009F included; marks that turn the direction of the text; characters without a width, which
 * join, part or tag others; separators of lines; noncharacters. (Categories Cc, Cf but for the
 * signs that Arabic and Kaithi show, Zl and Zp.) */
bool dcs_utf8_hidden(uint32_t point);

/* Bytes of the first character of text, which ends with a NUL and is not empty. *hidden: whether
 * the character is to be escaped; a byte that is no UTF-8 is a character that is. */
size_t dcs_utf8_next(const char *text, bool *hidden);

/* How many characters a text has, as dcs_utf8_next() counts them. */
size_t dcs_utf8_length(const char *text);

#endif
