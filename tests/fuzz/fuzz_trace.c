/*
 * fuzz_trace.c - libFuzzer target for published traces; the first byte names the format; see
 * file_case.h for what must hold. Seeds: make_seeds.sh.
 */
#include "tests/fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_check(file_case_trace(data, size));
    return 0;
}
