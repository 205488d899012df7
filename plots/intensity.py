#!/usr/bin/python3
"""Operations, bytes and arithmetic intensity of the kernels of a profile, as a table in Markdown.

    plots/intensity.py PROFILE.db [KERNELS]     KERNELS of each application, by time; default: 2

By hand: the counts in the source of each application (kernel_shape.flop, .bytes). Measured: bytes that
DRAM and the L2 cache moved, by hardware counters with a warm cache. Operations have no counter of their
own; the rate (operations over the time alone) shows whether a count can be right.
"""

import sqlite3
import sys

QUERY = """
SELECT k.application, k.kernel, k.flop, k.bytes, s.median_ns,
       c.dram_read_bytes + coalesce(c.dram_write_bytes, 0), c.l2_bytes,
       s.median_ns * (SELECT count(*) FROM request_kernel r WHERE r.application = k.application
                      AND r.size = k.size AND r.kernel = k.kernel) AS of_request
FROM kernel_shape k
JOIN subject a ON a.application = k.application AND a.size_default = k.size
JOIN kernel_solo s ON s.application = k.application AND s.size = k.size AND s.kernel = k.kernel
     AND s.mechanism = 'whole'
LEFT JOIN kernel_counters c ON c.application = k.application AND c.size = k.size
     AND c.kernel = k.kernel AND c.l2 = 'warm'
WHERE k.kind IN ('compute', 'library')
ORDER BY k.application, of_request DESC, k.kernel
"""


def quantity(value, scale, digits=2):
    return "-" if value is None else f"{value / scale:.{digits}f}"


def intensity(flop, count):
    return "-" if not flop or not count else f"{flop / count:.3g}"


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    wanted = int(sys.argv[2]) if len(sys.argv) == 3 else 2
    profile = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    print("| application | kernel | time, us | GFLOP | MB by hand | MB of DRAM | MB of L2 |"
          " FLOP/byte by hand | of DRAM | of L2 | TFLOP/s |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    seen = {}
    for application, kernel, flop, count, ns, dram, l2, _ in profile.execute(QUERY):
        seen[application] = seen.get(application, 0) + 1
        if seen[application] > wanted:
            continue
        rate = "-" if not flop else f"{flop / ns / 1000:.2f}"
        print(f"| {application} | `{kernel}` | {ns / 1000:.0f} | {quantity(flop, 1e9)} |"
              f" {quantity(count, 1e6, 1)} | {quantity(dram, 1e6, 1)} | {quantity(l2, 1e6, 1)} |"
              f" {intensity(flop, count)} | {intensity(flop, dram)} | {intensity(flop, l2)} | {rate} |")


if __name__ == "__main__":
    main()
