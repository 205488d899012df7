/*
 * temp_file.h - one empty file of its own for a test, as set-up and tear-down of cmocka. A test
 * defines TEMP_FILE, its name.
 */
#ifndef DCS_TESTS_TEMP_FILE_H
#define DCS_TESTS_TEMP_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char file[300];

static inline int make_file(void **state)
{
    (void)state;
    snprintf(file, sizeof file, "%s/" TEMP_FILE "_XXXXXX", DCS_BINARY_DIR);
    int fd = mkstemp(file);
    return fd < 0 ? -1 : close(fd);
}

static inline int remove_file(void **state)
{
    (void)state;
    return unlink(file);
}

#endif
