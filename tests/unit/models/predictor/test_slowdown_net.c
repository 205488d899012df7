/*
 * test_slowdown_net.c - the network of Themis.
 *
 * Pins: the loss of equation 8 for samples that were worked out by hand; its gradient against
 * finite differences, at random weights; that training lowers the loss and finds a made-up law;
 * that training twice gives the same bits, and which bits, with every compiler. Does not pin: how
 * well it predicts what was measured (docs/validation/themis.md), the file that it is kept in
 * (e2e/train.sh).
 */
#include "des/base.h"
#include "models/predictor/slowdown_net.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SAMPLES = 640 };

/* Slow-downs that depend on three inputs, with a bend in one. */
static void make_samples(struct dcs_slowdown_sample *s, size_t n)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_WEIGHTS, 1);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < DCS_SLOWDOWN_INPUTS; k++)
            s[i].x[k] = 2 * dcs_rng_uniform(&rng) - 1;
        s[i].scal = 3 - 2 * s[i].x[0];
        s[i].inter = 1 + (s[i].x[1] + s[i].x[11] > 0 ? s[i].x[1] + s[i].x[11] : 0);
    }
}

static void draw_weights(double *w, uint64_t entity)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 2, 0, DCS_RNG_WEIGHTS, entity);
    for (size_t i = 0; i < DCS_SLOWDOWN_WEIGHTS; i++)
        w[i] = dcs_rng_uniform(&rng) - 0.5;
}

/* Only the outputs' constants are not 0: it always says 2 and 1.5. */
static void loss_by_hand(void **state)
{
    (void)state;
    double w[DCS_SLOWDOWN_WEIGHTS] = {0}, scal, inter;
    w[2 * DCS_SLOWDOWN_LAYER + DCS_SLOWDOWN_INPUTS] = 2;
    w[2 * DCS_SLOWDOWN_LAYER + 2 * DCS_SLOWDOWN_INPUTS + 1] = 1.5;
    struct dcs_slowdown_sample s[2] = {{.scal = 4, .inter = 1.5}, {.scal = 2, .inter = 1}};
    dcs_slowdown_net_ask(w, s[0].x, &scal, &inter);
    assert_true(scal == 2 && inter == 1.5);
    /* Errors of the first: -0.5, 0, -0.5; of the second: 0, 0.5, 0.5. */
    double loss = sqrt(0.125) + sqrt(0.125) + 2 * 0.5;
    assert_true(fabs(dcs_slowdown_net_loss(w, s, 2, NULL) - loss) < 1e-15);
    w[0] = 3; /* the size of the weights: 5 */
    w[1] = 4;
    assert_true(fabs(dcs_slowdown_net_loss(w, s, 2, NULL) - loss - 0.005) < 1e-15);
}

static void gradient_is_that_of_the_loss(void **state)
{
    (void)state;
    struct dcs_slowdown_sample s[40];
    double w[DCS_SLOWDOWN_WEIGHTS], gradient[DCS_SLOWDOWN_WEIGHTS], unused[DCS_SLOWDOWN_WEIGHTS];
    make_samples(s, 40);
    for (uint64_t round = 0; round < 5; round++) {
        draw_weights(w, round);
        dcs_slowdown_net_loss(w, s, 40, gradient);
        for (size_t i = 0; i < DCS_SLOWDOWN_WEIGHTS; i++) {
            double kept = w[i], step = 1e-6;
            w[i] = kept + step;
            double above = dcs_slowdown_net_loss(w, s, 40, unused);
            w[i] = kept - step;
            double below = dcs_slowdown_net_loss(w, s, 40, NULL);
            w[i] = kept;
            double slope = (above - below) / (2 * step);
            /* A unit's bend may lie within the step. */
            assert_true(fabs(slope - gradient[i]) < 1e-5 + 1e-3 * fabs(slope));
        }
    }
}

static uint64_t bits_of(const double *w)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < DCS_SLOWDOWN_WEIGHTS; i++) {
        uint64_t bits;
        memcpy(&bits, &w[i], sizeof bits);
        for (int byte = 0; byte < 8; byte++)
            hash = (hash ^ (bits >> (8 * byte) & 255)) * 0x100000001b3u;
    }
    return hash;
}

static void training_finds_a_law_with_the_same_bits(void **state)
{
    (void)state;
    static struct dcs_slowdown_sample s[SAMPLES];
    double w[DCS_SLOWDOWN_WEIGHTS], again[DCS_SLOWDOWN_WEIGHTS];
    make_samples(s, SAMPLES);
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 3, 0, DCS_RNG_WEIGHTS, 0);
    dcs_slowdown_net_fit(s, SAMPLES, 0, &rng, w);
    double first = dcs_slowdown_net_loss(w, s, SAMPLES, NULL);
    dcs_rng_stream(&rng, 3, 0, DCS_RNG_WEIGHTS, 0);
    dcs_slowdown_net_fit(s, SAMPLES, 100, &rng, w);
    double last = dcs_slowdown_net_loss(w, s, SAMPLES, NULL);
    dcs_rng_stream(&rng, 3, 0, DCS_RNG_WEIGHTS, 0);
    dcs_slowdown_net_fit(s, SAMPLES, 100, &rng, again);
    assert_memory_equal(w, again, sizeof w);
    if (!(last < first / 4))
        fail_msg("the loss falls from %g to %g", first, last);
    if (bits_of(w) != UINT64_C(0x4e816c7600fde6af))
        fail_msg("bits 0x%llx", (unsigned long long)bits_of(w));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loss_by_hand),
        cmocka_unit_test(gradient_is_that_of_the_loss),
        cmocka_unit_test(training_finds_a_law_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
