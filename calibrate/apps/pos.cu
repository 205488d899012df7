/*
 * pos.cu - part-of-speech tagging.
 *
 * Collobert et al., JMLR 12, 2011; C-Laius table 3 (pos, of the Tonic suite). Features: word,
 * capitals (4 kinds), suffix of two letters (455); 45 tags, those of the Penn Treebank.
 *
 * A size is a number of sentences of 28 words; see senna_f32.cuh for the rest. A kernel is one
 * layer.
 */
#include "calibrate/apps/senna_f32.cuh"

namespace
{

const struct task task = {2, {4, 455}, 45};

void *pos_create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return tagger_create(&task, size, seed, err);
}

} // namespace

/* C-Laius gives no target for each service: section 1 says 100 to 300 ms. */
extern "C" const struct cal_app cal_app_pos = {
    .name = "pos",
    .role = CAL_SERVICE,
    .papers = "C-Laius table 3: pos (Tonic suite)",
    .algorithm = "Collobert et al., JMLR 12, 2011: window approach, sentence-level scores; "
                 "part-of-speech tags",
    .size_unit = "sentences",
    .size_min = 1024,
    .size_max = 60000,
    .size_default = 40000,
    .size_check = 13,
    .size_step = 16,
    .sla_ns = INT64_C(100000000),
    .create = pos_create,
    .plan = tagger_plan,
    .check = tagger_check,
    .destroy = tagger_destroy,
};
