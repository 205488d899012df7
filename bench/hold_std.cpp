/*
 * hold_std.cpp - the hold model of hold.c on the C++ standard library's containers, as a yardstick
 * that every machine has: std::priority_queue (binary heap, no cancel) and std::set (red-black
 * tree, can cancel). With -DHOLD_NS3 on the two faster schedulers of ns-3, too, whose events are
 * called as ns-3 calls them. Built and run by peers.sh; not part of the project's build.
 *
 *   hold_std [SECONDS PER LINE [DISTRIBUTION [PENDING]]]
 */
#include "hold_model.h"

#include <queue>
#include <set>
#include <vector>
#ifdef HOLD_NS3
#include <ns3/core-module.h>
#endif

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

#ifdef HOLD_NS3
struct happens : ns3::EventImpl {
    uint64_t about;
    void Notify() override
    {
        last = about;
    }
    static uint64_t last;
};
uint64_t happens::last;

template <class Scheduler> struct ns3_list {
    ns3::Ptr<ns3::Scheduler> events = ns3::CreateObject<Scheduler>();
    void add(const event &e)
    {
        happens *impl = new happens;
        impl->about = e.about;
        events->Insert({impl, {(uint64_t)e.time, (uint32_t)e.order, e.kind}});
    }
    event next()
    {
        ns3::Scheduler::Event e = events->RemoveNext();
        e.impl->Invoke();
        e.impl->Unref();
        return {(int64_t)e.key.m_ts, 0, e.key.m_context, happens::last};
    }
};
#endif

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
#ifdef HOLD_NS3
                measure<ns3_list<ns3::PriorityQueueScheduler>>("ns3_queue", d, hold_pendings[i],
                                                               choice.seconds);
                measure<ns3_list<ns3::HeapScheduler>>("ns3_heap", d, hold_pendings[i],
                                                      choice.seconds);
#endif
            }
}
