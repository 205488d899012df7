/* cpu_host.c - see cpu_host.h. */
#include "calibrate/cpu/cpu_host.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define CPUS         "sys/devices/system/cpu"
#define WAYS_MAX     64 /* of a profile */
#define WAYS_ASSUMED 16

/* --- files of the kernel --- */

/* The first line of root/path, without its end; false if there is none. */
static bool read_line(const char *root, const char *path, char *line, size_t size)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%s", root, path);
    FILE *in = fopen(name, "r");
    bool read = in != NULL && fgets(line, (int)size, in) != NULL;
    if (in != NULL)
        fclose(in);
    if (read)
        line[strcspn(line, "\n")] = '\0';
    return read;
}

/* "1-3,8" has n. */
static bool has(const char *list, int n)
{
    for (const char *at = list; *at != '\0';) {
        char *end;
        long low = strtol(at, &end, 10), high = low;
        if (end == at)
            return false;
        if (*end == '-')
            high = strtol(end + 1, &end, 10);
        if (n >= low && n <= high)
            return true;
        at = *end == ',' ? end + 1 : end;
        if (*end != ',')
            return false;
    }
    return false;
}

/* "266240K", "30M", "64". */
static int64_t read_bytes(const char *root, const char *path)
{
    char line[64], *end;
    if (!read_line(root, path, line, sizeof line))
        return 0;
    int64_t value = strtoll(line, &end, 10);
    return value * (*end == 'K' ? 1024 : *end == 'M' ? 1024 * 1024 : 1);
}

/* The value behind "key" and a colon in a file of such lines. */
static bool find_value(const char *root, const char *path, const char *key, char *value,
                       size_t size)
{
    char name[512], line[512];
    snprintf(name, sizeof name, "%s/%s", root, path);
    FILE *in = fopen(name, "r");
    bool found = false;
    while (in != NULL && !found && fgets(line, sizeof line, in) != NULL) {
        char *colon = strchr(line, ':');
        if (colon == NULL || strncmp(line, key, strlen(key)) != 0)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(value, size, "%s", colon);
        found = true;
    }
    if (in != NULL)
        fclose(in);
    return found;
}

/* --- caches --- */

/* Those of one core: the last level that holds data, and level 2. Fills who shares the last. */
static int read_caches(struct cal_cpu_host *h, const char *root, int core, char *shared,
                       size_t shared_size, struct dcs_err *err)
{
    long last = 0;
    for (int i = 0; i < 16; i++) {
        char folder[96], path[160], type[32], level[16], ways[16];
        snprintf(folder, sizeof folder, CPUS "/cpu%d/cache/index%d", core, i);
        snprintf(path, sizeof path, "%s/type", folder);
        if (!read_line(root, path, type, sizeof type))
            break;
        snprintf(path, sizeof path, "%s/level", folder);
        if (strcmp(type, "Instruction") == 0 || !read_line(root, path, level, sizeof level))
            continue;
        snprintf(path, sizeof path, "%s/size", folder);
        int64_t bytes = read_bytes(root, path);
        long n = strtol(level, NULL, 10);
        if (n == 2)
            h->l2_bytes = bytes;
        if (n <= last || bytes <= 0)
            continue;
        last = n;
        h->llc_bytes = bytes;
        snprintf(path, sizeof path, "%s/coherency_line_size", folder);
        h->line_bytes = read_bytes(root, path);
        snprintf(path, sizeof path, "%s/ways_of_associativity", folder);
        h->ways = read_line(root, path, ways, sizeof ways) ? (uint32_t)strtoul(ways, NULL, 10) : 0;
        snprintf(path, sizeof path, "%s/shared_cpu_list", folder);
        if (!read_line(root, path, shared, shared_size))
            shared[0] = '\0';
    }
    if (h->line_bytes < 16)
        h->line_bytes = 64;
    if (last >= 2 && h->llc_bytes > 0)
        return 0;
    return dcs_err_set(err,
                       "the kernel says nothing of a last-level cache (%s/" CPUS
                       "/cpu%d/cache), and a profile needs its size: measure on the machine "
                       "itself, or in a container that sees its /sys",
                       root, core);
}

static int find_cores(struct cal_cpu_host *h, const char *root, const cpu_set_t *allowed,
                      struct dcs_err *err)
{
    char shared[1024] = "", siblings[256];
    int first = 0;
    while (first < CPU_SETSIZE && !CPU_ISSET(first, allowed))
        first++;
    if (first == CPU_SETSIZE)
        return dcs_err_set(err, "this program may run on no core");
    if (read_caches(h, root, first, shared, sizeof shared, err) != 0)
        return -1;
    for (int core = first; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, allowed))
            continue;
        char path[96];
        snprintf(path, sizeof path, CPUS "/cpu%d/topology/thread_siblings_list", core);
        bool second = false;
        if (read_line(root, path, siblings, sizeof siblings))
            for (uint32_t i = 0; i < h->cores_count && !second; i++)
                second = has(siblings, h->cores[i]);
        bool same_cache = shared[0] == '\0' ? core == first : has(shared, core);
        if (second || !same_cache || h->cores_count == CAL_TEAM_MAX)
            h->left_out++;
        else
            h->cores[h->cores_count++] = core;
    }
    return 0;
}

