/*
 * fuzz_options.c - libFuzzer target for the config reader; see options_case.h for what must hold.
 * Seeds: tests/fuzz/seeds/options. Run: fuzz_options -max_len=4096 CORPUS tests/fuzz/seeds/options
 */
#include "tests/fuzz/options_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A failed DCS_ASSERT leaves through _Exit, which the fuzzer would not notice: no input is saved.
 */
_Noreturn void _Exit(int status)
{
    (void)status;
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool accepted;
    const char *wrong = case_check((const char *)data, size, &accepted);
    if (wrong) {
        fprintf(stderr, "fuzz_options: %s\n", wrong);
        abort();
    }
    return 0;
}
