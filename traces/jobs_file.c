/* jobs_file.c - see jobs_file.h. */
#include "traces/jobs_file.h"

#include "des/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADER_BYTES 100 /* sqlite.org/fileformat2.html, section 1.3 */

static const char *why_not(const struct stat *st)
{
    if (S_ISDIR(st->st_mode))
        return "is a directory, expected a database of jobs";
    if (!S_ISREG(st->st_mode))
        return "is not a regular file, expected a database of jobs";
    return st->st_size == 0 ? "is empty, expected a database of jobs" : NULL;
}

/* What SQLite reports late, or in words that do not help. */
static int check_header(const char *path, const unsigned char *header, size_t size,
                        struct dcs_err *err)
{
    enum { WRITE_VERSION = 18 };
    if (size < HEADER_BYTES || memcmp(header, "SQLite format 3", 16) != 0)
        return dcs_err_at(err, path, 0, NULL,
                          "is not a database of jobs; dcsim trace import makes one of a trace");
    if (header[WRITE_VERSION] == 2)
        return dcs_err_at(err, path, 0, NULL,
                          "is in write-ahead mode; run PRAGMA journal_mode=DELETE on it first");
    char journal[4096 + 16];
    struct stat st;
    int length = snprintf(journal, sizeof journal, "%s-journal", path);
    if (length < (int)sizeof journal && stat(journal, &st) == 0 && st.st_size > 0)
        return dcs_err_at(err, path, 0, NULL,
                          "was not written to its end: a journal lies beside it");
    return 0;
}

static int hash_descriptor(const char *path, int fd, struct stat *file, char *sha256,
                           struct dcs_err *err)
{
    const char *why = fstat(fd, file) != 0 ? strerror(errno) : why_not(file);
    if (why != NULL)
        return dcs_err_at(err, path, 0, NULL, "%s", why);
    enum { BLOCK = 1 << 16 };
    unsigned char *block = dcs_alloc(BLOCK, 1);
    struct sha256_ctx sha;
    sha256_init(&sha);
    int status = 0;
    int64_t total = 0;
    while (status == 0) {
        ssize_t got = read(fd, block, BLOCK);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            status = dcs_err_at(err, path, 0, NULL, "cannot read: %s", strerror(errno));
        else if (total == 0)
            status = check_header(path, block, (size_t)got, err);
        if (got <= 0)
            break;
        sha256_update(&sha, (size_t)got, block);
        total += got;
    }
    dcs_sha256_end(&sha, sha256);
    free(block);
    return status;
}

int trace_jobs_hash(const char *path, struct stat *file, char sha256[65], struct dcs_err *err)
{
    /* Non-blocking, or a named pipe would hang here before it can be refused. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return dcs_err_at(err, path, 0, NULL, "cannot open the database of jobs: %s",
                          strerror(errno));
    int status = hash_descriptor(path, fd, file, sha256, err);
    close(fd);
    return status;
}

int trace_jobs_check_unchanged(const char *path, const struct stat *file, struct dcs_err *err)
{
    struct stat st;
    if (stat(path, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino &&
        st.st_size == file->st_size && st.st_mtim.tv_sec == file->st_mtim.tv_sec &&
        st.st_mtim.tv_nsec == file->st_mtim.tv_nsec)
        return 0;
    return dcs_err_at(err, path, 0, NULL, "was changed while it was read; run this again");
}
