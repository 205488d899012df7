/*
 * test_calibrate_recorder.c - pins what the recorder writes of texts: that more names than its
 * table holds end in one name and not in an endless search; that a file has printable ASCII alone,
 * whatever a program calls its ranges, in bytes or in wide characters, and is read again; that the
 * range that is asked for is found by its name as given and as escaped. Does not pin what CUPTI
 * says (tests/e2e/record.sh).
 */
#include "calibrate/record/recorder_lines.h"
#include "calibrate/record/recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

int InitializeInjectionNvtx2(const void *(*export_table_of)(uint32_t));

static char folder[300];

/* Runs it in a process of its own, which has a recorder of its own, and two minutes: an endless
 * search takes longer, a sanitizer on a busy machine does not. */
static void run_recorded(const char *range, void (*work)(void))
{
    snprintf(folder, sizeof folder, "%s/recorder_XXXXXX", DCS_BINARY_DIR);
    assert_non_null(mkdtemp(folder));
    setenv("DCSIM_RECORD_FOLDER", folder, 1);
    setenv("DCSIM_RECORD_RANGE", range, 1);
    pid_t child = fork();
    if (child == 0) {
        alarm(120);
        if (!recorder_open())
            _exit(1);
        work();
        recorder_flush();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void read_recorded(struct cal_recording *r)
{
    struct dcs_err err = {0};
    char command[400];
    if (cal_recording_read(r, folder, &err) != 0)
        fail_msg("%s:%d: %s", err.file, err.line, err.text);
    assert_int_equal(r->processes_count, 1);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

/* --- texts --- */

#define TEXTS 20000

static void name_much(void)
{
    static uint32_t numbers[TEXTS];
    char name[32];
    for (int i = 0; i < TEXTS; i++) {
        snprintf(name, sizeof name, "kernel%d", i);
        numbers[i] = recorder_text(name);
    }
    bool fine = numbers[0] != numbers[1] && numbers[TEXTS - 2] == numbers[TEXTS - 1];
    fine = fine && recorder_text("kernel7") == numbers[7];
    _Exit((recorder_flush(), fine) ? 0 : 1);
}

static void texts_have_an_end(void **state)
{
    (void)state;
    struct cal_recording r;
    size_t texts = 0, rest = 0;
    run_recorded("", name_much);
    read_recorded(&r);
    for (size_t i = 0; i < r.processes[0].texts_count; i++)
        if (r.processes[0].texts[i] != NULL) {
            texts++;
            rest += strcmp(r.processes[0].texts[i], "(one of too many names)") == 0;
        }
    assert_in_range(texts, 10000, TEXTS - 1);
    assert_int_equal(rest, 1);
    cal_recording_release(&r);
}

static void texts_are_escaped(void **state)
{
    (void)state;
    char text[16];
    recorder_escape("a\nb\x1b\xc3\xa9", text, sizeof text);
    assert_string_equal(text, "a\\x0ab\\x1b\\xc3"); /* cut, and not within an escape */
    recorder_escape("a\\x0a", text, sizeof text);
    assert_string_equal(text, "a\\x0a");
    recorder_escape("abcd", text, 4);
    assert_string_equal(text, "abc");
}

/* --- ranges --- */

/* NVTX's export table, of which a program's copy of NVTX has one. */
typedef void (*any_function)(void);
static any_function slots[16], *table[16];

static int functions_of(int module, any_function ***out, unsigned *size)
{
    *out = table;
    *size = 16;
    return module == 1;
}

static const void *export_table_of(uint32_t which)
{
    static const struct {
        size_t size;
        int (*functions_of)(int, any_function ***, unsigned *);
    } export = {sizeof export, functions_of};
    return which == 1 ? &export : NULL;
}

static void name_ranges(void)
{
    static const char *const names[] = {("d\xc3\xa9"
                                         "codage\x1b[2J"),
                                        "one\nE 5 5", "plain", "pla"};
    static const wchar_t *const wide[] = {L"d\u00e9codage\x1b[2J", L"\U0001f600"};
    for (size_t i = 0; i < 16; i++)
        table[i] = &slots[i];
    if (InitializeInjectionNvtx2(export_table_of) != 1)
        _exit(1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ((int (*)(const char *))slots[9])(names[i]); /* nvtxRangePushA */
        ((int (*)(void))slots[11])();                /* nvtxRangePop */
    }
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        ((int (*)(const wchar_t *))slots[10])(wide[i]); /* nvtxRangePushW */
        ((int (*)(void))slots[11])();
    }
}

static void ranges_have_any_name(void **state)
{
    (void)state;
    static const char escaped[] = "d\\xc3\\xa9codage\\x1b[2J";
    static const char *const asked[] = {("d\xc3\xa9"
                                         "codage\x1b[2J"),
                                        escaped};
    for (size_t i = 0; i < 2; i++) {
        struct cal_recording r;
        run_recorded(asked[i], name_ranges);
        read_recorded(&r);
        assert_string_equal(r.names, "d\\xc3\\xa9codage\\x1b[2J, one\\x0aE 5 5, plain, pla, "
                                     "\\xf0\\x9f\\x98\\x80");
        assert_int_equal(r.processes[0].ranges_count, 2); /* in bytes and in wide characters */
        assert_string_equal(r.processes[0].ranges[0].name, escaped);
        assert_string_equal(r.processes[0].ranges[1].name, escaped);
        assert_int_equal(r.processes[0].end_ns, 0); /* a name is no line */
        cal_recording_release(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_have_an_end),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(ranges_have_any_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
