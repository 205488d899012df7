/*
 * store_unborn.h - a results database that this process has made and that holds nothing yet, since
 * its first transaction is under way: whoever ends the process removes the empty file.
 *
 * It is removed under the lock of that transaction alone. Another process that waits for the lock
 * sees that the file is gone, and begins with a new one (store_begin()).
 */
#ifndef DCS_STORE_UNBORN_H
#define DCS_STORE_UNBORN_H

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* The names of the file and, behind its NUL, of its journal; NULL: there is none. */
extern _Atomic(char *) store_unborn_names;

/* The file, of which a copy is kept; NULL: there is none any more. One at a time. */
void store_unborn_set(const char *file);
/* Removes it with its journal, if there is one. Safe in a signal handler. Returns the names, which
 * the caller frees, unless it is a handler; NULL: there was none. */
static inline char *store_unborn_remove(void)
{
    char *names = atomic_exchange(&store_unborn_names, NULL);
    if (names != NULL) {
        unlink(names);
        unlink(names + strlen(names) + 1);
    }
    return names;
}

#endif
