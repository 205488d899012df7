/* drive_command.c - the command `drive`: which device it serves. */
#include "calibrate/drive/drive_serve.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WATCH_NS 50000000 /* between two looks at the parent */

/* Ends this process when its parent has gone, however that went, and whatever this one is at. */
static void *watch_parent(void *context)
{
    const struct drive_link *l = context;
    while (getppid() == (pid_t)l->parent)
        nanosleep(&(struct timespec){.tv_nsec = WATCH_NS}, NULL);
    _exit(DCS_EXIT_USER);
}

int cal_drive_main(void)
{
    struct dcs_err err = {0};
    struct drive_link *l = cal_drive_link(&err);
    if (l == NULL) {
        dcs_err_print(&err, stderr);
        return DCS_EXIT_USER;
    }
    if (getppid() !=
        (pid_t)l->parent) /* before the first look of the thread, which may come late */
        return DCS_EXIT_USER;
    const struct cal_drive_device played = cal_drive_play();
    pthread_t watch;
    int failed;
    if (pthread_create(&watch, NULL, watch_parent, l) != 0) {
        dcs_err_set(&err, "no thread could be started");
        cal_drive_fail(l, &err);
        return DCS_EXIT_USER;
    }
    const char *plays = getenv("DCSIM_DRIVE_PLAY");
    if (l->clients || l->kills) {
        bool server = l->clients && (plays == NULL || strcmp(plays, "mps") == 0);
        failed = cal_drive_clients(l, server, &err);
    } else if (plays != NULL) {
        snprintf(l->found, sizeof l->found, "%s", "played by a clock");
        failed = cal_drive_check(l, &played, &err) != 0 || cal_drive_serve(l, &played, &err) != 0;
    } else {
        failed = cal_drive_gpu(l, &err);
    }
    if (failed)
        cal_drive_fail(l, &err);
    return failed ? DCS_EXIT_USER : DCS_EXIT_OK;
}
