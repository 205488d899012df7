/*
 * ner.cu - recognition of named entities.
 *
 * Collobert et al., JMLR 12, 2011; C-Laius table 3 (ner, of the Tonic suite). Features: word,
 * capitals (4 kinds), and four that say whether the word is in a list of names of persons, places,
 * organisations and others (2 each); 17 tags: place in a name (IOBES) and one of four kinds, or
 * none.
 *
 * A size is a number of sentences of 28 words; see senna_f32.cuh for the rest. A kernel is one
 * layer.
 */
#include "calibrate/apps/senna_f32.cuh"

namespace
{

const struct task task = {5, {4, 2, 2, 2, 2}, 17};

void *ner_create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return tagger_create(&task, size, seed, err);
}

} // namespace

/* C-Laius gives no target for each service: section 1 says 100 to 300 ms. */
extern "C" const struct cal_app cal_app_ner = {
    .name = "ner",
    .role = CAL_SERVICE,
    .papers = "C-Laius table 3: ner (Tonic suite)",
    .algorithm =
        "Collobert et al., JMLR 12, 2011: window approach, sentence-level scores; named entities",
    .size_unit = "sentences",
    .size_min = 1024,
    .size_max = 60000,
    .size_default = 40000,
    .size_check = 13,
    .size_step = 16,
    .sla_ns = INT64_C(100000000),
    .create = ner_create,
    .plan = tagger_plan,
    .check = tagger_check,
    .destroy = tagger_destroy,
};
