/*
 * cpu_resctrl.c - cache ways through the kernel's resctrl file system; see cpu_host.h and the
 * kernel's Documentation/filesystems/resctrl.rst.
 */
#include "calibrate/cpu/cpu_host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RESCTRL "sys/fs/resctrl"
#define GROUP   RESCTRL "/dcsim-calibrate"

static bool read_file(const char *root, const char *path, char *text, size_t size)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%s", root, path);
    FILE *in = fopen(name, "r");
    size_t got = in != NULL ? fread(text, 1, size - 1, in) : 0;
    text[got] = '\0';
    if (in != NULL)
        fclose(in);
    return got > 0;
}

/* One write is one order to the kernel, which answers it when the file is flushed. */
static int write_file(const char *root, const char *path, const char *text, struct dcs_err *err)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%s", root, path);
    FILE *out = fopen(name, "w");
    bool failed = out == NULL || fputs(text, out) < 0 || fflush(out) != 0;
    int why = errno;
    if (out != NULL)
        fclose(out);
    return failed ? dcs_err_set(err, "%s: \"%.60s\" is refused: %s", name, text, strerror(why)) : 0;
}

void cal_cpu_ways_find(struct cal_cpu_host *h, const char *root)
{
    char text[64], path[512];
    snprintf(path, sizeof path, "%s/" RESCTRL, root);
    if (!read_file(root, RESCTRL "/info/L3/cbm_mask", text, sizeof text)) {
        snprintf(h->cat_missing, sizeof h->cat_missing, "%s",
                 access(path, F_OK) != 0 ? "this kernel or processor has no resctrl"
                                         : "resctrl is not mounted, or has no L3 allocation");
        return;
    }
    h->ways = (uint32_t)__builtin_popcountll(strtoull(text, NULL, 16));
    h->cat_min_ways = 1;
    if (read_file(root, RESCTRL "/info/L3/min_cbm_bits", text, sizeof text))
        h->cat_min_ways = (uint32_t)strtoul(text, NULL, 10);
    if (access(path, W_OK) != 0)
        snprintf(h->cat_missing, sizeof h->cat_missing, "%.80s may not be written", path);
    else
        h->cat = h->ways >= 2;
}

/* "    L3:0=fff;1=fff" with the mask at each cache. */
static int write_masks(const char *root, uint32_t ways, struct dcs_err *err)
{
    char all[1024], masks[1024];
    if (!read_file(root, RESCTRL "/schemata", all, sizeof all))
        return dcs_err_set(err, "%s/" RESCTRL "/schemata cannot be read", root);
    const char *at = strstr(all, "L3:");
    if (at == NULL)
        return dcs_err_set(err, "%s/" RESCTRL "/schemata has no line of L3", root);
    size_t used = (size_t)snprintf(masks, sizeof masks, "L3:");
    for (at += 3; *at != '\0' && *at != '\n' && used + 40 < sizeof masks;) {
        unsigned long cache = strtoul(at, NULL, 10);
        used += (size_t)snprintf(masks + used, sizeof masks - used, "%s%lu=%llx",
                                 masks[used - 1] == ':' ? "" : ";", cache, (1ULL << ways) - 1);
        at += strcspn(at, ";\n");
        at += *at == ';';
    }
    snprintf(masks + used, sizeof masks - used, "\n");
    return write_file(root, GROUP "/schemata", masks, err);
}

struct joining {
    const char *root;
    struct dcs_err *errs; /* by thread */
    int *failed;
};

/* The kernel takes the number of a thread, which only the thread itself knows. */
static void join(void *context, struct cal_team *t, uint32_t thread)
{
    (void)t;
    struct joining *j = context;
    char text[32];
    snprintf(text, sizeof text, "%ld\n", (long)gettid());
    j->failed[thread] = write_file(j->root, GROUP "/tasks", text, &j->errs[thread]);
}

int cal_cpu_ways_set(const struct cal_cpu_host *h, const char *root, struct cal_team *t,
                     uint32_t ways, struct dcs_err *err)
{
    DCS_ASSERT(h->cat && ways >= h->cat_min_ways && ways <= h->ways);
    char path[512];
    snprintf(path, sizeof path, "%s/" GROUP, root);
    if (mkdir(path, 0755) != 0 && errno != EEXIST)
        return dcs_err_set(err, "%s cannot be made: %s", path, strerror(errno));
    if (write_masks(root, ways, err) != 0)
        return -1;
    uint32_t threads = cal_team_threads(t);
    struct joining j = {.root = root,
                        .errs = dcs_alloc(threads, sizeof *j.errs),
                        .failed = dcs_alloc(threads, sizeof *j.failed)};
    cal_team_run(t, join, &j);
    int failed = 0;
    for (uint32_t i = 0; i < threads && !failed; i++)
        if ((failed = j.failed[i]) != 0)
            *err = j.errs[i];
    free(j.errs);
    free(j.failed);
    return failed;
}

void cal_cpu_ways_clear(const char *root)
{
    char path[512];
    snprintf(path, sizeof path, "%s/" GROUP, root);
    rmdir(path);
}
