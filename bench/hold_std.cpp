/*
 * hold_std.cpp - the hold model of hold.c on the C++ standard library's containers, as a yardstick
 * that every machine has: std::priority_queue (binary heap, no cancel) and std::set (red-black
 * tree, can cancel). Built and run by peers.sh; not part of the project's build.
 */
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <queue>
#include <random>
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

static std::vector<int64_t> increments(1 << 15);

template <class Take, class Add> static double million_per_s(size_t pending, Take take, Add add)
{
    uint64_t order = 0;
    size_t at = 0;
    for (size_t i = 0; i < pending; i++)
        add(event{increments[at++ % increments.size()], order++, 0, i});
    using clock = std::chrono::steady_clock;
    auto began = clock::now();
    uint64_t done = 0;
    double seconds = 0;
    do {
        for (int i = 0; i < 100000; i++) {
            event e = take();
            e.time += increments[at++ % increments.size()];
            e.order = order++;
            add(e);
        }
        done += 100000;
        seconds = std::chrono::duration<double>(clock::now() - began).count();
    } while (seconds < 1);
    return (double)done / seconds / 1e6;
}

int main()
{
    std::mt19937_64 random(1);
    for (auto &i : increments)
        i = (int64_t)(-1e6 * std::log(1 - std::generate_canonical<double, 53>(random)));
    for (size_t pending : {100, 1000, 10000, 100000}) {
        std::priority_queue<event, std::vector<event>, std::greater<event>> heap;
        double h = million_per_s(
            pending,
            [&] {
                event e = heap.top();
                heap.pop();
                return e;
            },
            [&](const event &e) { heap.push(e); });
        std::set<event> tree;
        double t = million_per_s(
            pending,
            [&] {
                event e = *tree.begin();
                tree.erase(tree.begin());
                return e;
            },
            [&](const event &e) { tree.insert(e); });
        std::printf("priority_queue %7zu %8.2f\nset %7zu %8.2f\n", pending, h, pending, t);
    }
}
