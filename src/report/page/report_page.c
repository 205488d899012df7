/* report_page.c - see report_page.h. */
#include "report/page/report_page.h"

#include "des/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

extern const char report_css[]; /* report.css */

void page_raw(struct page *p, const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    DCS_ASSERT(length >= 0);
    text_append(&p->out, "%s", text);
    free(text);
}

/* ---- Texts ---- */

/* Neither XML nor a reader can do with these. */
static bool unfit(uint32_t point)
{
    return point != '\n' && point != '\t' && dcs_utf8_hidden(point);
}

/* What stands for the character at text; NULL: it does itself. A number stays with its "%". */
static const char *entity(const char *text)
{
    if (text[0] == ' ' && text[1] == '%')
        return "&#160;";
    switch (*text) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void page_text(struct page *p, const char *text)
{
    while (*text != '\0') {
        size_t plain = 0, bytes = 1;
        bool good = true;
        while (good && text[plain] != '\0' && entity(text + plain) == NULL) {
            uint32_t point = 0;
            bytes = dcs_utf8_point(text + plain, 4, &point); /* none goes on beyond the NUL */
            good = bytes > 0 && !unfit(point);
            plain += good ? bytes : 0;
        }
        text_append(&p->out, "%.*s", (int)plain, text);
        text += plain;
        if (*text == '\0')
            break;
        const char *stands = good ? entity(text) : NULL;
        text_append(&p->out, "%s", stands != NULL ? stands : "?");
        text += good || bytes == 0 ? 1 : bytes;
    }
}

void page_format(struct page *p, const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    DCS_ASSERT(length >= 0);
    page_text(p, text);
    free(text);
}

/* ---- The frame ---- */

void page_open(struct page *p, const char *title)
{
    page_raw(p, REPORT_HEAD
             "\n<head>\n<meta charset=\"utf-8\"/>\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "style-src 'unsafe-inline'\"/>\n<title>");
    page_text(p, title);
    page_raw(p, "</title>\n<style>\n");
    text_append(&p->out, "%s", report_css);
    page_raw(p, "</style>\n</head>\n<body>\n<main>\n<h1>");
    page_text(p, title);
    page_raw(p, "</h1>\n");
}

void page_close(struct page *p)
{
    page_raw(p, "</body>\n</html>\n");
}

/* ---- Tables ---- */

void page_table_open(struct page *p, const char *caption, const char *const *heads, size_t count)
{
    page_raw(p, "<p class=\"caption\">");
    page_text(p, caption);
    page_raw(p, "</p>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
    page_text(p, caption);
    page_raw(p, "\"><table>\n<thead><tr>");
    DCS_ASSERT(count <= 32);
    p->texts = 0;
    for (size_t i = 0; i < count; i++) {
        bool text = heads[i][0] == '<';
        p->texts |= text ? 1u << i : 0;
        page_raw(p, text ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\">");
        page_text(p, text ? heads[i] + 1 : heads[i]);
        page_raw(p, "</th>");
    }
    page_raw(p, "</tr></thead>\n<tbody>\n");
}

void page_row_open(struct page *p, const char *heading)
{
    page_raw(p, "<tr><th scope=\"row\">");
    for (const char *from = heading; *from != '\0';) { /* a long key breaks at its points */
        const char *point = strchr(from, '.');
        while (point != NULL && !(point[1] >= 'a' && point[1] <= 'z'))
            point = strchr(point + 1, '.');
        struct text_buffer piece = {0};
        size_t length = point != NULL ? (size_t)(point + 1 - from) : strlen(from);
        text_append(&piece, "%.*s", (int)length, from);
        page_text(p, piece.text);
        page_raw(p, point != NULL ? "<wbr/>" : "");
        from += length;
        free(piece.text);
    }
    page_raw(p, "</th>");
    p->column = 0;
}

void page_cell(struct page *p, const char *text)
{
    bool left = ++p->column < 32 && (p->texts >> p->column & 1) != 0;
    page_raw(p, strlen(text) > 40 ? "<td class=\"long\">" : left ? "<td class=\"text\">" : "<td>");
    bool whole = !left && strlen(text) <= 40;
    while (whole && *text != '\0') { /* a number breaks before its interval only */
        size_t word = strcspn(text, " ");
        struct text piece = text_format("%.*s", (int)word, text);
        page_text(p, piece.at);
        text += word;
        if (*text == ' ')
            page_raw(p,
                     text[1] == '[' || strncmp(text + 1, "±", strlen("±")) == 0 ? " " : "&#160;");
        text += *text == ' ';
    }
    page_text(p, text);
    page_raw(p, "</td>");
}

void page_row_close(struct page *p)
{
    page_raw(p, "</tr>\n");
}

void page_table_close(struct page *p)
{
    page_raw(p, "</tbody></table></div>\n");
}

void page_fold_open(struct page *p, const char *class, const char *summary)
{
    page_raw(p, "<details class=\"%s\"><summary>", class);
    page_text(p, summary);
    page_raw(p, "</summary>\n");
}

void page_fold_close(struct page *p)
{
    page_raw(p, "</details>\n");
}
