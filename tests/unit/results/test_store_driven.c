/*
 * test_store_driven.c - what the results database holds of a run on a real GPU.
 *
 * Pins: a launch that was revoked has the times of what happened to it alone: none where no process
 * had the launch, and none that a process had gone where none was killed. Does not pin: what a
 * device's side says (tests/e2e/drive.sh).
 */
/* Before cmocka.h, whose macro fail() is the name of a member in policies/policy.h. */
#include "store_case.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static void revocations(void **state)
{
    (void)state;
    struct results_case c;
    struct dcs_err err = {0};
    case_open(&c, CASE_JSON, HASH_A);
    struct run run = case_run(&c, 0, 6);
    struct drive_launch_row rows[] = {
        /* killed, withdrawn, ended before the kill, cut off by the end of the run, not revoked */
        {.launched_ns = 130, .revoked_ns = 200, .gone_ns = 250, .heard_ns = 260},
        {.launched_ns = DCS_NEVER, .revoked_ns = 200, .gone_ns = DCS_NEVER, .heard_ns = 260},
        {.launched_ns = DCS_NEVER, .revoked_ns = 210, .gone_ns = DCS_NEVER, .heard_ns = 260},
        {.launched_ns = 0, .revoked_ns = 220, .gone_ns = DCS_NEVER, .heard_ns = DCS_NEVER},
        {.launched_ns = 130, .revoked_ns = DCS_NEVER, .gone_ns = DCS_NEVER, .heard_ns = 260},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rows[i].event_ns = 100;
        rows[i].end_ns = DCS_NEVER;
    }
    run.driven.launches = rows;
    run.driven.launches_count = sizeof rows / sizeof rows[0];
    struct store *s = store_open("a.db", &c.x, &err);
    assert_non_null(s);
    if (store_add(s, &run, &err) != 0)
        fail_msg("%s", err.text);
    store_close(s);
    char *found = query("a.db", "SELECT position, revoked_ns, gone_ns, launched_ns FROM "
                                "driven_revocation ORDER BY position");
    assert_string_equal(found,
                        "0|200|50|30|\n1|200|NULL|NULL|\n2|210|NULL|NULL|\n3|220|NULL|NULL|\n");
    free(found);
    run.driven = (struct drive_rows){0};
    run_release(&run);
    case_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(revocations, folder_clear)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
