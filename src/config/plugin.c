/* plugin.c - see plugin.h. */
#include "config/plugin.h"

#include "des/digest.h"

#include "options/options.h"
#include "policies/policies.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_policy(const struct policy *p, const char *path, struct dcs_err *err)
{
    char why[POLICIES_WHY_BYTES];
    if (!policies_callable(p, why))
        return dcs_err_at(err, path, 0, NULL, "the policy %s", why);
    if (p->name == NULL || p->name[0] == '\0' || p->summary == NULL || p->source == NULL)
        return dcs_err_at(err, path, 0, NULL, "the policy lacks a name, a summary or a source");
    if (policies_find(p->name) != NULL)
        return dcs_err_at(err, path, 0, NULL,
                          "the policy is called \"%.64s\", as one that is built in: give it "
                          "another name",
                          p->name);
    if (p->state_size > (1u << 30) || p->params_size > (1u << 20))
        return dcs_err_at(err, path, 0, NULL, "state_size or params_size is absurdly large");
    struct dcs_err cause = {0};
    if (p->params != NULL && options_check_table(p->params, p->params_size, false, &cause) != 0)
        return dcs_err_at(err, path, 0, NULL, "its option table is wrong: %s", cause.text);
    return 0;
}

/* Copies what is left of a file, and hashes it. */
static bool copy_all(int from, int to, char sha256[65])
{
    char block[1 << 16];
    ssize_t n;
    struct sha256_ctx sha;
    sha256_init(&sha);
    while ((n = read(from, block, sizeof block)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        sha256_update(&sha, (size_t)n, (const uint8_t *)block);
        ssize_t done = 0, written = 0;
        while (done < n && ((written = write(to, block + done, (size_t)(n - done))) > 0 ||
                            (written < 0 && errno == EINTR)))
            done += written > 0 ? written : 0;
        if (done < n)
            return false;
    }
    dcs_sha256_end(&sha, sha256);
    return true;
}

/* A private copy of the file that nobody can write any more, as a descriptor: the bytes that are
 * hashed are those that are loaded, and stay in place, whoever writes or removes the file meanwhile
 * (the plug-in's own constructors, or a compiler during a long sweep). -1 and err on failure. */
static int copy_file(const char *path, char sha256[65], struct dcs_err *err)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return dcs_err_at(err, path, 0, NULL, "%s",
                          errno == ENOENT ? "no such file" : strerror(errno));
    if (!S_ISREG(st.st_mode))
        return dcs_err_at(err, path, 0, NULL, "is no file: expected a shared object");
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int copy = memfd_create("dcsim policy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (from < 0 || copy < 0 || !copy_all(from, copy, sha256) ||
        fcntl(copy, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
        dcs_err_at(err, path, 0, NULL, "cannot be copied into memory to be loaded: %s",
                   strerror(errno));
        if (copy >= 0)
            close(copy);
        copy = -1;
    }
    if (from >= 0)
        close(from);
    return copy;
}

int plugin_open(struct plugin *p, const char *path, struct dcs_err *err)
{
    *p = (struct plugin){.path = path};
    int copy = copy_file(path, p->sha256, err);
    if (copy < 0)
        return -1;
    /* Not /proc/self: a debugger reads the name, too. The descriptor stays open with the handle,
     * since the loader takes two files of one name for the same. */
    char name[64];
    size_t length = (size_t)snprintf(name, sizeof name, "/proc/%ld/fd/%d", (long)getpid(), copy);
    p->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (p->handle == NULL) {
        const char *why = dlerror();
        if (why != NULL && strncmp(why, name, length) == 0)
            why += length + strspn(why + length, ": ");
        close(copy);
        return dcs_err_at(err, path, 0, NULL,
                          "cannot be loaded as a policy: %s; a policy is a compiled shared object "
                          "(see docs/write-a-policy.md)",
                          why ? why : "?");
    }
    p->copy = copy;
    p->policy = dlsym(p->handle, "dcsim_policy");
    if (p->policy == NULL)
        dcs_err_at(err, path, 0, NULL,
                   "exports no symbol \"dcsim_policy\" (see docs/write-a-policy.md)");
    if (p->policy == NULL || check_policy(p->policy, path, err) != 0) {
        plugin_close(p);
        return -1;
    }
    return 0;
}

void plugin_close(struct plugin *p)
{
    if (p->handle != NULL) {
        dlclose(p->handle);
        close(p->copy);
    }
    *p = (struct plugin){0};
}

int plugins_add(struct plugins *p, const char *path, struct dcs_err *err)
{
    struct plugin one;
    if (plugin_open(&one, path, err) != 0)
        return -1;
    DCS_ASSERT(one.policy != NULL);
    const struct plugin *same = plugins_find(p, one.policy->name);
    if (same != NULL) {
        dcs_err_at(err, path, 0, NULL,
                   "the policy is called \"%.64s\", as that of %.200s: give it "
                   "another name",
                   one.policy->name, same->path);
        plugin_close(&one);
        return -1;
    }
    p->items = dcs_grow(p->items, &p->capacity, p->count + 1, sizeof *p->items);
    p->items[p->count++] = one;
    return 0;
}

void plugins_close(struct plugins *p)
{
    for (size_t i = 0; i < p->count; i++)
        plugin_close(&p->items[i]);
    free(p->items);
    *p = (struct plugins){0};
}

struct plugin *plugins_find(const struct plugins *p, const char *name)
{
    for (size_t i = 0; p != NULL && i < p->count; i++)
        if (strcmp(p->items[i].policy->name, name) == 0)
            return &p->items[i];
    return NULL;
}

void plugins_tell(const struct plugins *p, const struct options_doc *doc)
{
    for (size_t i = 0; p != NULL && i < p->count; i++) {
        struct plugin *one = &p->items[i];
        struct dcs_err note = {0};
        if (!atomic_load(&one->used))
            dcs_err_at(&note, one->path, 0, NULL,
                       "its policy \"%.64s\" is not used: policy.name "
                       "chooses another",
                       one->policy->name);
        else if (atomic_load(&one->instead))
            options_error(doc, "policy.name", &note,
                          "the policy \"%.64s\" of %.200s takes the place of \"%.64s\"; --set "
                          "policy.name=%.64s keeps that",
                          one->policy->name, one->path, options_string(doc, "policy.name"),
                          options_string(doc, "policy.name"));
        if (note.text[0] != '\0')
            dcs_err_print(&note, stderr);
    }
}
