/*
 * report_page.h - a page of HTML as text: escaping, tables, the frame with its styles. For the
 * files behind dcsim report.
 *
 * The page is also well-formed XML, needs no script and loads nothing. Texts come from untrusted
 * files: what is not UTF-8, controls, and characters that turn the direction of writing come out as
 * '?'.
 */
#ifndef DCS_REPORT_PAGE_H
#define DCS_REPORT_PAGE_H

#include "options/options.h"
#include "text/table.h"

struct page {
    struct text_buffer out; /* freed by the caller */
    size_t figures;         /* so far; their numbers are ids */
    uint32_t texts;         /* of the open table: columns of texts, a bit each */
    uint32_t column;        /* of its open row */
};

/* How a page begins: what begins so may be replaced by another one. */
#define REPORT_HEAD "<!DOCTYPE html>\n<html lang=\"en\"><!-- A report of dcsim. -->"

void page_open(struct page *p, const char *title);
void page_close(struct page *p);

/* As it is. */
void page_raw(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Escaped, for content and for attributes in double quotes. */
void page_text(struct page *p, const char *text);
/* Formatted, then escaped. */
void page_format(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A table that scrolls by itself where it is wider than the page. The first cell of each row is
 * its heading. Columns are of numbers, and stand at the right, unless their head begins with '<',
 * which is not shown. A cell that is longer than about 40 characters may break. At most 32. */
void page_table_open(struct page *p, const char *caption, const char *const *heads, size_t count);
void page_row_open(struct page *p, const char *heading);
void page_cell(struct page *p, const char *text);
void page_row_close(struct page *p);
void page_table_close(struct page *p);

/* What is folded away until it is asked for. `class` "numbers": unfolded on paper. */
void page_fold_open(struct page *p, const char *class, const char *summary);
void page_fold_close(struct page *p);

#endif
