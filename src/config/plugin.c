/* plugin.c - see plugin.h. */
#include "config/plugin.h"

#include "options/options.h"

#include <dlfcn.h>
#include <sha256.h>
#include <stdlib.h>
#include <string.h>

static int check(const struct policy *p, const char *path, struct dcs_err *err)
{
    if (p->abi != POLICY_ABI || p->size != sizeof *p)
        return dcs_err_at(err, path, 0, NULL,
                          "built for version %u of the policy contract (size %u); this program has "
                          "version %u (size %zu): build it again with this version's policy.h",
                          p->abi, p->size, POLICY_ABI, sizeof *p);
    if (p->name == NULL || p->name[0] == '\0' || p->summary == NULL || p->source == NULL)
        return dcs_err_at(err, path, 0, NULL, "the policy lacks a name, a summary or a source");
    if (p->on_ready == NULL || p->on_complete == NULL)
        return dcs_err_at(err, path, 0, NULL, "the policy lacks on_ready or on_complete");
    if (p->state_size > (1u << 30) || p->params_size > (1u << 20))
        return dcs_err_at(err, path, 0, NULL, "state_size or params_size is absurdly large");
    struct dcs_err cause = {0};
    if (p->params != NULL && options_check_table(p->params, p->params_size, false, &cause) != 0)
        return dcs_err_at(err, path, 0, NULL, "its option table is wrong: %s", cause.text);
    return 0;
}

int plugin_open(struct plugin *p, const char *path, struct dcs_err *err)
{
    *p = (struct plugin){0};
    /* Without a slash dlopen would search the system's library folders. */
    char *file = realpath(path, NULL);
    if (file == NULL)
        return dcs_err_at(err, path, 0, NULL, "no such file");
    p->handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (p->handle == NULL) {
        const char *why = dlerror();
        dcs_err_at(err, path, 0, NULL, "cannot be loaded as a policy: %s", why ? why : "?");
        free(file);
        return -1;
    }
    p->policy = dlsym(p->handle, "dcsim_policy");
    if (p->policy == NULL)
        dcs_err_at(err, path, 0, NULL,
                   "exports no symbol \"dcsim_policy\" (see docs/write-a-policy.md)");
    if (p->policy == NULL || check(p->policy, path, err) != 0) {
        free(file);
        plugin_close(p);
        return -1;
    }
    if (SHA256File(file, p->sha256) == NULL)
        p->sha256[0] = '\0';
    free(file);
    return 0;
}

void plugin_close(struct plugin *p)
{
    if (p->handle != NULL)
        dlclose(p->handle);
    *p = (struct plugin){0};
}
