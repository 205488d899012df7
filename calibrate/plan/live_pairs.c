/*
 * live_pairs.c - see live_pairs.h.
 *
 * The first pairs were chosen: services of both papers beside batch applications that need the
 * memory and that need the cores, in both halves. The further ones are drawn, so that nobody's
 * choice is in them: each takes one of the services that are in the fewest pairs before it, and one
 * such batch application. Of every three the first is for who builds a model ('dev'), and two judge
 * a form of it that is frozen after the half 'test' was looked at ('test2').
 */
#include "calibrate/plan/live_pairs.h"
#include "calibrate/plan/arrival_list.h"

#include "des/base.h"

#include <limits.h>
#include <string.h>

#define DRAW_SEED 20210423 /* of the drawing, whatever the seed of the inputs is */

static const struct cal_live_pair first[CAL_LIVE_FIRST] = {
    {"resnet50", "lbm", "dev"}, {"vgg16", "sgemm", "test"},
    {"dig", "hotspot", "dev"},  {"face", "bfs", "test"},
    {"ner", "mriq", "dev"},     {"densenet", "lava-md", "test"},
    {"imc", "nw", "dev"},       {"resnext", "resnet50-train", "test"},
};

enum role { SERVICE, BATCH, ROLES };

static const char *name_of(const struct cal_live_pair *pair, enum role role)
{
    return role == SERVICE ? pair->service : pair->batch;
}

static int uses(const char *name, enum role role, const struct cal_live_pair *pairs, int n)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        found += strcmp(name_of(&pairs[i], role), name) == 0;
    return found;
}

/* One of those that are in the fewest of the n pairs. */
static const char *draw(const char *const *names, size_t count, enum role role,
                        const struct cal_live_pair *pairs, int n)
{
    int fewest = INT_MAX;
    size_t candidates = 0;
    for (size_t i = 0; i < count; i++) {
        int used = uses(names[i], role, pairs, n);
        candidates = used < fewest ? 1 : candidates + (used == fewest);
        fewest = used < fewest ? used : fewest;
    }
    DCS_ASSERT(candidates > 0); /* some name is in the fewest */
    size_t chosen = cal_list_random(DRAW_SEED + role, (uint64_t)n) % candidates;
    for (size_t i = 0; i < count; i++)
        if (uses(names[i], role, pairs, n) == fewest && chosen-- == 0)
            return names[i];
    DCS_ASSERT(false); /* one of them is used least */
    return NULL;
}

int cal_live_pairs(const struct cal_live_names *names, struct cal_live_pair pairs[CAL_LIVE_PAIRS])
{
    memcpy(pairs, first, sizeof first);
    if (names->services_count == 0 || names->batches_count == 0)
        return CAL_LIVE_FIRST;
    for (int n = CAL_LIVE_FIRST; n < CAL_LIVE_PAIRS; n++) {
        pairs[n].service = draw(names->services, names->services_count, SERVICE, pairs, n);
        pairs[n].batch = draw(names->batches, names->batches_count, BATCH, pairs, n);
        pairs[n].half = (n - CAL_LIVE_FIRST) % 3 == 0 ? "dev" : "test2";
    }
    return CAL_LIVE_PAIRS;
}

int cal_live_splits(int sms, int step, int splits[CAL_LIVE_SPLITS])
{
    static const int parts[CAL_LIVE_SPLITS] = {2, 4};
    int n = 0;
    for (int i = 0; i < CAL_LIVE_SPLITS; i++) {
        int steps = sms / step / parts[i], mine = (steps > 0 ? steps : 1) * step;
        if (mine < sms && (n == 0 || mine != splits[n - 1]))
            splits[n++] = mine;
    }
    return n;
}
