/* tempfile.c - see tempfile.h. */
#include "des/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char *folder_of_files(void)
{
    const char *named = getenv("TMPDIR");
    if (named != NULL && named[0] != '\0')
        return named;
    return access("/var/tmp", W_OK | X_OK) == 0 ? "/var/tmp" : "/tmp";
}

static int file_failed(const char *doing, const char *purpose, int cause, struct dcs_err *err)
{
    return dcs_err_at(err, folder_of_files(), 0, NULL,
                      "cannot %s a temporary file %s: %s (TMPDIR names another folder)", doing,
                      purpose, strerror(cause));
}

/* O_TMPFILE is not for every file system. */
static int open_once(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || errno == EMFILE)
        return fd;
    size_t bytes = strlen(folder) + sizeof "/dcsim-XXXXXX";
    char *name = dcs_alloc(bytes, 1);
    snprintf(name, bytes, "%s/dcsim-XXXXXX", folder);
    fd = mkostemp(name, O_CLOEXEC);
    int cause = errno;
    if (fd >= 0)
        unlink(name);
    free(name);
    errno = cause;
    return fd;
}

int tempfile_open(const char *purpose, struct dcs_err *err)
{
    int fd = open_once(folder_of_files());
    struct rlimit limit;
    /* Runs of many threads may each have one; a usual limit is 1024, and it is ours to raise. */
    if (fd < 0 && errno == EMFILE && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
            fd = open_once(folder_of_files());
        else
            errno = EMFILE;
    }
    return fd >= 0 ? fd : file_failed("make", purpose, errno, err);
}

int tempfile_append(int fd, const void *bytes, size_t size, const char *purpose,
                    struct dcs_err *err)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return file_failed("write", purpose, n == 0 ? ENOSPC : errno, err);
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

int tempfile_read(int fd, uint64_t at, void *into, size_t size, const char *purpose,
                  struct dcs_err *err)
{
    char *to = into;
    while (size > 0) {
        ssize_t n = pread(fd, to, size, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return file_failed("read", purpose, n == 0 ? EIO : errno, err);
        to += n;
        size -= (size_t)n;
        at += (uint64_t)n;
    }
    return 0;
}
