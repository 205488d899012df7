/* run_progress.c - see run_progress.h. */
#include "commands/run_progress.h"

#include "runs/wallclock.h"

#include <inttypes.h>
#include <unistd.h>

#define BAR "##############################"

void progress_begin(struct progress *p, uint64_t points, bool show, struct run_watch *watch)
{
    p->show = show && isatty(STDERR_FILENO);
    p->points = points;
    p->watch = watch;
    p->began = wallclock_s();
    p->shown = 0;
}

void progress_checked(struct progress *p, uint64_t done, uint64_t points)
{
    if (done == 1)
        p->began = wallclock_s();
    if (points < 1000 || done % 100 != 0 || !isatty(STDERR_FILENO))
        return;
    if (wallclock_is_time(p->began, &p->shown))
        fprintf(stderr, "\rchecking %" PRIu64 "/%" PRIu64 " points ", done, points);
    if (p->shown > 0 && done + 100 > points)
        fputc('\n', stderr);
}

static void draw(const struct progress *p)
{
    uint64_t runs = p->wanted + (p->points - p->asked) * p->replications;
    int filled = runs > 0 ? (int)((sizeof BAR - 1) * p->done / runs) : 0;
    fprintf(stderr, "\r[%-30.*s] ", filled, BAR);
    if (p->points > 1)
        fprintf(stderr, "%" PRIu64 "/%" PRIu64 " points, ", p->ended, p->points);
    if (p->failed > 0)
        fprintf(stderr, "%" PRIu64 " failed, ", p->failed);
    fprintf(stderr, "%" PRIu64 "/%" PRIu64 " runs, %.1f million requests", p->done, runs,
            (double)atomic_load(&p->watch->requests) / 1e6);
    if (p->done > 0 && p->done < runs)
        fprintf(stderr, ", %.0f s left",
                (wallclock_s() - p->began) / (double)p->done * (double)(runs - p->done));
    fputs("   ", stderr);
}

void progress_show(struct progress *p)
{
    if (p->show && wallclock_is_time(p->began, &p->shown))
        draw(p);
}

void progress_asked(struct progress *p, uint64_t runs)
{
    p->asked++;
    p->wanted += runs;
}

void progress_more(struct progress *p, uint64_t runs)
{
    p->wanted += runs;
}

void progress_run(struct progress *p)
{
    p->done++;
    progress_show(p);
}

void progress_ended(struct progress *p, bool failed)
{
    /* One that could not be opened was never asked. */
    p->ended++;
    p->failed += failed;
    if (p->asked < p->ended)
        p->asked = p->ended;
    progress_show(p);
}

void progress_finish(struct progress *p)
{
    if (!p->show || p->shown == 0)
        return;
    draw(p);
    fputc('\n', stderr);
}
