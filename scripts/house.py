#!/usr/bin/env python3
"""Draws which folder of the sources includes which: house.py >docs/img/house.svg

Folders stand in the order of src/CMakeLists.txt, from the top of the house down. Each arrow goes from a folder to one
that it includes; an arrow upwards would be red.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = {
    "des": "src/des", "text": "src/text", "policies": "src/policies", "options": "src/options",
    "profile": "src/models/profile", "gpu": "src/models/gpu", "cpu": "src/models/cpu",
    "divisible": "src/models/divisible", "sm": "src/models/sm",
    "predictor": "src/models/predictor", "workload": "src/models/workload", "traces": "traces", "gangs": "src/gangs",
    "config": "src/config", "engine": "src/engine", "experiment": "src/experiment", "runs": "src/runs",
    "results": "src/results", "console": "src/report/console", "page": "src/report/page",
    "commands": "src/commands",
}
ROW, LEFT, WIDTH, TOP = 34, 40, 190, 30


def order():
    """The folders from the top of the house down, as src/CMakeLists.txt has them from the ground up."""
    text = (ROOT / "src/CMakeLists.txt").read_text()
    found = re.findall(r"^dcsim_library\((\w+)", text, re.M)
    assert sorted(found) == sorted(FOLDERS), "FOLDERS and src/CMakeLists.txt differ"
    return found[::-1]


def owner(path):
    """The folder that a file belongs to: the longest that its path begins with."""
    fits = [name for name, place in FOLDERS.items() if str(path).startswith(place + "/")]
    return max(fits, key=lambda name: len(FOLDERS[name]), default=None)


def includes():
    """Pairs of folders, with how many files of the first include the second."""
    pairs = {}
    for name, place in FOLDERS.items():
        for path in sorted((ROOT / place).rglob("*.[ch]")):
            targets = set()
            for text in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
                for base in ("src/", ""):
                    if (ROOT / (base + text)).is_file():
                        targets.add(owner(pathlib.Path(base + text)))
                        break
            source = owner(path.relative_to(ROOT))
            for target in targets - {source, None}:
                pairs[source, target] = pairs.get((source, target), 0) + 1
    return pairs


def main():
    rows = {name: i for i, name in enumerate(order())}
    pairs = includes()
    height = TOP * 2 + ROW * len(rows)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" font-family="sans-serif" font-size="13">')
    print('<style>text{fill:#222}rect{fill:#eef3f8;stroke:#678}path{fill:none;stroke:#678;opacity:.55}'
          '.up{stroke:#c22;opacity:1}polygon{fill:#678}'
          '@media(prefers-color-scheme:dark){text{fill:#ddd}rect{fill:#233240}}</style>')
    for (source, target), count in sorted(pairs.items()):
        a, b = rows[source], rows[target]
        y1, y2 = TOP + a * ROW + ROW / 2 + 3, TOP + b * ROW + ROW / 2 - 3
        x, bend = LEFT + WIDTH, 22 * abs(b - a) + 10
        up = ' class="up"' if b < a else ""
        print(f'<path{up} stroke-width="{min(1 + count / 12, 3):.1f}" d="M{x},{y1:.0f} C{x + bend},{y1:.0f} '
              f'{x + bend},{y2:.0f} {x + 6},{y2:.0f}"><title>{source} includes {target}: {count} files</title></path>')
        print(f'<polygon points="{x},{y2:.0f} {x + 7},{y2 - 3:.0f} {x + 7},{y2 + 3:.0f}"/>')
    for name, i in rows.items():
        y = TOP + i * ROW
        print(f'<rect x="{LEFT}" y="{y + 4}" width="{WIDTH}" height="{ROW - 8}" rx="4"/>')
        print(f'<text x="{LEFT + 10}" y="{y + ROW / 2 + 5:.0f}">{FOLDERS[name]}</text>')
    print("</svg>")


main()
