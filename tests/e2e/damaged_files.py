#!/usr/bin/env python3
"""Damages files and runs every command that reads them.

    damaged_files.py DCSIM SOURCE_DIR [--seed N] [--cases N] [--only CASE] [--keep DIR]

A case is one file (a profile as text or database, a results database, predictors, a trace as published or imported, a
config), damaged in one of the ways below, and all commands that read such a file. Each command must end by itself, in
time, with exit status 0, 1 or 2, without a word of a sanitizer; with 2 it says one line that names the file, or the
config that does not fit it. What may run long, a simulation whose numbers were damaged, is interrupted and must then
end (130). The same seed damages the same files in the same way. --only runs one case again and says what each command
does; --keep says where its file is kept (default: the current folder). Exit status: 0, or 1 if any case fails.
"""
import argparse
import concurrent.futures
import os
import random
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

LIMIT_S = 60  # for what should take less than a second, on a machine that others use
LONG_S = 4  # after which a simulation is interrupted
BAD_NUMBERS = [b"0", b"-1", b"1e-9", b"1e308", b"-1e308", b"9223372036854775807", b"-9223372036854775808", b"1e999",
               b"99999999999999999999", b"4294967296", b"null", b"''", b"nan", b"\"x\"", b"0x10", b"1.5", b"\xff"]
BAD_VALUES = [None, 0, -1, 1, 1e-9, 1e308, -1e308, 2**63 - 1, -2**63, 4294967296, "", "x", "nan", b"\xff\x00", 0.5,
              "\u202e", "a" * 70000]


# ---- the ways of damage: bytes to bytes ----

def flip(r, data):
    data = bytearray(data)
    for _ in range(r.choice([1, 1, 2, 5, 20])):
        data[r.randrange(len(data))] ^= 1 << r.randrange(8)
    return bytes(data)


def replace_bytes(r, data):
    data = bytearray(data)
    for _ in range(r.choice([1, 3, 10])):
        data[r.randrange(len(data))] = r.randrange(256)
    return bytes(data)


def truncate(r, data):
    return data[:r.randrange(len(data))]


def zero_block(r, data):
    size = min(len(data), r.choice([16, 512, 4096]))
    at = r.randrange(len(data) - size + 1)
    return data[:at] + bytes(size) + data[at + size:]


def repeat_lines(r, data):
    lines = data.splitlines(keepends=True)
    at = r.randrange(len(lines))
    some = lines[at:at + r.choice([1, 2, 10])]
    return b"".join(lines[:at] + some * r.choice([2, 3, 50]) + lines[at:])


def drop_lines(r, data):
    lines = data.splitlines(keepends=True)
    at = r.randrange(len(lines))
    return b"".join(lines[:at] + lines[at + r.choice([1, 2, 10]):])


