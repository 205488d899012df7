/*
 * profile_load.c - profiles as files: loading one, finding one by its name, building a database
 * from SQL text. See profile.h. What a file may contain is in profile_open.c, what the tables may
 * contain in profile_read.c.
 */
#include "models/profile/profile.h"

#include "des/newfile.h"
#include "models/profile/profile_open.h"
#include "models/profile/profile_split.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_BYTES_MAX 64

struct dcs_profile *dcs_profile_load(const char *path, struct dcs_err *err)
{
    struct dcs_profile_source source;
    if (dcs_profile_open(&source, path, err) != 0)
        return NULL;
    struct dcs_profile *p = dcs_profile_read(&source, path, err);
    dcs_profile_close(&source);
    return p;
}

/* ---- finding ---- */

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static char *join(const char *dir, const char *name, const char *suffix)
{
    size_t bytes = strlen(dir) + strlen(name) + strlen(suffix) + 2;
    char *path = dcs_alloc(bytes, 1);
    snprintf(path, bytes, "%s/%s%s", dir, name, suffix);
    return path;
}

/* Levenshtein's distance, one row of the table at a time. Both at most NAME_BYTES_MAX long. */
static size_t distance(const char *a, const char *b)
{
    size_t row[NAME_BYTES_MAX + 1], width = strlen(b);
    for (size_t j = 0; j <= width; j++)
        row[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            size_t cost = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            if (row[j] + 1 < cost)
                cost = row[j] + 1;
            if (diagonal + 1 < cost)
                cost = diagonal + 1;
            row[j + 1] = cost;
        }
    }
    return row[width];
}

/* What is there, by name, because directories list their files in no order. */
struct names {
    char (*at)[NAME_BYTES_MAX + 1];
    size_t count, capacity;
};

/* Takes the file's name if it is called like a profile. */
static void take_file(struct names *names, const char *file)
{
    size_t length = strlen(file), suffix = 0;
    if (length > 3 && strcmp(file + length - 3, ".db") == 0)
        suffix = 3;
    else if (length > 4 && strcmp(file + length - 4, ".sql") == 0)
        suffix = 4;
    else if (length > 7 && strcmp(file + length - 7, ".sql.gz") == 0)
        suffix = 7;
    if (suffix == 0 || length == suffix || length - suffix > NAME_BYTES_MAX)
        return;
    char name[NAME_BYTES_MAX + 1] = "";
    memcpy(name, file, length - suffix);
    size_t place = 0;
    while (place < names->count && strcmp(names->at[place], name) < 0)
        place++;
    if (place < names->count && strcmp(names->at[place], name) == 0)
        return;
    names->at = dcs_grow(names->at, &names->capacity, names->count + 1, sizeof *names->at);
    memmove(names->at + place + 1, names->at + place, (names->count++ - place) * sizeof *names->at);
    memcpy(names->at[place], name, sizeof name);
}

static void take_folder(struct names *names, const char *dir)
{
    DIR *stream = opendir(dir);
    if (stream == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;)
        take_file(names, entry->d_name);
    closedir(stream);
}

/* Of the names that have the word (3 letters or more) in them, or else of all, the nearest; of
 * equals the first. */
static const char *nearest(const struct names *names, const char *wanted)
{
    const char *best = NULL;
    size_t least = SIZE_MAX;
    bool inside = false;
    for (size_t i = 0; i < names->count && strlen(wanted) <= NAME_BYTES_MAX; i++) {
        bool has = strlen(wanted) >= 3 && strcasestr(names->at[i], wanted) != NULL;
        size_t far = distance(names->at[i], wanted);
        if ((inside && !has) || (inside == has && far >= least))
            continue;
        inside = has;
        least = far;
        best = names->at[i];
    }
    return best;
}

#define LISTED 12 /* one line */

static void report_missing(const char *name, const char *const *dirs, struct dcs_err *err)
{
    struct names names = {0};
    char looked[400] = "", all[200] = "";
    for (; *dirs != NULL; dirs++) {
        size_t used = strlen(looked);
        snprintf(looked + used, sizeof looked - used, "%s%s", used > 0 ? ", " : "", *dirs);
        take_folder(&names, *dirs);
    }
    for (size_t i = 0; i < names.count && i <= LISTED; i++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "",
                 i < LISTED ? names.at[i] : "...");
    }
    const char *near = nearest(&names, name);
    dcs_err_set(err, "no profile \"%.64s\" (.db, .sql or .sql.gz) in %s%s%.64s%s%s", name,
                looked[0] != '\0' ? looked : "any folder: none is given",
                near != NULL ? "; the nearest there is \"" : "", near != NULL ? near : "",
                near != NULL     ? "\", of "
                : all[0] != '\0' ? "; there are "
                                 : "",
                all);
    free(names.at);
}

char *dcs_profile_find(const char *name, const char *const *dirs, struct dcs_err *err)
{
    if (name[0] == '\0') {
        dcs_err_set(err, "the name of the profile is empty");
        return NULL;
    }
    if (strchr(name, '/') != NULL || is_file(name))
        return dcs_strdup(name);
    static const char *const suffixes[] = {".db", ".sql", ".sql.gz"};
    for (const char *const *dir = dirs; *dir != NULL; dir++) {
        for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
            char *path = join(*dir, name, suffixes[i]);
            if (is_file(path))
                return path;
            free(path);
        }
    }
    report_missing(name, dirs, err);
    return NULL;
}

char *dcs_profile_list(const char *const *dirs)
{
    struct names names = {0};
    for (; *dirs != NULL; dirs++)
        take_folder(&names, *dirs);
    char *out = dcs_alloc(names.count * (NAME_BYTES_MAX + 1) + 1, 1), *end = out;
    for (size_t i = 0; i < names.count; i++)
        end = mempcpy(mempcpy(end, names.at[i], strlen(names.at[i])), "\n", 1);
    *end = '\0';
    free(names.at);
    return out;
}

/* ---- building ---- */

static int write_database(struct dcs_profile_source *s, const char *out, struct dcs_err *err)
{
    sqlite3_int64 size = 0;
    sqlite3_set_authorizer(s->db, NULL, NULL); /* serializing asks for the number of pages */
    unsigned char *bytes = sqlite3_serialize(s->db, "main", &size, 0);
    if (bytes == NULL)
        return dcs_err_at(err, out, 0, NULL, "cannot make the database: %s", sqlite3_errmsg(s->db));
    int status = size <= DCS_PROFILE_BYTES_MAX
                     ? newfile_create(out, bytes, (size_t)size, err)
                     : dcs_err_at(err, out, 0, NULL,
                                  "the database would have %lld bytes, a profile has at most %lld; "
                                  "use the text",
                                  (long long)size, DCS_PROFILE_BYTES_MAX);
    sqlite3_free(bytes);
    return status;
}

int dcs_profile_build(const char *sql_path, const char *out, struct dcs_err *err)
{
    struct dcs_profile_source source;
    if (dcs_profile_open_whole(&source, sql_path, err) != 0)
        return -1;
    int status = -1;
    if (!source.is_sql) {
        dcs_err_at(err, sql_path, 0, NULL, "is a database already, expected SQL text");
    } else {
        struct dcs_profile *p = dcs_profile_read(&source, sql_path, err);
        if (p != NULL)
            status = write_database(&source, out, err);
        dcs_profile_free(p);
    }
    dcs_profile_close(&source);
    return status;
}
