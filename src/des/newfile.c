/* newfile.c - see newfile.h. */
#include "des/newfile.h"

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
static int write_all(int fd, const void *bytes, size_t size)
{
    const char *text = bytes;
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
static int save(struct newfile *file, const char *path, const void *bytes, size_t size,
                struct dcs_err *err)
{
    size_t room = strlen(path) + 40;
    file->path = path;
    file->partial = dcs_alloc(room, 1);
    snprintf(file->partial, room, "%s.partial-%ld", path, (long)getpid());
    int fd = open(file->partial, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    int cause = fd < 0 ? errno : write_all(fd, bytes, size);
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

int newfile_may_replace(const char *path, const char *begins, const char *kind, struct dcs_err *err)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return 0;
    FILE *in = S_ISREG(st.st_mode) ? fopen(path, "rbe") : NULL;
    bool ours = in != NULL;
    for (const char *c = begins; ours && *c != '\0'; c++)
        ours = getc(in) == (unsigned char)*c;
    if (in != NULL)
        fclose(in);
    return ours ? 0
                : dcs_err_at(err, path, 0, NULL,
                             "exists and is no %s of dcsim: choose another name for the %s", kind,
                             kind);
}

int newfile_write(struct newfile *file, const char *path, const void *bytes, size_t size,
                  struct dcs_err *err)
{
    return newfile_may_write(path, err) == 0 ? save(file, path, bytes, size, err) : -1;
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

int newfile_create(const char *path, const void *bytes, size_t size, struct dcs_err *err)
{
    struct newfile file = {0};
    int status = newfile_write(&file, path, bytes, size, err);
    if (status == 0)
        status = newfile_name(&file, 1, err);
    newfile_discard(&file, 1);
    return status;
}

int newfile_replace(const char *path, const void *bytes, size_t size, struct dcs_err *err)
{
    struct newfile file = {0};
    if (save(&file, path, bytes, size, err) != 0)
        return -1;
    if (rename(file.partial, path) != 0) {
        dcs_err_at(err, path, 0, NULL, "cannot write: %s", strerror(errno));
        newfile_discard(&file, 1);
        return -1;
    }
    free(file.partial);
    return 0;
}
