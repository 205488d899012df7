#!/usr/bin/env python3
"""Prints what two kernels inside each SM leave each other: read_residency.py PROFILE.db

Rates are normalised: of the kernel's blocks, over the most that it reaches alone with any number of
blocks per SM. A point counts with the mean of its two orders of launching, a starved kernel with 0. An
order that failed otherwise is left out.
"""
import itertools
import sqlite3
import sys

QUERY = "SELECT kernel, blocks, beside, beside_blocks, launched, failed, median_ns FROM residency"


def read(path):
    """The times alone by (kernel, blocks), the times beside by the key, the kernels."""
    alone, beside = {}, {}
    for kernel, blocks, other, other_blocks, launched, failed, ns in sqlite3.connect(path).execute(QUERY):
        if failed not in ("no", "starved"):
            continue
        if other == "none":
            alone[kernel, blocks] = ns
        else:
            beside[kernel, blocks, other, other_blocks, launched] = ns if failed == "no" else None
    return alone, beside, sorted({kernel for kernel, _ in alone})


def main():
    alone, beside, kernels = read(sys.argv[1])
    best = {k: min(ns for (kernel, _), ns in alone.items() if kernel == k) for k in kernels}

    def rate(unit_ns, key):
        ns = beside[key]
        return 0.0 if ns is None else unit_ns / ns

    def both(kernel, blocks, other, other_blocks):
        """Normalised rates of the two in either order: kernel first, kernel second."""
        return [(rate(best[kernel], (kernel, blocks, other, other_blocks, order)),
                 rate(best[other], (other, other_blocks, kernel, blocks, 1 - order)))
                for order in (0, 1) if (kernel, blocks, other, other_blocks, order) in beside]

    print("| kernel | blocks that fit | best rate at | one block's rate | last block more |")
    print("| --- | --- | --- | --- | --- |")
    for k in kernels:
        times = {b: ns for (kernel, b), ns in alone.items() if kernel == k}
        most, at = max(times), min(times, key=times.get)
        print(f"| {k} | {most} | {at} | {best[k] / times[1]:.2f} | {times[most - 1] / times[most] - 1:+.1%} |")

    found, every = [], []
    for k, o in itertools.combinations(kernels, 2):
        points = sorted({(key[1], key[3]) for key in beside if key[0] == k and key[2] == o})
        sums = []
        for a, b in points:
            orders = both(k, a, o, b)
            sums.append((sum(x + y for x, y in orders) / len(orders), a, b, orders))
        every += [s[0] for s in sums]
        found.append((max(sums), min(sums), k, o, len(points)))
    found.sort(reverse=True)
    print("\n| pair | points | best sum | at | first | second | worst sum | at |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for top, low, k, o, count in found:
        orders = ["%.2f + %.2f" % pair for pair in top[3]] + [""]
        print(f"| {k} + {o} | {count} | {top[0]:.2f} | {top[1]}, {top[2]} | {orders[0]} | {orders[1]} | "
              f"{low[0]:.2f} | {low[1]}, {low[2]} |")
    above = sum(1 for f in found if f[0][0] > 1.02)
    print(f"\n{sum(f[4] for f in found)} points of {len(found)} pairs; best sum above 1.02 in {above} pairs; "
          f"of all sums {sum(1 for s in every if s > 1)} above 1, {sum(1 for s in every if s < 0.9)} below 0.9")

    print("\nkept of the rate alone with as many blocks, %, mean of all points and orders: row beside column")
    print("| | " + " | ".join(kernels) + " |\n|" + " --- |" * (len(kernels) + 1))
    for k in kernels:
        cells = []
        for o in kernels:
            kept = [rate(alone[k, key[1]], key) for key in beside if key[0] == k and key[2] == o]
            cells.append(f"{100 * sum(kept) / len(kept):.0f}" if kept else "")
        print(f"| {k} | " + " | ".join(cells) + " |")

    ratios = sorted(beside[key[:4] + (1,)] / ns for key, ns in beside.items()
                    if key[4] == 0 and ns is not None and beside.get(key[:4] + (1,)) is not None)
    starved = sum(1 for ns in beside.values() if ns is None)
    print(f"\ntime when launched second over first: median {ratios[len(ratios) // 2]:.2f}, a tenth above "
          f"{ratios[9 * len(ratios) // 10]:.2f}; {starved} of {len(beside)} sides ended no block")


if __name__ == "__main__":
    main()