/* --- who it is --- */

static uint64_t hash(uint64_t h, const char *text)
{
    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h;
}

static void identify(struct cal_cpu_host *h, const char *root)
{
    static const char *const keys[] = {"cpu family", "model\t", "stepping", NULL};
    char text[128];
    struct utsname system;
    if (!find_value(root, "proc/cpuinfo", "model name", h->name, sizeof h->name))
        snprintf(h->name, sizeof h->name, "unknown processor");
    uint64_t id = hash(UINT64_C(0xcbf29ce484222325), h->name);
    for (int i = 0; keys[i] != NULL; i++)
        if (find_value(root, "proc/cpuinfo", keys[i], text, sizeof text))
            id = hash(hash(id, "/"), text);
    if (read_line(root, "etc/machine-id", text, sizeof text))
        id = hash(hash(id, "/"), text);
    snprintf(h->identity, sizeof h->identity, "CPU-%016llx", (unsigned long long)id);
    if (uname(&system) == 0)
        snprintf(h->system, sizeof h->system, "%.20s %.60s", system.sysname, system.release);
}

static void read_clock(struct cal_cpu_host *h, const char *root)
{
    char text[64], path[96];
    snprintf(path, sizeof path, CPUS "/cpu%d/cpufreq/cpuinfo_max_freq", h->cores[0]);
    if (read_line(root, path, text, sizeof text))
        h->clock_mhz = (int)(strtol(text, NULL, 10) / 1000);
    else if (find_value(root, "proc/cpuinfo", "cpu MHz", text, sizeof text))
        h->clock_mhz = (int)(strtod(text, NULL) + 0.5);
}

int cal_cpu_host_read(struct cal_cpu_host *h, const char *root, const cpu_set_t *allowed,
                      struct dcs_err *err)
{
    char text[64];
    memset(h, 0, sizeof *h);
    if (find_cores(h, root, allowed, err) != 0)
        return -1;
    identify(h, root);
    read_clock(h, root);
    if (find_value(root, "proc/meminfo", "MemTotal", text, sizeof text))
        h->memory_bytes = strtoll(text, NULL, 10) * 1024;
    cal_cpu_ways_find(h, root);
    h->ways_assumed = h->ways < 1 || h->ways > WAYS_MAX;
    if (h->ways_assumed)
        h->ways = WAYS_ASSUMED;
    return 0;
}

int cal_cpu_host_limit(struct cal_cpu_host *h, uint32_t cores, struct dcs_err *err)
{
    if (cores > h->cores_count)
        return dcs_err_set(err,
                           "%u cores are asked for, and there are %u that this program may use and "
                           "that share a last-level cache: a program would have more threads than "
                           "cores",
                           cores, h->cores_count);
    h->cores_count = cores;
    return 0;
}

/* --- who else is there --- */

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* user, nice, system, irq, softirq and steal of a line "cpuN ..."; -1: of another core. */
static double busy_ticks(const char *line, const struct cal_cpu_host *h)
{
    long long v[8] = {0};
    int core;
    /* The first line, "cpu  ", is the sum. */
    if (strncmp(line, "cpu", 3) != 0 || line[3] == ' ' ||
        sscanf(line, "cpu%d %lld %lld %lld %lld %lld %lld %lld %lld", &core, &v[0], &v[1], &v[2],
               &v[3], &v[4], &v[5], &v[6], &v[7]) < 8)
        return -1;
    for (uint32_t i = 0; i < h->cores_count; i++)
        if (h->cores[i] == core)
            return (double)(v[0] + v[1] + v[2] + v[5] + v[6] + v[7]);
    return -1;
}

struct cal_cpu_look cal_cpu_look(const struct cal_cpu_host *h, const char *root)
{
    char name[512], line[512];
    struct cal_cpu_look look = {.at_s = seconds(CLOCK_MONOTONIC),
                                .own_s = seconds(CLOCK_PROCESS_CPUTIME_ID)};
    double ticks = 0;
    snprintf(name, sizeof name, "%s/proc/stat", root);
    FILE *in = fopen(name, "r");
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        double of_core = busy_ticks(line, h);
        ticks += of_core > 0 ? of_core : 0;
    }
    if (in != NULL)
        fclose(in);
    look.busy_s = ticks / (double)sysconf(_SC_CLK_TCK);
    return look;
}

double cal_cpu_others(const struct cal_cpu_look *from, const struct cal_cpu_look *to)
{
    double others = (to->busy_s - from->busy_s) - (to->own_s - from->own_s);
    double elapsed = to->at_s - from->at_s;
    return others > 0 && elapsed > 0 ? others / elapsed : 0;
}
