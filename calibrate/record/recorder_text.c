/* recorder_text.c - see recorder_lines.h. In the recorder's library, and in what reads its files.
 */
#include "calibrate/record/recorder_lines.h"

#include <stdio.h>

void recorder_escape(const char *text, char *escaped, size_t size)
{
    size_t used = 0;
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        size_t bytes = recorder_is_plain(c) ? 1 : 4;
        if (used + bytes >= size)
            break;
        snprintf(escaped + used, bytes + 1, bytes == 1 ? "%c" : "\\x%02x", c);
        used += bytes;
    }
    escaped[used] = '\0';
}
