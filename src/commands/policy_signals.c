/*
 * policy_signals.c - see policy_signals.h.
 *
 * Handlers use what POSIX lists as safe in them: write(), alarm(), unlink(), signal(), raise(),
 * pause(), and atomic loads.
 */
#include "commands/policy_signals.h"

#include "des/base.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* A line that is put together without the C library's buffers. */
struct line {
    char text[512];
    size_t length;
};

static void put_text(struct line *l, const char *text)
{
    for (; *text != '\0' && l->length + 1 < sizeof l->text; text++) /* of a plug-in: no controls */
        l->text[l->length++] = (unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text;
}

static void put_number(struct line *l, uint64_t value, int digits)
{
    char text[24];
    size_t at = sizeof text - 1;
    text[at] = '\0';
    do {
        text[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0 || (int)(sizeof text - 1 - at) < digits);
    put_text(l, text + at);
}

static void put_place(struct line *l, const struct dcs_where *where)
{
    put_text(l, " at ");
    put_number(l, (uint64_t)(where->now_ns / DCS_NS_PER_S), 1);
    put_text(l, ".");
    put_number(l, (uint64_t)(where->now_ns % DCS_NS_PER_S), 9);
    put_text(l, " s of simulated time (seed ");
    put_number(l, where->seed, 1);
    put_text(l, ", replication ");
    put_number(l, where->replication, 1);
    put_text(l, ")");
}

static void write_line(struct line *l)
{
    l->text[l->length++] = '\n';
    ssize_t written = write(STDERR_FILENO, l->text, l->length);
    (void)written; /* there is nobody else to tell */
}

static const char *name_signal(int number)
{
    return number == SIGSEGV  ? "it used memory that is not there"
           : number == SIGBUS ? "it used memory that is not there"
           : number == SIGFPE ? "it divided by zero, or a number did not fit"
           : number == SIGILL ? "it ran what is no instruction"
                              : "it aborted";
}

static void tell_crash(int number, const char *callback)
{
    struct line l = {.length = 0};
    put_text(&l, "dcsim: policy \"");
    put_text(&l, dcs_where.policy);
    put_text(&l, "\" crashed in its callback ");
    put_text(&l, callback);
    put_place(&l, &dcs_where);
    put_text(&l, ": ");
    put_text(&l, name_signal(number));
    put_text(&l, "; dcsim check-policy FILE.so tries it in small worlds");
    write_line(&l);
}

/* The signal comes again when this returns, and then ends the program. Policies of several runs may
 * crash at one time: the first thread tells of it, and the others wait for the end. */
static void on_crash(int number)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    const char *callback = atomic_load(&dcs_where.callback);
    while (callback != NULL && atomic_flag_test_and_set(&told))
        pause();
    if (callback != NULL)
        tell_crash(number, callback);
    signal(number, SIG_DFL);
    raise(number); /* it may have been sent */
}

static void tell_where(const struct dcs_where *where)
{
    const char *callback = atomic_load(&where->callback);
    if (callback == NULL)
        return;
    struct line l = {.length = 0};
    put_text(&l, "dcsim: interrupted, but policy \"");
    put_text(&l, where->policy);
    put_text(&l, "\" does not return from its callback ");
    put_text(&l, callback);
    put_place(&l, where);
    put_text(&l, ": interrupt again to end the program");
    write_line(&l);
}

static void on_alarm(int number)
{
    (void)number;
    dcs_where_each(tell_where);
}

void policy_signals_install(bool crashes)
{
    static const int ends[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction alarmed = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &alarmed, NULL);
    struct sigaction crashed = {.sa_handler = on_crash};
    for (size_t i = 0; crashes && i < sizeof ends / sizeof *ends; i++)
        sigaction(ends[i], &crashed, NULL);
}
