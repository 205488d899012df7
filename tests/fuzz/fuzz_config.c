/*
 * fuzz_config.c - libFuzzer target for configs: all tables and checks of src/config/config.c; see
 * file_case.h for what must hold. Seeds: make_seeds.sh.
 */
#include "tests/fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_check(file_case_config(data, size));
    return 0;
}