def swap_blocks(r, data):
    size = min(len(data) // 2, r.choice([512, 4096]))
    a, b = r.randrange(len(data) - size + 1), r.randrange(len(data) - size + 1)
    changed = bytearray(data)
    changed[a:a + size], changed[b:b + size] = data[b:b + size], data[a:a + size]
    return bytes(changed[:len(data)])


def change_numbers(r, data):
    for _ in range(r.choice([1, 1, 2])):
        numbers = list(re.finditer(rb"-?\d+(\.\d+)?(e-?\d+)?", data))
        if numbers:
            at = r.choice(numbers)
            data = data[:at.start()] + r.choice(BAD_NUMBERS) + data[at.end():]
    return data


def change_rows(r, data):
    """Rows and values of a database that stays a database, as a hand or another program would leave it."""
    with tempfile.NamedTemporaryFile(suffix=".db") as file:
        file.write(data)
        file.flush()
        db = sqlite3.connect(file.name, isolation_level=None)
        db.execute("PRAGMA synchronous = OFF")
        tables = [t for t, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        for _ in range(r.choice([1, 1, 2, 4])):
            if not tables:
                break
            table = r.choice(tables)
            columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")')]
            names = sorted({row[0] for row in db.execute(f'SELECT "{columns[-1]}" FROM "{table}" LIMIT 50')}, key=repr)
            some = r.choice([f"abs(random()) % 3 = {r.randrange(3)}", "1", f"{columns[0]} >= 0",
                             f"\"{r.choice(columns)}\" IN (SELECT \"{r.choice(columns)}\" FROM \"{table}\" LIMIT 1)"])
            some = some.replace("abs(random())", "length(quote(" + "||".join(f'ifnull("{c}",0)' for c in columns) + "))")
            value = r.choice(BAD_VALUES + names)
            try:
                way = r.randrange(6)
                if way < 3:
                    db.execute(f'UPDATE "{table}" SET "{r.choice(columns)}" = ? WHERE {some}', (value,))
                elif way < 5:
                    db.execute(f'DELETE FROM "{table}" WHERE {some}')
                else:
                    db.execute(f'DROP TABLE "{table}"')
                    tables.remove(table)
            except sqlite3.Error:
                pass  # a constraint of the table: what is left of the damage has to do
        db.close()
        with open(file.name, "rb") as changed:
            return changed.read()


TEXT_WAYS = [flip, replace_bytes, truncate, zero_block, repeat_lines, drop_lines, change_numbers, change_numbers,
             change_numbers]
DATABASE_WAYS = [flip, replace_bytes, truncate, zero_block, swap_blocks, change_rows, change_rows, change_rows,
                 change_rows]


# ---- the files, and what reads them ----

class Command:
    """{f}: the damaged file, {o}: a name for what is written, {c}: a copy of the file that may be changed."""

    def __init__(self, text, long=False):
        self.words, self.long = text.split(), long


class Original:
    def __init__(self, path, ways, commands, weight):
        self.suffix = os.path.splitext(path)[1]
        self.name = os.path.basename(path)
        self.ways, self.commands, self.weight = ways, commands, weight
        with open(path, "rb") as file:
            self.data = file.read()


def run_checked(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(words)}: {done.stderr}")


PROFILE = ["profile show {f}", "profile lint {f}", "profile diff {f} %s", "validate {f}", "validate {f} --fusion",
           "train {f} --method linear -o {o}"]
RESULTS = ["explain {f}", "report {f} -o {o}", "compare {f} --baseline fcfs --metric sla_met",
           "export {f} headline --csv", "export {f} summary --json", "merge {o} %s {f}"]


def make_profiles(dcsim, source, work):
    result = []
    for name, path, run in (
            ("quadro-p1000", "calibrate/profiles", "configs/quickstart.json --set replications=1"),
            ("made-up", "calibrate/profiles", "tests/data/shared-green.json --set horizon.duration_s=0.2"),
            ("xeon-e5-2650v4", "calibrate/profiles",
             "configs/emu/pair.json --set predictor=mean --set horizon.duration_s=6 --set policy.name=os"),
            ("profile-measured", "tests/data", None)):
        text = f"{source}/{path}/{name}.sql"
        run_checked(dcsim, "profile", "build", text, f"{work}/{name}.db")
        commands = [Command(c % text if "%s" in c else c) for c in PROFILE]
        if run is not None:
            config, _, settings = run.partition(" ")
            commands.append(Command(f"--quiet --config {source}/{config} --set profile={{f}} --set replications=1 "
                                    f"{settings}", long=True))
        result.append(Original(text, TEXT_WAYS, commands + [Command("profile build {f} {o}")], 6))
        result.append(Original(f"{work}/{name}.db", DATABASE_WAYS, commands, 6))
    return result


def make_results(dcsim, source, work):
    result = []
    for name, config, settings in (
            ("quick", "configs/quickstart.json", ["replications=3", "outputs.requests=true", 'sweep={"axes": '
             '[{"key": "policy.name", "values": ["elastic", "priority"]}]}']),
            ("shared", "tests/data/shared-green.json", ["replications=2", "horizon.duration_s=0.3"]),
            ("fused", "tests/data/shared-fused.json", ["replications=2", "horizon.duration_s=0.3"])):
        run = ["--quiet", "--config", f"{source}/{config}"]
        for s in settings:
            run += ["--set", s]
        run_checked(dcsim, *run, "--output", f"{work}/{name}.db")
        shutil.copy(f"{work}/{name}.db", f"{work}/{name}-whole.db")
        commands = [Command(c % f"{work}/{name}-whole.db" if "%s" in c else c) for c in RESULTS]
        resume = Command("", long=True)
        resume.words = run + ["--set", "replications=4", "--output", "{c}"]
        result.append(Original(f"{work}/{name}.db", DATABASE_WAYS, commands + [resume], 15))
    return result


def make_traces(dcsim, source, work):
    result = []
    for format, path in (("alibaba-2017", "alibaba-2017.csv"), ("alibaba-2018", "alibaba-2018.csv"),
                         ("dlrm-2025", "alibaba-dlrm-2025.csv"), ("openb-2023", "alibaba-openb-2023.csv"),
                         ("pai-2020-instance", "alibaba-pai-2020-instance.csv"),
                         ("google-2011-job-events", "google-2011/job_events.csv"),
                         ("google-2011-task-events", "google-2011/task_events.csv"),
                         ("google-2019-collection-events", "google-2019/collection_events.json"),
                         ("google-2019-instance-events", "google-2019/instance_events.json")):
        file = f"{source}/tests/data/traces/{path}"
        commands = [Command(f"trace import {format} {{f}} -o {{o}}"), Command(f"trace lint {format} {{f}}")]
        result.append(Original(file, TEXT_WAYS, commands, 3))
    jobs = f"{work}/jobs.db"
    run_checked(dcsim, "trace", "import", "openb-2023", f"{source}/tests/data/openb-sample.csv", "-o", jobs)
    replay = Command("", long=True)
    replay.words = ["--quiet", "--config", f"{work}/replay.json", "--set", "workload.trace[0].database={f}"]
    with open(f"{work}/replay.json", "w") as file:
        file.write('{"policy": {"name": "priority"}, "workload": {"trace": [{"database": "x", '
                   '"duration_compression": 10, "time_compression": 10}]}}')
    result.append(Original(jobs, DATABASE_WAYS, [Command("trace fit {f}"), Command("trace fit {f} -o {o}"), replay], 10))
    return result


def make_predictors(dcsim, source, work):
    file = f"{work}/x.predictors.db"
    profile = f"{work}/x.sql"
    shutil.copy(f"{source}/calibrate/profiles/xeon-e5-2650v4.sql", profile)
    run_checked(dcsim, "train", profile, "--method", "linear", "-o", file)
    run = Command(f"--quiet --config {source}/configs/emu/pair.json --set profile={profile} --set predictors={{f}} "
                  "--set predictor=linear --set replications=1 --set horizon.duration_s=6", long=True)
    return [Original(file, DATABASE_WAYS, [run, Command(f"train {profile} --method linear -o {{c}}")], 8)]


def make_configs(source):
    """What needs trained predictors, a trace or a profile of 50 MB is read, not run."""
    show = Command("--config {f} --print-config")
    run = [Command("--config {f} --dry-run", long=True),
           Command("--quiet --config {f} --set replications=1 --set horizon.duration_s=20 --set horizon.warmup_s=1",
                   long=True)]
    result = [Original(f"{source}/{path}", TEXT_WAYS, [show] + run, 4) for path in (
        "configs/quickstart.json", "tests/data/every-feature.json", "tests/data/shared-green.json",
        "tests/data/shared-fused.json", "configs/traces/compare-fitted.json")]
    return result + [Original(f"{source}/configs/{path}", TEXT_WAYS, [show], 1) for path in (
        "emu/pair.json", "c-laius/two-services.json", "trem/replay-openb.json")]


# ---- a case ----

def run_command(dcsim, command, words):
    """Exit status, standard error, whether it was interrupted."""
    process = subprocess.Popen([dcsim, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    interrupted = False
    if command.long:
        try:
            _, err = process.communicate(timeout=LONG_S)
            return process.returncode, err, False
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            interrupted = True
    try:
        _, err = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, b"", interrupted
    return process.returncode, err, interrupted


def judge(words, status, err, interrupted, name):
    """What is wrong, or None."""
    text = err.decode("utf-8", "replace")
    if status is None:
        return f"does not end within {LIMIT_S} s" + (" of being interrupted" if interrupted else "")
    if re.search(r"Sanitizer|runtime error|internal error", text):
        return "a fault of the program: " + next(x for x in text.splitlines() if re.search("Sanit|error", x))
    if status not in (0, 1, 2) and not (interrupted and status == 130):
        return f"exit status {status}: {text.strip()[-300:]}"
    if re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text):
        return f"a control character in its message: {text.strip()!r}"
    if status == 2:
        lines = text.splitlines()
        if len(lines) != 1:
            return f"{len(lines)} lines on standard error, expected one: {text.strip()[:300]}"
        configs = [word for word in words if word.endswith(".json")]
        if not any(place in text for place in [name] + configs):
            return f"its message does not name the file: {text.strip()}"
    return None


def run_case(number, args, originals, keep):
    """Failures as texts, and the numbers of commands and of those that were refused and interrupted."""
    r = random.Random(f"{args.seed} {number}")
    original = r.choices(originals, [o.weight for o in originals])[0]
    way = r.choice(original.ways)
    folder = os.path.join(args.work, f"case{number}")
    os.mkdir(folder)
    name = f"damaged-{number}{original.suffix}"
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(way(r, original.data))
    if keep:
        shutil.copy(path, os.path.join(args.keep, name))
    failures, refused, interruptions = [], 0, 0
    for k, command in enumerate(original.commands):
        copy, out = os.path.join(folder, f"copy{k}", name), os.path.join(folder, f"out{k}")
        if "{c}" in command.words:
            os.mkdir(os.path.dirname(copy))
            shutil.copy(path, copy)
        words = [w.replace("{f}", path).replace("{c}", copy).replace("{o}", out) for w in command.words]
        status, err, interrupted = run_command(args.dcsim, command, words)
        wrong = judge(words, status, err, interrupted, name)
        refused += status == 2
        interruptions += interrupted
        line = f"case {number}, {original.name} after {way.__name__}: dcsim {shlex.join(words)}"
        if args.only is not None:
            print(f"{line}\n    {status}: {err.decode('utf-8', 'replace').strip()[:2000]}")
        if wrong:
            failures.append(f"{line}\n    {wrong}")
    shutil.rmtree(folder)
    return failures, len(original.commands), refused, interruptions


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dcsim")
    parser.add_argument("source")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", default=".")
    args = parser.parse_args()
    os.environ["ASAN_OPTIONS"] = "exitcode=99:hard_rss_limit_mb=6000:allocator_may_return_null=0"
    os.environ["UBSAN_OPTIONS"] = "exitcode=99:print_stacktrace=1"
    started = time.monotonic()
    failed, commands, refused, interruptions = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as args.work:
        made = make_profiles(args.dcsim, args.source, args.work) + make_results(args.dcsim, args.source, args.work)
        made += make_traces(args.dcsim, args.source, args.work) + make_predictors(args.dcsim, args.source, args.work)
        originals = made + make_configs(args.source)
        numbers = range(args.cases) if args.only is None else [args.only]
        with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
            for case in pool.map(lambda n: run_case(n, args, originals, args.only is not None), numbers):
                for failure in case[0]:
                    print(f"FAIL: {failure}", flush=True)
                failed += case[0]
                commands, refused, interruptions = commands + case[1], refused + case[2], interruptions + case[3]
    print(f"{len(numbers)} damaged files, {commands} commands, of which {refused} were refused and {interruptions} "
          f"interrupted; {len(failed)} failures; seed {args.seed}; {time.monotonic() - started:.0f} s")
    if failed:
        print(f"again: {shlex.join([sys.argv[0], args.dcsim, args.source, '--seed', str(args.seed)])} --only CASE")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
