/* newfile.c - see newfile.h. */
#include "newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse_existing(const char *path, struct dcs_err *err)
{
    return dcs_err_at(err, path, 0, NULL, "exists already; remove it or name another file");
}

/* 0, or the errno of the call that failed. */
static int write_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t done = write(fd, text, size);
        if (done < 0 && errno != EINTR)
            return errno;
        if (done > 0) {
            text += done;
            size -= (size_t)done;
        }
    }
    return fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
}

/* The name must be free, and ours. */
static int save(struct newfile *file, const char *text, size_t size, struct dcs_err *err)
{
    int fd = open(file->partial, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    int cause = fd < 0 ? errno : write_all(fd, text, size);
    if (fd >= 0 && close(fd) != 0 && cause == 0)
        cause = errno;
    if (cause == 0)
        return 0;
    if (fd >= 0)
        unlink(file->partial);
    free(file->partial);
    file->partial = NULL;
    return dcs_err_at(err, file->path, 0, NULL, "cannot write: %s", strerror(cause));
}

int newfile_may_write(const char *path, struct dcs_err *err)
{
    struct stat st;
    return lstat(path, &st) == 0 ? refuse_existing(path, err) : 0;
}

int newfile_write(struct newfile *file, const char *path, const char *text, size_t size,
                  struct dcs_err *err)
{
    if (newfile_may_write(path, err) != 0)
        return -1;
    size_t bytes = strlen(path) + 40;
    file->path = path;
    file->partial = dcs_alloc(bytes, 1);
    snprintf(file->partial, bytes, "%s.partial-%ld", path, (long)getpid());
    return save(file, text, size, err);
}

/* Who made a file of that name meanwhile keeps it, where the file system can promise that. */
static int take_name(struct newfile *file, struct dcs_err *err)
{
    int status = renameat2(AT_FDCWD, file->partial, AT_FDCWD, file->path, RENAME_NOREPLACE);
    if (status != 0 && (errno == EINVAL || errno == ENOSYS))
        status = rename(file->partial, file->path);
    if (status != 0)
        return errno == EEXIST
                   ? refuse_existing(file->path, err)
                   : dcs_err_at(err, file->path, 0, NULL, "cannot name it: %s", strerror(errno));
    free(file->partial);
    file->partial = NULL;
    return 0;
}

int newfile_name(struct newfile *files, size_t count, struct dcs_err *err)
{
    for (size_t i = 0; i < count; i++) {
        if (files[i].partial == NULL || take_name(&files[i], err) == 0)
            continue;
        while (i-- > 0)
            if (files[i].path != NULL)
                unlink(files[i].path);
        return -1;
    }
    return 0;
}

void newfile_discard(struct newfile *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (files[i].partial == NULL)
            continue;
        unlink(files[i].partial);
        free(files[i].partial);
        files[i].partial = NULL;
    }
}
