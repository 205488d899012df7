/* fuzz_target.h - what the libFuzzer targets of file_case.h share. */
#ifndef DCS_TESTS_FUZZ_TARGET_H
#define DCS_TESTS_FUZZ_TARGET_H

#include "tests/fuzz/file_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A failed DCS_ASSERT leaves through _Exit, which the fuzzer would not notice: no input is saved.
 */
_Noreturn void _Exit(int status)
{
    (void)status;
    abort();
}

static inline void fuzz_check(const char *wrong)
{
    if (wrong == NULL)
        return;
    fprintf(stderr, "%s\n", wrong);
    abort();
}

#endif
