/*
 * fuzz_profile.c - libFuzzer target for profiles as SQL text, with all their tables; see
 * file_case.h for what must hold. Seeds: make_seeds.sh.
 */
#include "tests/fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_check(file_case_profile(data, size));
    return 0;
}
