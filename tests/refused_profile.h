/* refused_profile.h - a profile that is not loaded, for tests that include cmocka.h before. */
#ifndef DCS_TESTS_REFUSED_PROFILE_H
#define DCS_TESTS_REFUSED_PROFILE_H

#include "models/profile/profile.h"

#include <stdio.h>
#include <string.h>

/* Loads a file, which is refused with this text, in one line. What was said. */
static inline struct dcs_err assert_refused_profile(const char *path, const char *text)
{
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(path, &err);
    if (p != NULL || strstr(err.text, text) == NULL)
        print_error("expected %s, found %s\n", text, p != NULL ? "a profile" : err.text);
    assert_null(p);
    assert_non_null(strstr(err.text, text));
    assert_null(strchr(err.text, '\n'));
    return err;
}

#endif
