/* utf8.c - see utf8.h. */
#include "des/utf8.h"

size_t dcs_utf8_point(const char *text, size_t size, uint32_t *point)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t length = size == 0 ? 0 : p[0] < 0x80 ? 1 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (size < length || (length > 1 && (p[0] < 0xc2 || p[0] > 0xf4)))
        return 0;
    uint32_t all = length == 1 ? p[0] : length > 1 ? p[0] & (0x7fu >> length) : 0;
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        all = all << 6 | (p[i] & 0x3f);
    }
    /* Longer forms than needed, surrogates, and what lies beyond U+10FFFF. */
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (all < least[length] || (all >= 0xd800 && all < 0xe000) || all > 0x10ffff)
        return 0;
    if (point != NULL)
        *point = all;
    return length;
}

char *dcs_utf8_put(char *to, uint32_t point)
{
    if (point < 0x80) {
        *to++ = (char)point;
        return to;
    }
    if (point < 0x800) {
        *to++ = (char)(0xc0 | point >> 6);
    } else {
        if (point < 0x10000) {
            *to++ = (char)(0xe0 | point >> 12);
        } else {
            *to++ = (char)(0xf0 | point >> 18);
            *to++ = (char)(0x80 | (point >> 12 & 0x3f));
        }
        *to++ = (char)(0x80 | (point >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (point & 0x3f));
    return to;
}

bool dcs_utf8_hidden(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},   {0x061c, 0x061c},
        {0x180e, 0x180e},   {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},
        {0xfeff, 0xfeff},   {0xfff9, 0xfffb},   {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
        {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (point >= hidden[i].first && point <= hidden[i].last)
            return true;
    return (point & 0xfffe) == 0xfffe || (point >= 0xfdd0 && point <= 0xfdef);
}

size_t dcs_utf8_next(const char *text, bool *hidden)
{
    uint32_t point = 0;
    /* The final NUL continues no character, so that none is read beyond it. */
    size_t bytes = dcs_utf8_point(text, 4, &point);
    *hidden = bytes == 0 || dcs_utf8_hidden(point);
    return bytes > 0 ? bytes : 1;
}

size_t dcs_utf8_length(const char *text)
{
    size_t count = 0;
    for (bool hidden; *text != '\0'; count++)
        text += dcs_utf8_next(text, &hidden);
    return count;
}
