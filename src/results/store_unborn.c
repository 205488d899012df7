/* store_unborn.c - see store_unborn.h. */
#include "results/store_unborn.h"

#include "des/base.h"

#include <stdlib.h>
#include <string.h>

_Atomic(char *) store_unborn_names;

void store_unborn_set(const char *file)
{
    char *names = NULL;
    if (file != NULL) {
        size_t length = strlen(file) + 1;
        names = dcs_alloc(2 * length + sizeof "-journal", 1);
        memcpy(names, file, length);
        memcpy(names + length, file, length - 1);
        memcpy(names + 2 * length - 1, "-journal", sizeof "-journal");
    }
    free(atomic_exchange(&store_unborn_names, names));
}
