/*
 * test_rng_plain.c - what test_rng.c pins, of the generator without instructions of a processor.
 *
 * Does not pin: anything else.
 */
#undef __SSE2__
#include "des/rng.c"

#include "test_rng.c"
