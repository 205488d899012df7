/*
 * switch_board.c - see switch_board.h.
 */
#include "calibrate/worker/switch_board.h"
#include "calibrate/worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* At most: a wake that is lost costs one sample, no more. */
#define SLEEP_NS (100 * DCS_NS_PER_MS)

int cal_board_make(char name[CAL_BOARD_NAME], struct dcs_err *err)
{
    snprintf(name, CAL_BOARD_NAME, "/dcsim-calibrate-%d", (int)getpid());
    shm_unlink(name);
    int file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file >= 0 && ftruncate(file, sizeof(struct cal_board)) == 0) {
        close(file);
        return 0;
    }
    dcs_err_set(err, "cannot make memory %s that two processes share: %s", name, strerror(errno));
    if (file >= 0) {
        close(file);
        shm_unlink(name);
    }
    return -1;
}

void cal_board_remove(const char *name)
{
    shm_unlink(name);
}

struct cal_board *cal_board_open(const char *name, struct dcs_err *err)
{
    struct cal_board *b = MAP_FAILED;
    int file = shm_open(name, O_RDWR, 0);
    if (file >= 0)
        b = mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (b == MAP_FAILED)
        dcs_err_set(err, "cannot open the memory %s that two processes share: %s", name,
                    strerror(errno));
    if (file >= 0)
        close(file);
    return b != MAP_FAILED ? b : NULL;
}

void cal_board_close(struct cal_board *b)
{
    munmap(b, sizeof *b);
}

static void wake(_Atomic uint32_t *number)
{
    syscall(SYS_futex, number, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void cal_board_tell(_Atomic uint32_t *number, uint32_t value, bool wakes)
{
    atomic_store_explicit(number, value, memory_order_release);
    if (wakes)
        wake(number);
}

void cal_board_give_up(struct cal_board *b)
{
    atomic_store(&b->failed, true);
    wake(&b->turn);
    wake(&b->done);
}

int cal_board_await(const struct cal_board *b, _Atomic uint32_t *number, uint32_t wanted,
                    const struct cal_board_wait *wait, const char *what, struct dcs_err *err)
{
    const struct timespec a_while = {.tv_nsec = SLEEP_NS};
    int64_t began = cal_now_ns();
    for (uint32_t seen; (seen = atomic_load_explicit(number, memory_order_acquire)) < wanted;) {
        if (atomic_load(&b->failed))
            return dcs_err_set(err, "the other process gave up while this one waited for %s (%u)",
                               what, wanted);
        if (wait->halted != NULL && wait->halted(wait->context))
            return dcs_err_set(err, "halted while it waited for %s (%u)", what, wanted);
        if ((double)(cal_now_ns() - began) > wait->limit_s * 1e9)
            return dcs_err_set(err, "no %s (%u) after %.1f s", what, wanted, wait->limit_s);
        /* Returns at once if the number has changed meanwhile. */
        if (wait->sleeps)
            syscall(SYS_futex, number, FUTEX_WAIT, seen, &a_while, NULL, 0);
    }
    return 0;
}
