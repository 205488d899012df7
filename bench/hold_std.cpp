/*
 * hold_std.cpp - the hold model of hold.c on the C++ standard library's containers, as a yardstick
 * that every machine has: std::priority_queue (binary heap, no cancel) and std::set (red-black
 * tree, can cancel). Built and run by peers.sh; not part of the project's build.
 *
 *   hold_std [SECONDS PER LINE [DISTRIBUTION [PENDING]]]
 */
#include "hold_model.h"

#include <queue>
#include <set>
#include <vector>

struct event {
    int64_t time;
    uint64_t order;
    uint32_t kind;
    uint64_t about;
    bool operator<(const event &o) const
    {
        return time != o.time ? time < o.time : order < o.order;
    }
    bool operator>(const event &o) const
    {
        return o < *this;
    }
};

static uint64_t order;

struct heap {
    std::priority_queue<event, std::vector<event>, std::greater<event>> events;
    void add(const event &e)
    {
        events.push(e);
    }
    event next()
    {
        event e = events.top();
        events.pop();
        return e;
    }
};

struct tree {
    std::set<event> events;
    void add(const event &e)
    {
        events.insert(e);
    }
    event next()
    {
        event e = *events.begin();
        events.erase(events.begin());
        return e;
    }
};

template <class List> static void hold(void *list)
{
    List *l = (List *)list;
    for (int i = 0; i < HOLD_BATCH; i++) {
        event e = l->next();
        e.time += hold_next();
        e.order = order++;
        l->add(e);
    }
}

template <class List>
static void measure(const char *who, size_t distribution, size_t pending, double seconds)
{
    List list;
    hold_draw(distribution);
    for (size_t i = 0; i < pending; i++)
        list.add(event{hold_next(), order++, 0, i});
    printf("%s %s %zu %.2f\n", who, hold_names[distribution], pending,
           hold_million_per_second(hold<List>, &list, pending, seconds));
}

int main(int argc, char **argv)
{
    struct hold_choice choice = hold_choose(argc, argv);
    for (size_t d = 0; d < HOLD_DISTRIBUTIONS; d++)
        for (size_t i = 0; i < HOLD_PENDINGS; i++)
            if (hold_chosen(&choice, d, i)) {
                measure<heap>("priority_queue", d, hold_pendings[i], choice.seconds);
                measure<tree>("set", d, hold_pendings[i], choice.seconds);
            }
}
