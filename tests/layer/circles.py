#!/usr/bin/env python3
"""No circle of files: a file that is called does not call back, directly or by others.

Usage: circles.py FOLDER, the folder of a build. It reads which symbols each object of the static
libraries there, and of dcsim-calibrate, defines and uses; with CUDA if it was built so.

Pins: the files can be put in an order in which each uses only those before it.
Does not pin: calls by function pointers, which are how a lower file speaks to a higher one.
"""
import collections
import pathlib
import subprocess
import sys


def read_symbols(stem, files):
    """Of each object, or each object of an archive: (defined, used)."""
    objects = {}
    text = subprocess.run(["nm", "-A", *files], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        place, _, rest = line.rpartition(":")
        words = rest.split()
        if len(words) < 2:
            continue
        name = place.rpartition(":")[2].rpartition(".dir/")[2].removesuffix(".o")
        defined, used = objects.setdefault(f"{stem}/{name}", (set(), set()))
        kind, symbol = words[-2], words[-1]
        if kind == "U":
            used.add(symbol)
        elif kind in "TDBRVW":
            defined.add(symbol)
    return objects


def find_circles(graph):
    """The strongly connected parts of more than one node (Tarjan)."""
    index, low, stack, circles = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                circles.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return circles


def main():
    build = pathlib.Path(sys.argv[1])
    objects = {}
    # What the program takes from src/ by source is in the libraries, too.
    program = sorted((build / "calibrate/CMakeFiles/dcsim-calibrate.dir").rglob("*.o"))
    program = [path for path in program if "__" not in str(path.relative_to(build))]
    objects.update(read_symbols("dcsim-calibrate", program))
    for archive in sorted(build.rglob("libdcs_*.a")):
        objects.update(read_symbols(archive.stem, [archive]))
    owner = {symbol: name for name, (defined, _) in objects.items() for symbol in defined}
    graph = collections.defaultdict(set)
    for name, (_, used) in objects.items():
        graph[name] = {owner[s] for s in used if s in owner} - {name}
    if len(objects) < 100:
        sys.exit(f"only {len(objects)} objects below {sys.argv[1]}: the test looked in the wrong place")
    circles = find_circles(graph)
    for circle in circles:
        print(f"FAIL: a circle of {len(circle)} files:")
        for name in circle:
            print(f"  {name} uses {', '.join(sorted(graph[name] & set(circle)))}")
    print(f"{len(objects)} files, {len(circles)} circles")
    sys.exit(1 if circles else 0)


main()
