/*
 * hold_simgrid.cpp - the hold model of hold.c on the timers of SimGrid. Built and run by peers.sh
 * where SimGrid is installed; not part of the project's build.
 *
 *   hold_simgrid [SECONDS PER LINE [DISTRIBUTION [PENDING]]]
 *
 * SimGrid fires all timers up to its clock. The clock stands at 0 and all timers lie before it, so
 * that each one that fires may set the next. A batch ends with an exception.
 */
#include "hold_model.h"

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Engine.hpp>

using simgrid::kernel::timer::kernel_timers;
using simgrid::kernel::timer::Timer;

#define BEFORE_S 1e6 /* all times of a line are less; a double then tells 0.2 ns apart */

struct batch_is_over {
};
static uint64_t fired, about_last;

static void set_timer(double date, uint64_t about);

static void fire(double date, uint64_t about)
{
    about_last = about;
    set_timer(date + 1e-9 * (double)hold_next(), about);
    if (++fired == HOLD_BATCH)
        throw batch_is_over();
}

static void set_timer(double date, uint64_t about)
{
    Timer::set(date, [date, about]() { fire(date, about); });
}

static void hold(void *)
{
    fired = 0;
    try {
        Timer::execute_all();
    } catch (const batch_is_over &) {
    }
}

int main(int argc, char **argv)
{
    int arguments = 1; /* the engine is to see none of ours */
    simgrid::s4u::Engine engine(&arguments, argv);
    struct hold_choice choice = hold_choose(argc, argv);
    for (size_t d = 0; d < HOLD_DISTRIBUTIONS; d++)
        for (size_t i = 0; i < HOLD_PENDINGS; i++) {
            if (!hold_chosen(&choice, d, i))
                continue;
            kernel_timers().clear();
            hold_draw(d);
            for (size_t k = 0; k < hold_pendings[i]; k++)
                set_timer(1e-9 * (double)hold_next() - BEFORE_S, k);
            printf("simgrid %s %zu %.2f\n", hold_names[d], hold_pendings[i],
                   hold_million_per_second(hold, NULL, hold_pendings[i], choice.seconds));
        }
}
