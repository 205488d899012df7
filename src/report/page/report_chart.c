/* report_chart.c - see report_chart.h. Coordinates are those of a viewBox 420 wide: at the width of
 * a phone its text of 12 comes out at 10 pixels. */
#include "report/page/report_chart.h"

#include "des/utf8.h"
#include "results/compare_verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH  420.0
#define HEIGHT 290.0
#define LEFT   50.0
#define RIGHT  32.0 /* room for the name of a level */
#define TOP    26.0
#define BOTTOM 42.0

static void axis_label(struct page *p, const struct chart_axis *a, const struct scale *s)
{
    page_text(p, a->label);
    if (s->suffix[0] != '\0')
        page_format(p, " (%s%s)", s->suffix, a->log ? ", log scale" : "");
}

void chart_note_missing(struct text_buffer *note, const double *places, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_append(note, "%s%.9g", i > 0 ? ", " : CHART_MISSING ": at ", places[i]);
    if (count > 0)
        text_append(note, ".");
}

/* ---- Marks and lines ---- */

static const char *const dashes[CHART_SERIES] = {"",        "7 3", "2 2",  "9 3 2 3",
                                                 "5 2 1 2", "1 3", "12 4", "4 4"};

static void draw_mark(struct page *p, size_t series, double x, double y)
{
    static const char *const paths[CHART_SERIES] = {
        "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
        "m-3.5 -3.5h7v7h-7z",
        "m0 -4.5l4.5 8h-9z",
        "m0 -5l5 5l-5 5l-5 -5z",
        "m0 4.5l4.5 -8h-9z",
        "m-4 -1.2h2.8v-2.8h2.4v2.8h2.8v2.4h-2.8v2.8h-2.4v-2.8h-2.8z",
        "m-4.5 -2h9v4h-9z",
        "m-2 -4.5h4v9h-4z"};
    page_raw(p, "<path class=\"f%zu\" d=\"M%.1f %.1f%s\"/>", series, x, y, paths[series]);
}

static void draw_interval(struct page *p, size_t series, double x1, double y1, double x2, double y2)
{
    bool upright = x1 == x2;
    double dx = upright ? 3 : 0, dy = upright ? 0 : 3;
    page_raw(p,
             "<path class=\"s%zu\" fill=\"none\" stroke-width=\"1.5\" d=\"M%.1f %.1fL%.1f "
             "%.1fM%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1f\"/>",
             series, x1, y1, x2, y2, x1 - dx, y1 - dy, x1 + dx, y1 + dy, x2 - dx, y2 - dy, x2 + dx,
             y2 + dy);
}

/* looks: NULL, each has that of its place. */
static void draw_legend(struct page *p, const char *const *names, const size_t *looks, size_t count,
                        enum chart_shape shape, bool dots)
{
    if (count < 2 && !dots && shape != CHART_STACK)
        return;
    page_raw(p, "<ul class=\"legend\">");
    for (size_t i = 0; i < count; i++) {
        size_t look = looks != NULL ? looks[i] : i;
        page_raw(p, "<li><svg width=\"28\" height=\"12\" viewBox=\"0 0 28 12\" "
                    "aria-hidden=\"true\">");
        if (shape == CHART_STACK)
            page_raw(p, "<path class=\"area f%zu\" d=\"M4 1h20v10h-20z\"/>", look);
        else if (!dots)
            page_raw(p, "<path class=\"line s%zu\" stroke-dasharray=\"%s\" d=\"M0 6h28\"/>", look,
                     dashes[look]);
        if (shape == CHART_LINES || dots)
            draw_mark(p, look, 14, 6);
        page_raw(p, "</svg>");
        page_text(p, names[i]);
        page_raw(p, "</li>");
    }
    page_raw(p, "</ul>\n");
}

/* ---- A figure around it ---- */

#define NARROW_SERIES 3 /* on paper, a table of more is wider than half the page */

static void figure_open(struct page *p, const char *title, size_t series)
{
    page_raw(p, "<figure id=\"figure-%zu\"%s>\n<figcaption>", ++p->figures,
             series > NARROW_SERIES ? " class=\"wide\"" : "");
    page_text(p, title);
    page_raw(p, "</figcaption>\n");
}

