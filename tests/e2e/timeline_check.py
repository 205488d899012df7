"""Checks a timeline against the Trace Event Format and against itself; prints "device busy_ns" of each device.

Each event has the fields of its phase and no other phase comes; times have three decimals at most and are not
negative; slices, instants and each counter are in order on their track, and no two slices of a track overlap;
tracks and processes have names; arrows come in pairs, each from and to the beginning of a slice, forward in
time. Lanes of a device: a busy slice lies around what is on its lanes, and ends when the last of these does.
"""
import json
import re
import sys
from collections import defaultdict
from decimal import Decimal

FIELDS = {
    "X": {"pid", "tid", "ts", "dur", "name", "cat"},
    "i": {"pid", "tid", "s", "ts", "name", "cat"},
    "C": {"pid", "ts", "name", "args"},
    "M": {"pid", "name", "args"},
    "s": {"pid", "tid", "id", "ts", "name", "cat"},
    "f": {"pid", "tid", "id", "ts", "name", "cat", "bp"},
}
MAY = {"X": {"args"}, "i": {"args"}, "M": {"tid"}}


def ns(value):
    whole = Decimal(value) * 1000
    assert whole == int(whole) and whole >= 0, value
    return int(whole)


def union(slices):
    """The times in which any of the slices is there, as a list."""
    out = []
    for begin, end in sorted(slices):
        if out and begin <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([begin, end])
    return out


def main(path):
    with open(path, encoding="utf-8") as file:
        text = json.load(file, parse_float=Decimal, parse_int=Decimal)
    assert set(text) == {"otherData", "traceEvents"}  # with a displayTimeUnit of ns Perfetto takes us for ns
    assert all(isinstance(v, str) for v in text["otherData"].values())
    slices, last, arrows = defaultdict(list), {}, defaultdict(list)
    names, counters, seen = {}, {}, defaultdict(int)
    for e in text["traceEvents"]:
        phase = e["ph"]
        fields = set(e) - {"ph"}
        assert FIELDS[phase] <= fields <= FIELDS[phase] | MAY.get(phase, set()), e
        seen[phase] += 1
        if phase == "M":
            if e["name"].endswith("_name"):
                key = (e["pid"], e.get("tid"))
                assert key not in names, e
                names[key] = e["args"]["name"]
            continue
        at = ns(e["ts"])
        track = (e["pid"], e.get("tid"))
        if phase == "C":
            key = (e["pid"], e["name"])
            assert e["args"]["value"] >= 0, e
            counters.setdefault(key, []).append((at, e["args"]["value"]))
        elif phase in "Xi":
            assert at >= last.get(track, 0), e
            last[track] = at
            if phase == "X":
                assert e["dur"] > 0, e
                slices[track].append((at, at + ns(e["dur"])))
        else:
            arrows[e["id"]].append((phase, track, at))
    ends = {of[-1][0] for of in counters.values()}
    assert len(ends) <= 1 and max(last.values(), default=0) <= max(ends, default=0), ends
    for of in counters.values():  # every number is another than before, but for the last, which ends the window
        assert len(of) > 1 and of[-1][1] == of[-2][1], of[-2:]
        assert all(a[0] < b[0] for a, b in zip(of, of[1:])), of
        assert all(a[1] != b[1] for a, b in zip(of, of[1:-1])), of
    for track in set(slices) | set(last):
        assert track in names and (track[0], None) in names, track
    begins = {track: {s[0] for s in of} for track, of in slices.items()}
    for pair in arrows.values():
        assert [p[0] for p in pair] == ["s", "f"], pair
        assert all(at in begins[track] for _, track, at in pair), pair
        assert pair[0][2] <= pair[1][2], pair
    for track, of in slices.items():
        assert all(a[1] <= b[0] for a, b in zip(of, of[1:])), track
    busy, lanes = {}, defaultdict(list)
    for track, name in names.items():
        match = re.fullmatch(r"device (\d+)(: busy|, lane \d+)?", name)
        if match and (match[2] or "").startswith(", lane"):
            lanes[int(match[1])] += slices[track]
        elif match:
            busy[int(match[1])] = slices[track]
    for device in sorted(busy):
        if lanes[device]:
            assert union(lanes[device]) == union(busy[device]), device
        print(device, sum(end - begin for begin, end in busy[device]))
    print("slices", seen["X"], "arrows", seen["s"], "instants", seen["i"], "numbers", seen["C"], file=sys.stderr)


main(sys.argv[1])
