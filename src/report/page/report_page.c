/* report_page.c - see report_page.h. */
#include "report/page/report_page.h"

#include "des/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Colours: eight that colour-blind readers tell apart, each with at least 3 : 1 against its ground;
 * lines also differ in their dashes and marks. Widths: one column on a phone, two on a desk. */
static const char *const style[] = {
    ":root{color-scheme:light dark;--ground:#fff;--ink:#1b1f24;--faint:#59636e;--rule:#d1d9e0;"
    "--panel:#f6f8fa;--link:#0550ae;--c0:#0072b2;--c1:#c04a00;--c2:#00795c;--c3:#a0457f;"
    "--c4:#7a5f00;--c5:#333;--c6:#1684b4;--c7:#b3263a}\n",
    "@media (prefers-color-scheme:dark){:root{--ground:#0d1117;--ink:#e6edf3;--faint:#9da7b3;"
    "--rule:#3a424c;--panel:#161b22;--link:#79b8ff;--c0:#6db6ff;--c1:#ff9e64;--c2:#4fd1a5;"
    "--c3:#e69ad0;--c4:#e6c84f;--c5:#d0d0d0;--c6:#7fdbff;--c7:#ff8a97}}\n",
    "*{box-sizing:border-box}"
    "body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}"
    "main,footer{max-width:76rem;margin:0 auto;padding:1rem}"
    "h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem;"
    "border-bottom:1px solid var(--rule);padding-bottom:.25rem}h3{font-size:1rem;margin:1rem 0 0}"
    "p{margin:.5rem 0;max-width:48rem}h1,h2,h3,p,li,td,th,summary,figcaption{"
    "overflow-wrap:anywhere}\n",
    ".answer{font-size:1.2rem;border-left:4px solid var(--c0);padding:.5rem 1rem;"
    "background:var(--panel)}"
    ".note,footer{color:var(--faint);font-size:.875rem}ul.plain{padding-left:1.2rem}\n",
    ".scroll{overflow-x:auto;margin:.5rem 0}.scroll:focus{outline:2px solid var(--link)}"
    "table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}"
    ".caption{color:var(--faint);font-size:.875rem;margin:.75rem 0 0}"
    "th,td{padding:.25rem .6rem;border-bottom:1px solid var(--rule);text-align:right;"
    "white-space:nowrap;overflow-wrap:normal}"
    "th:first-child,td.long{text-align:left;white-space:normal;min-width:11rem;"
    "overflow-wrap:anywhere}thead th{color:var(--faint);font-weight:600;white-space:normal}"
    ".text{text-align:left}tbody th{font-weight:400}\n",
    ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));"
    "gap:1rem 2rem}figure{margin:0;padding:.5rem 0;min-width:0;break-inside:avoid}"
    "figcaption{font-weight:600}svg.plot{display:block;width:100%;max-width:38rem;height:auto}"
    ".legend{list-style:none;margin:.25rem 0;padding:0;display:flex;flex-wrap:wrap;"
    "gap:.1rem 1rem;font-size:.875rem}.legend svg{vertical-align:middle;margin-right:.35rem}\n",
    "svg text{font:12px "
    "system-ui,sans-serif;fill:var(--ink);paint-order:stroke;stroke:var(--ground);"
    "stroke-width:3px}"
    "@media (max-width:40rem){svg text{font-size:13px}}svg .tick{fill:var(--faint)}"
    "svg .grid{stroke:var(--rule);fill:none}svg .axis{stroke:var(--faint);fill:none}"
    "svg .mark{stroke:var(--ink);stroke-dasharray:2 3;fill:none}"
    "svg .line{fill:none;stroke-width:2;stroke-linejoin:round}svg .area{opacity:.85;stroke:none}",
    "details{margin:.4rem 0}summary{cursor:pointer;color:var(--link)}"
    "pre{background:var(--panel);padding:.75rem;overflow-x:auto;font-size:.8rem;margin:.5rem 0}"
    "code{font-size:.85em;overflow-wrap:anywhere}\n",
    "@media print{:root{--ground:#fff;--ink:#000;--faint:#444;--rule:#bbb;--panel:#fff;"
    "--c0:#0072b2;--c1:#c04a00;--c2:#00795c;--c3:#a0457f;--c4:#7a5f00;--c5:#333;--c6:#1684b4;"
    "--c7:#b3263a;font-size:10pt}details.numbers::details-content{"
    "content-visibility:visible;block-size:auto}.scroll{overflow:visible}h2,.caption,summary{break-"
    "after:avoid}"
    "table{font-size:7.5pt}th,td,th:first-child,td.long{white-space:normal;min-width:0;"
    "padding:.1rem .3rem}th:first-child{min-width:9em}tr{break-inside:avoid}"
    ".figures{grid-template-columns:1fr 1fr}.figures .wide{grid-column:1/-1}"
    ".wide svg.plot{max-width:28rem}}\n",
};

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
    page_raw(p, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'\"/>\n<title>");
    page_text(p, title);
    page_raw(p, "</title>\n<style>\n");
    for (size_t i = 0; i < sizeof style / sizeof style[0]; i++)
        page_raw(p, "%s", style[i]);
    for (int i = 0; i < 8; i++)
        page_raw(p, ".s%d{stroke:var(--c%d)}.f%d{fill:var(--c%d)}\n", i, i, i, i);
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
