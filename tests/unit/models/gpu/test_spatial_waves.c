/*
 * test_spatial_waves.c - pins: times of a kernel on different numbers of SMs tell whether its
 * blocks stay in step, and how many waves' worth of time an uneven end costs; that costs one at
 * most, and nothing where more SMs help more than in proportion; a kernel of an unknown grid, or
 * with fewer than three points, counts as in step. That profiles are read so: test_spatial.c; what
 * a device makes of it: test_gpu_queue.c.
 */
#include "models/gpu/spatial_load.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define BLOCKS 1000
#define PER_SM 2

static struct dcs_shape_point points[8];
static struct dcs_shape shape;

static double waves(uint32_t sms)
{
    return (double)BLOCKS / (PER_SM * sms);
}

/* On 8, 16, ... SMs. */
static void begin(size_t count)
{
    shape = (struct dcs_shape){
        .blocks = BLOCKS, .blocks_per_sm = PER_SM, .points = points, .points_count = count};
    for (size_t i = 0; i < count; i++)
        points[i] = (struct dcs_shape_point){.sms = 8 * (uint32_t)(i + 1)};
}

static void fit_drift(double overhang)
{
    begin(8);
    for (size_t i = 0; i < 8; i++)
        points[i].solo_ns = 700 * (waves(points[i].sms) + overhang);
    dcs_shape_fit_waves(&shape);
}

static void fit_steps(size_t count)
{
    begin(count);
    for (size_t i = 0; i < count; i++)
        points[i].solo_ns = 700 * ceil(waves(points[i].sms));
    dcs_shape_fit_waves(&shape);
}

static void blocks_in_step(void **state)
{
    (void)state;
    fit_steps(8);
    assert_false(shape.drifts);
}

static void blocks_that_drift(void **state)
{
    (void)state;
    for (int i = 1; i < 10; i++) {
        fit_drift(0.1 * i);
        assert_true(shape.drifts && fabs(shape.overhang - 0.1 * i) < 1e-9);
    }
    /* Measurements are off by half a percent: still near. */
    fit_drift(0.4);
    for (size_t i = 0; i < 8; i++)
        points[i].solo_ns *= i % 2 == 0 ? 1.005 : 0.995;
    dcs_shape_fit_waves(&shape);
    assert_true(shape.drifts && fabs(shape.overhang - 0.4) < 0.2);
}

static void an_overhang_has_bounds(void **state)
{
    (void)state;
    fit_drift(20); /* as of a memory that is used up */
    assert_true(shape.drifts && shape.overhang == 1);
    fit_drift(-2);
    assert_true(shape.drifts && shape.overhang == 0);
    begin(8);
    for (size_t i = 0; i < 8; i++)
        points[i].solo_ns = 700; /* more SMs do not help at all */
    dcs_shape_fit_waves(&shape);
    assert_true(shape.drifts && shape.overhang == 1);
}

static void what_cannot_be_told(void **state)
{
    (void)state;
    begin(2);
    for (size_t i = 0; i < 2; i++)
        points[i].solo_ns = 700 * (waves(points[i].sms) + 0.3);
    dcs_shape_fit_waves(&shape);
    assert_false(shape.drifts);
    fit_drift(0.4);
    shape.blocks_per_sm = 0;
    dcs_shape_fit_waves(&shape);
    assert_true(!shape.drifts && shape.overhang == 0);
    fit_drift(0.4);
    shape.blocks = 0;
    dcs_shape_fit_waves(&shape);
    assert_true(!shape.drifts && shape.overhang == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_in_step),
        cmocka_unit_test(blocks_that_drift),
        cmocka_unit_test(an_overhang_has_bounds),
        cmocka_unit_test(what_cannot_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