static void plot_open(struct page *p, const char *title, double height)
{
    page_raw(p,
             "<svg class=\"plot\" role=\"img\" aria-labelledby=\"title-%zu\" "
             "viewBox=\"0 0 %g %g\">\n<title id=\"title-%zu\">",
             p->figures, WIDTH, height, p->figures);
    page_text(p, title);
    page_raw(p, "; the numbers are in the table below it</title>\n");
}

static void note(struct page *p, const char *text)
{
    if (text == NULL || text[0] == '\0')
        return;
    page_raw(p, "<p class=\"note\">");
    page_text(p, text);
    page_raw(p, "</p>\n");
}

static void x_tick(struct page *p, double x, double y, double value)
{
    page_raw(p, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x,
             y, scale_tick_text(value).at);
}

/* above: the numbers once more over a figure that does not fit a screen. */
static void draw_x_axis(struct page *p, const struct chart_axis *a, const struct scale *s,
                        double top, double bottom, bool above)
{
    double ticks[SCALE_TICKS];
    size_t n = scale_ticks(s, ticks);
    size_t skip = n > 8 ? 2 : 1; /* their texts would touch */
    for (size_t i = 0; i < n; i++) {
        double x = scale_place(s, ticks[i] * s->divisor);
        page_raw(p, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", x, top, bottom);
        if (i % skip != 0)
            continue;
        x_tick(p, x, bottom + 16, ticks[i]);
        if (above)
            x_tick(p, x, top - 6, ticks[i]);
    }
    page_raw(p, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", (s->from + s->to) / 2,
             bottom + 35);
    axis_label(p, a, s);
    page_raw(p, "</text>\n");
}

static void draw_y_axis(struct page *p, const struct chart_axis *a, const struct scale *s)
{
    double ticks[SCALE_TICKS];
    size_t n = scale_ticks(s, ticks);
    for (size_t i = 0; i < n; i++) {
        double y = scale_place(s, ticks[i] * s->divisor);
        page_raw(p,
                 "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/><text class=\"tick\" x=\"%.1f\" "
                 "y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                 LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4, scale_tick_text(ticks[i]).at);
    }
    page_raw(p, "<text x=\"4\" y=\"14\">");
    axis_label(p, a, s);
    page_raw(p, "</text>\n");
}

/* ---- Lines ---- */

static void stretch(double *low, double *high, double v)
{
    if (isnan(v) || isinf(v))
        return;
    *low = isnan(*low) ? v : fmin(*low, v);
    *high = isnan(*high) ? v : fmax(*high, v);
}

static bool is_off_scale(const struct chart *c, const struct chart_point *q)
{
    return c->most > 0 && q->y > c->most;
}

static void find_ranges(const struct chart *c, double x[2], double y[2], bool *share)
{
    x[0] = x[1] = y[0] = y[1] = (double)NAN;
    *share = c->y.unit == TEXT_PERCENT;
    for (size_t l = 0; l < c->lines_count; l++)
        for (size_t i = 0; i < c->lines[l].count; i++) {
            const struct chart_point *q = &c->lines[l].points[i];
            if (c->x.log && q->x <= 0)
                continue;
            stretch(&x[0], &x[1], q->x);
            if (is_off_scale(c, q))
                continue;
            stretch(&y[0], &y[1], q->y);
            *share = *share && !(q->y < 0) && !(q->y > 1);
            if (c->y.log && q->low <= 0)
                continue;
            stretch(&y[0], &y[1], q->low);
            stretch(&y[0], &y[1], q->high);
        }
    stretch(&x[0], &x[1], c->mark);
    if (c->level_as != NULL)
        stretch(&y[0], &y[1], c->level);
    if (c->shape == CHART_STACK && c->lines_count > 0) { /* what they reach together */
        y[0] = 0;
        for (size_t i = 0; i < c->lines[0].count; i++) {
            double sum = 0;
            for (size_t l = 0; l < c->lines_count; l++)
                sum += c->lines[l].points[i].y;
            stretch(&y[0], &y[1], sum);
        }
    }
    if (isnan(x[0]))
        x[0] = 0, x[1] = 1;
    if (isnan(y[0]))
        y[0] = 0, y[1] = 1;
}

static size_t look_of(const struct chart *c, size_t line)
{
    return c->lines[line].look > 0 ? c->lines[line].look - 1 : line;
}

/* Leaves out what would not be seen: less than half a unit from what was drawn. */
static void draw_path(struct page *p, const struct chart *c, const struct scale *sx,
                      const struct scale *sy, size_t at)
{
    const struct chart_line *line = &c->lines[at];
    size_t series = look_of(c, at);
    bool steps = c->shape != CHART_LINES, begun = false;
    double x = 0, y = 0;
    page_raw(p, "<path class=\"line s%zu\" stroke-dasharray=\"%s\" d=\"", series, dashes[series]);
    for (size_t i = 0; i < line->count; i++) {
        const struct chart_point *q = &line->points[i];
        if (isnan(q->y)) {
            begun = false;
            continue;
        }
        double nx = scale_place(sx, q->x), ny = scale_place(sy, q->y);
        if (begun && steps && i + 1 < line->count && fabs(nx - x) < 0.5 && fabs(ny - y) < 0.5)
            continue;
        if (!begun)
            page_raw(p, "M%.1f %.1f", nx, c->shape == CHART_CDF ? sy->from : ny);
        if (begun && steps)
            page_raw(p, "H%.1fV%.1f", nx, ny);
        else if (begun || c->shape == CHART_CDF)
            page_raw(p, "L%.1f %.1f", nx, ny);
        begun = true;
        x = nx;
        y = ny;
    }
    if (steps && begun && !c->closed)
        page_raw(p, "H%.1f", sx->to);
    page_raw(p, "\"/>\n");
    for (size_t i = 0; i < line->count && !steps; i++) {
        const struct chart_point *q = &line->points[i];
        if (isnan(q->y))
            continue;
        double px = scale_place(sx, q->x);
        if (is_off_scale(c, q))
            page_raw(p, "<text x=\"%.1f\" y=\"%.1f\">&#8593;</text>", px + 5, sy->to + 8);
        else if (!isnan(q->low) && q->high > q->low)
            draw_interval(p, series, px, scale_place(sy, q->low), px, scale_place(sy, q->high));
        draw_mark(p, series, px, scale_place(sy, q->y));
    }
}

static void draw_stack(struct page *p, const struct chart *c, const struct scale *sx,
                       const struct scale *sy)
{
    size_t n = c->lines[0].count;
    double *below = dcs_alloc(n + 1, sizeof *below);
    for (size_t l = 0; l < c->lines_count; l++) {
        const struct chart_point *points = c->lines[l].points;
        page_raw(p, "<path class=\"area f%zu\" d=\"M%.1f %.1f", l, scale_place(sx, points[0].x),
                 scale_place(sy, below[0]));
        for (size_t i = 0; i < n; i++)
            page_raw(p, "V%.1fH%.1f", scale_place(sy, below[i] + points[i].y),
                     i + 1 < n ? scale_place(sx, points[i + 1].x) : sx->to);
        for (size_t i = n; i-- > 0;)
            page_raw(p, "V%.1fH%.1f", scale_place(sy, below[i]), scale_place(sx, points[i].x));
        page_raw(p, "z\"/>\n");
        for (size_t i = 0; i < n; i++)
            below[i] += points[i].y;
    }
    free(below);
}

/* Where a line first reaches a share. */
static double quantile(const struct chart_line *line, double share)
{
    for (size_t i = 0; i < line->count; i++)
        if (line->points[i].y >= share - 1e-12)
            return line->points[i].x;
    return (double)NAN;
}

static void quantile_table(struct page *p, const struct chart *c)
{
    static const double shares[] = {0.5, 0.9, 0.95, 0.99, 0.999};
    static const char *const heads[] = {"", "50 %", "90 %", "95 %", "99 %", "99.9 %"};
    page_table_open(p, c->title, heads, 6);
    for (size_t l = 0; l < c->lines_count; l++) {
        page_row_open(p, c->lines[l].name);
        for (size_t i = 0; i < 5; i++)
            page_cell(p, text_value(quantile(&c->lines[l], shares[i]), c->x.unit).at);
        page_row_close(p);
    }
    page_table_close(p);
}

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

#define TABLE_ROWS 200

static void line_table(struct page *p, const struct chart *c)
{
    const char *heads[CHART_SERIES + 1] = {c->x.label};
    size_t n = 0, all = 0;
    for (size_t l = 0; l < c->lines_count; l++) {
        heads[l + 1] = c->lines[l].name;
        all += c->lines[l].count;
    }
    double *x = dcs_alloc(all + 1, sizeof *x);
    for (size_t l = 0; l < c->lines_count; l++)
        for (size_t i = 0; i + c->closed < c->lines[l].count; i++)
            x[n++] = c->lines[l].points[i].x;
    qsort(x, n, sizeof *x, by_number);
    page_table_open(p, c->title, heads, c->lines_count + 1);
    size_t rows = 0;
    for (size_t i = 0; i < n && rows < TABLE_ROWS; i++) {
        if (i > 0 && x[i] == x[i - 1])
            continue;
        rows++;
        page_row_open(p, c->x.unit == TEXT_NUMBER ? text_format("%.6g", x[i]).at
                                                  : text_value(x[i], c->x.unit).at);
        for (size_t l = 0; l < c->lines_count; l++) {
            struct dcs_estimate e = {(double)NAN, (double)NAN, (double)NAN, 0, true};
            for (size_t k = 0; k + c->closed < c->lines[l].count; k++) {
                const struct chart_point *q = &c->lines[l].points[k];
                if (q->x == x[i])
                    e.value = q->y, e.low = q->low, e.high = q->high;
            }
            page_cell(p, text_estimate(&e, c->y.unit, 2).at);
        }
        page_row_close(p);
    }
    page_table_close(p);
    free(x);
    if (rows == TABLE_ROWS)
        page_raw(p, "<p class=\"note\">The first %d rows.</p>\n", TABLE_ROWS);
}

#define MARK_ROOM 14.0 /* above a figure, for what a vertical line is */
#define OVER_MARK 4.0  /* and above what its points are drawn as */
#define LETTER    6.5  /* width of one, generously */

/* A vertical line, and what it is above its upper end, where nothing else is drawn: higher than a
 * mark or a number there (over: how much), and right of the numbers of the axis, which end at
 * `left`. */
static void draw_upright(struct page *p, double x, double left, double top, double over,
                         double bottom, const char *as)
{
    double half = LETTER * (double)dcs_utf8_length(as) / 2;
    const char *anchor = x - half < left ? "start" : x + half > WIDTH ? "end" : "middle";
    double at = x - half < left ? left : x + half > WIDTH ? WIDTH - 1 : x;
    page_raw(p,
             "<path class=\"mark\" d=\"M%.1f %.1fV%.1f\"/><text x=\"%.1f\" y=\"%.1f\" "
             "text-anchor=\"%s\">",
             x, top, bottom, at, top - over, anchor);
    page_text(p, as);
    page_raw(p, "</text>\n");
}

void chart_lines(struct page *p, const struct chart *c)
{
    DCS_ASSERT(c->lines_count > 0 && c->lines_count <= CHART_SERIES);
    double x[2], y[2];
    bool share;
    find_ranges(c, x, y, &share);
    struct scale sx = scale_of(&c->x, x[0], x[1]), sy = scale_of(&c->y, y[0], y[1]);
    scale_widen(&sx, &c->x, false, false);
    if (!c->x.log && c->shape != CHART_LINES) /* time and steps fill the width */
        sx.low = x[0] / sx.divisor, sx.high = fmax(x[1], x[0] + 1) / sx.divisor;
    scale_widen(&sy, &c->y, share, true);
    sx.from = LEFT + (c->shape == CHART_LINES ? 8 : 0);
    sx.to = WIDTH - RIGHT - (c->shape == CHART_LINES ? 8 : 0);
    double over = c->shape == CHART_LINES ? OVER_MARK : 0;
    double top = TOP + (isnan(c->mark) ? 0 : MARK_ROOM + over);
    sy.from = HEIGHT - BOTTOM;
    sy.to = top;
    figure_open(p, c->title, c->shape == CHART_CDF ? 1 : c->lines_count);
    plot_open(p, c->title, HEIGHT);
    draw_x_axis(p, &c->x, &sx, top, HEIGHT - BOTTOM, false);
    draw_y_axis(p, &c->y, &sy);
    if (c->shape == CHART_STACK)
        draw_stack(p, c, &sx, &sy);
    for (size_t l = 0; l < c->lines_count && c->shape != CHART_STACK; l++)
        draw_path(p, c, &sx, &sy, l);
    if (!isnan(c->mark))
        draw_upright(p, scale_place(&sx, c->mark), LEFT, top, 3 + over, HEIGHT - BOTTOM,
                     c->mark_as);
    if (c->level_as != NULL) {
        double at = scale_place(&sy, c->level);
        page_raw(p,
                 "<path class=\"mark\" d=\"M%.1f %.1fH%.1f\"/><text x=\"%.1f\" y=\"%.1f\" "
                 "text-anchor=\"start\">",
                 LEFT, at, WIDTH - RIGHT, WIDTH - RIGHT + 3, at + 4);
        page_text(p, c->level_as);
        page_raw(p, "</text>\n");
    }
    page_raw(p, "<path class=\"axis\" d=\"M%g %gV%gH%g\"/>\n</svg>\n", LEFT, top, HEIGHT - BOTTOM,
             WIDTH - RIGHT);
    const char *names[CHART_SERIES];
    size_t looks[CHART_SERIES];
    for (size_t l = 0; l < c->lines_count; l++) {
        names[l] = c->lines[l].name;
        looks[l] = look_of(c, l);
    }
    draw_legend(p, names, looks, c->lines_count, c->shape, false);
    note(p, c->note);
    page_fold_open(p, "numbers", "Numbers");
    if (c->shape == CHART_CDF)
        quantile_table(p, c);
    else
        line_table(p, c);
    page_fold_close(p);
    page_raw(p, "</figure>\n");
}

/* ---- Dots ---- */

#define LABEL_COLUMNS 38
#define DOTS_LEFT     18.0
#define DOTS_RIGHT    20.0
#define LANE          11.0  /* a dot below another */
#define TALL          500.0 /* its legend stands above, and its axis twice */

static struct text dot_text(const struct chart_dots *c, const struct dcs_estimate *e)
{
    struct text text = text_estimate(e, c->x.unit, 2);
    return c->difference ? compare_points(text, c->x.unit) : text;
}

static void dots_table(struct page *p, const struct chart_dots *c)
{
    const char *heads[CHART_SERIES + 1] = {""};
    for (size_t s = 0; s < c->series_count; s++)
        heads[s + 1] = c->series_count == 1 ? c->x.label : c->series[s];
    page_table_open(p, c->title, heads, c->series_count + 1);
    for (size_t r = 0; r < c->rows_count; r++) {
        page_row_open(p, c->rows[r].label);
        for (size_t s = 0; s < c->series_count; s++)
            page_cell(p, dot_text(c, &c->rows[r].dots[s]).at);
        page_row_close(p);
    }
    page_table_close(p);
}

/* Room for what is there: in few rows all series have a value. */
static double row_height(const struct chart_dots *c, size_t row)
{
    size_t lanes = 0;
    for (size_t s = 0; s < c->series_count; s++)
        lanes += !isnan(c->rows[row].dots[s].value);
    return 25 + LANE * (double)lanes;
}

/* From y downwards. label: the row's, cut. */
static void draw_row(struct page *p, const struct chart_dots *c, size_t row, const char *label,
                     const struct scale *sx, double y)
{
    const struct chart_row *of = &c->rows[row];
    page_raw(p, "<path class=\"ground\" d=\"M0 %.1fh%gv17h-%gz\"/><text x=\"2\" y=\"%.1f\">",
             y + 0.6, WIDTH, WIDTH, y + 14);
    page_text(p, label);
    page_raw(p, "</text>");
    if (of->text != NULL) {
        page_raw(p, "<text class=\"tick\" x=\"%g\" y=\"%.1f\" text-anchor=\"end\">", WIDTH - 2,
                 y + 14);
        page_text(p, of->text);
        page_raw(p, "</text>");
    }
    double at = y + 24 - LANE;
    for (size_t s = 0; s < c->series_count; s++) {
        const struct dcs_estimate *e = &of->dots[s];
        if (isnan(e->value))
            continue;
        at += LANE;
        if (!isnan(e->low) && e->high > e->low)
            draw_interval(p, s, scale_place(sx, e->low), at, scale_place(sx, e->high), at);
        draw_mark(p, s, scale_place(sx, e->value), at);
    }
    page_raw(p, "\n");
}

static void draw_rows(struct page *p, const struct chart_dots *c, const struct scale *sx, double y)
{
    const char **labels = dcs_alloc(c->rows_count + 1, sizeof *labels);
    struct text *names = dcs_alloc(c->rows_count + 1, sizeof *names);
    for (size_t r = 0; r < c->rows_count; r++)
        labels[r] = c->rows[r].label;
    text_names(labels, c->rows_count, LABEL_COLUMNS, names);
    for (size_t r = 0; r < c->rows_count; r++) {
        if (r > 0)
            page_raw(p, "<path class=\"grid\" d=\"M0 %.1fH%g\"/>", y, WIDTH);
        draw_row(p, c, r, names[r].at, sx, y);
        y += row_height(c, r);
    }
    free(labels);
    free(names);
}

void chart_dots(struct page *p, const struct chart_dots *c)
{
    DCS_ASSERT(c->series_count > 0 && c->series_count <= CHART_SERIES);
    double x[2] = {(double)NAN, (double)NAN};
    bool share = c->x.unit == TEXT_PERCENT;
    for (size_t r = 0; r < c->rows_count; r++)
        for (size_t s = 0; s < c->series_count; s++) {
            const struct dcs_estimate *e = &c->rows[r].dots[s];
            stretch(&x[0], &x[1], e->value);
            share = share && !(e->value < 0) && !(e->value > 1);
            if (!c->x.log || e->low > 0)
                stretch(&x[0], &x[1], e->low);
            stretch(&x[0], &x[1], e->high);
        }
    if (c->mark_as != NULL)
        stretch(&x[0], &x[1], c->mark);
    if (c->difference)
        stretch(&x[0], &x[1], 0);
    if (isnan(x[0]))
        x[0] = 0, x[1] = 1;
    struct scale sx = scale_of(&c->x, x[0], x[1]);
    if (c->difference && c->x.unit == TEXT_PERCENT)
        sx.suffix = "pp";
    scale_widen(&sx, &c->x, share && !c->difference, true);
    sx.from = DOTS_LEFT;
    sx.to = WIDTH - DOTS_RIGHT;
    double bottom = 4;
    for (size_t r = 0; r < c->rows_count; r++)
        bottom += row_height(c, r);
    bool tall = bottom > TALL;
    double top = (tall ? 20 : 4) + (c->mark_as != NULL ? MARK_ROOM : 0);
    bottom += top - 4;
    figure_open(p, c->title, c->series_count);
    if (c->series_count > 1 && tall)
        draw_legend(p, c->series, NULL, c->series_count, CHART_LINES, true);
    plot_open(p, c->title, bottom + BOTTOM);
    draw_x_axis(p, &c->x, &sx, top, bottom, tall);
    if (c->difference || (sx.low < 0 && sx.high > 0 && !sx.log))
        page_raw(p, "<path class=\"axis\" d=\"M%.1f %gV%.1f\"/>", scale_place(&sx, 0), top, bottom);
    if (c->mark_as != NULL)
        draw_upright(p, scale_place(&sx, c->mark), 2, top, tall ? 20 : 3, bottom, c->mark_as);
    draw_rows(p, c, &sx, top);
    page_raw(p, "<path class=\"axis\" d=\"M%g %gH%g\"/>\n</svg>\n", DOTS_LEFT, bottom,
             WIDTH - DOTS_RIGHT);
    if (c->series_count > 1 && !tall)
        draw_legend(p, c->series, NULL, c->series_count, CHART_LINES, true);
    note(p, c->note);
    page_fold_open(p, "numbers", "Numbers");
    dots_table(p, c);
    page_fold_close(p);
    page_raw(p, "</figure>\n");
}
