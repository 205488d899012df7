/* paths.c - see paths.h. */
#include "config/paths.h"

#include "models/profile/profile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *paths_join(const char *folder, const char *file)
{
    if (file[0] == '/' || strcmp(folder, ".") == 0)
        return dcs_strdup(file);
    size_t size = strlen(folder) + strlen(file) + 2;
    char *path = dcs_alloc(size, 1);
    snprintf(path, size, "%s/%s", folder, file);
    return path;
}

/* The folders of profiles, NULL-ended. */
static void fill_folders(const char *dirs[4])
{
    size_t n = 0;
    const char *own = getenv("DCSIM_PROFILES");
    if (own != NULL && own[0] != '\0')
        dirs[n++] = own;
    /* Empty where a package is built. */
    if (DCS_SOURCE_DIR[0] != '\0' && access(DCS_SOURCE_DIR "/calibrate/profiles", F_OK) == 0)
        dirs[n++] = DCS_SOURCE_DIR "/calibrate/profiles";
    dirs[n++] = DCS_DATA_DIR "/profiles";
    dirs[n] = NULL;
}

char *paths_profile(const char *name, const char *folder, struct dcs_err *err)
{
    const char *dirs[4];
    char *beside = paths_join(folder, name);
    if (access(beside, F_OK) == 0)
        return beside;
    free(beside);
    fill_folders(dirs);
    return dcs_profile_find(name, dirs, err);
}

char *paths_list_profiles(void)
{
    const char *dirs[4];
    fill_folders(dirs);
    return dcs_profile_list(dirs);
}

char *paths_predictors(const char *file, const char *name, const char *folder)
{
    static const char *const suffixes[] = {".db", ".sql.gz", ".sql"};
    char *beside = paths_join(folder, name);
    bool by_path =
        strchr(name, '/') != NULL || strcmp(file, name) == 0 || strcmp(file, beside) == 0;
    free(beside);
    const char *slash = strrchr(file, '/');
    const char *from = by_path || slash == NULL ? file : slash + 1;
    size_t length = strlen(from);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t suffix = strlen(suffixes[i]);
        if (length > suffix && strcmp(from + length - suffix, suffixes[i]) == 0) {
            length -= suffix;
            break;
        }
    }
    size_t size = length + sizeof ".predictors.db";
    char *path = dcs_alloc(size, 1);
    snprintf(path, size, "%.*s.predictors.db", (int)length, from);
    return path;
}
