/* spatial_gaps.c - see spatial_gaps.h. */
#include "models/gpu/spatial_gaps.h"

#include <stdarg.h>
#include <string.h>

void spatial_gaps_note_untold(struct spatial_gaps *gaps, const char *app)
{
    size_t used = strlen(gaps->untold_names);
    if (gaps->untold < 3)
        snprintf(gaps->untold_names + used, sizeof gaps->untold_names - used, "%s%s",
                 gaps->untold > 0 ? ", " : "", app);
    else if (gaps->untold == 3)
        snprintf(gaps->untold_names + used, sizeof gaps->untold_names - used, ", ...");
    gaps->untold++;
}

static void add_text(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_text(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    if (used > 0 && used + 2 < size) {
        memcpy(text + used, "; ", 3);
        used += 2;
    }
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* Shapes in clusters of which the device's room is not known. */
static uint32_t count_roomless(const struct dcs_spatial *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->shapes_count; i++) {
        uint32_t lacks = 0;
        for (size_t k = 0; k < s->shapes[i].clusters_count; k++) {
            uint32_t blocks = s->shapes[i].clusters[k].blocks;
            lacks |= blocks > 2 && s->cluster_room[dcs_cluster_index(blocks)] == 0;
        }
        n += lacks;
    }
    return n;
}

/* Recorded programs without a kernel in clusters, at their default sizes. */
static uint32_t count_unclustered(const struct dcs_spatial *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->apps_count; i++) {
        const struct dcs_sequence *q = &s->sequences[i];
        bool clustered = false;
        for (uint32_t k = 0; k < q->kernels && !clustered; k++)
            clustered = s->shapes[q->shapes[k]].clusters != NULL;
        n += q->host != NULL && !clustered;
    }
    return n;
}

char *spatial_gaps_tell(const struct spatial_gaps *gaps, const struct dcs_spatial *s)
{
    char text[2048] = "";
    if (gaps->untold > 0)
        add_text(text, sizeof text,
                 "which kernels a request has is not known of %u application%s (%s)", gaps->untold,
                 dcs_plural(gaps->untold), gaps->untold_names);
    if (gaps->unmeasured > 0)
        add_text(
            text, sizeof text,
            "how long %u of %u kernels take alone on fewer SMs was not measured: such a kernel "
            "takes longer by as much as whole requests of its application do, or, where these were "
            "not measured either, as if its work were spread over its SMs",
            gaps->unmeasured, gaps->kernels);
    if (gaps->undescribed > 0)
        add_text(text, sizeof text, "%u of %u kernels have no known grid: they can use all SMs",
                 gaps->undescribed, gaps->kernels);
    if (gaps->unscaled > 0)
        add_text(text, sizeof text,
                 "requests of %u application%s were not measured alone: they take as long as their "
                 "kernels",
                 gaps->unscaled, dcs_plural(gaps->unscaled));
    uint32_t roomless = count_roomless(s);
    if (roomless > 0)
        add_text(text, sizeof text,
                 "the blocks of %u kernel%s come in clusters, and how many fit is not known: none "
                 "is taken to lack room (run dcsim-calibrate overhead)",
                 roomless, dcs_plural(roomless));
    uint32_t untold = count_unclustered(s);
    if (untold > 0)
        add_text(text, sizeof text,
                 "of %u recorded program%s no kernel is known to come in clusters of blocks, which "
                 "an older dcsim-calibrate did not record: they may run too fast beside others",
                 untold, dcs_plural(untold));
    if (s->resources_count == 0)
        add_text(text, sizeof text, "there is no contention model: kernels do not slow each other");
    else if (gaps->silent > 0)
        add_text(text, sizeof text,
                 "%u of %u kernels have no contention rows: they slow none and none slows them",
                 gaps->silent, gaps->computing);
    if (gaps->guessed > 0 && s->resources_count > 0)
        add_text(text, sizeof text,
                 "%u of %u kernels slow and are slowed as others that are like them, a guess",
                 gaps->guessed, gaps->computing);
    if (s->sequences_count > s->apps_count)
        add_text(text, sizeof text,
                 "what kernels move and how much they suffer was measured at one size: requests of "
                 "other sizes are taken to do as much per ns, in the memory of that size");
    if (gaps->unmatched > 0 && s->resources_count > 0)
        add_text(text, sizeof text,
                 "%u kernels of other sizes are like none of that size: they slow none and none "
                 "slows them",
                 gaps->unmatched);
    return text[0] != '\0' ? dcs_strdup(text) : NULL;
}
