"""schema_check.py SCHEMA DCSIM SOURCE_DIR: holds the schema against the shipped configs and against what dcsim
says of a config in which one key is wrong. Prints what differs; exit code 1 if anything does."""

import copy
import json
import pathlib
import re
import subprocess
import sys

import jsonschema

schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
dcsim, source = sys.argv[2], pathlib.Path(sys.argv[3])
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
failures = checks = 0


def check(holds, what):
    global failures, checks
    checks += 1
    if not holds:
        failures += 1
        print("FAIL:", what)


def ask(config):
    """The canonical form that dcsim prints, or its error."""
    done = subprocess.run(
        [dcsim, "--config", "-", "--print-config"], input=json.dumps(config), capture_output=True, text=True
    )
    return (json.loads(done.stdout), None) if done.returncode == 0 else (None, done.stderr)


# Every config that is shipped, and the canonical form of one for each policy.
files = [*source.glob("configs/**/*.json"), *source.glob("examples/**/*.json")]
check(len(files) > 20, f"only {len(files)} configs")
for file in files:
    error = next(validator.iter_errors(json.loads(file.read_text())), None)
    check(error is None, f"{file} is refused: {error and error.message[:200]}")

arrivals = {"rate_per_s": 1}
whole = {
    "horizon": {"duration_s": 10},
    "cluster": {"groups": [{"domains": 1, "devices": 1}]},
    "applications": [{"name": "web", "service": {"mean_ms": 5}}],
    "workload": {
        "services": [{"application": "web", "arrivals": arrivals}],
        "batch": [{"application": "web"}],
        "trem": [{}],
        "trace": [{"database": "jobs.db"}],
        "jobs": [{"jobs": 2, "arrivals": arrivals}],
        "colocated": [{"services": "web"}],
    },
}
names = [line.split()[0] for line in subprocess.check_output([dcsim, "--list", "policies"], text=True).splitlines() if line[:1].strip()]
bases = []
for name in names:
    for model in ("whole", "spatial", "cpu", "divisible", "sm"):
        own = {"slowdowns": "untrained"} if name == "asm-gpm-psp" else {}
        if model in ("divisible", "sm"):
            own["applications"] = []  # none of the config's own can be divided, or has blocks
        if model == "sm":
            own |= {"profile": "nvidia-h200-residency", "resident": [{"name": "web", "kernel": "cp"}]}
        canonical, error = ask({**whole, **own, "policy": {"name": name}, "sharing": {"model": model}})
        if canonical is not None:
            bases.append((name, canonical))
            error = next(validator.iter_errors(canonical), None)
            check(error is None, f"the canonical form with {name} is refused: {error and error.message[:200]}")
            break
    else:
        check(False, f"{name}: no config of it is accepted: {error}")

# The schema of each key of a canonical form, with where the key stands.
policies = {
    branch["if"]["properties"]["name"]["const"]: branch["then"]["properties"]
    for branch in schema["properties"]["policy"]["allOf"]
}


def leaves(value, rule, path=()):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, rule["properties"][key], (*path, key))
        yield path, "object", rule
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from leaves(inner, rule["items"], (*path, i))
        yield path, "list", rule
    else:
        yield path, "value", rule


def changed(config, path, new):
    config = copy.deepcopy(config)
    if not path:
        return {**config, **new}
    place = config
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = {**place[path[-1]], **new} if isinstance(new, dict) and new else new
    return config


def both_refuse(config, what):
    check(next(validator.iter_errors(config), None) is not None, f"the schema accepts {what}")
    check(ask(config)[0] is None, f"dcsim accepts {what}")


def hold_key(base, path, kind, rule):
    where = ".".join(map(str, path))
    if kind == "object":
        both_refuse(changed(base, path, {"no_such_key": 1}), f"an unknown key in {where}")
        commented = changed(base, path, {"_why": None})
        check(next(validator.iter_errors(commented), None) is None, f"the schema refuses a comment in {where}")
    if not path:
        return
    both_refuse(changed(base, path, None), f"null for {where}")
    for wrong in ([1], "?", 1.5):
        refused = next(validator.iter_errors(changed(base, path, wrong)), None) is not None
        told = re.search(r"expected (an? |one of|true)", ask(changed(base, path, wrong))[1] or "") is not None
        # Whether a string is a name that is there, or a number one that goes with others, is not the key's own.
        check(refused or not told or kind == "value" and rule.get("type") in ("string", "number"),
              f"the schema accepts {wrong!r} for {where}, dcsim does not")
        # Of a policy that is no object dcsim misses the name.
        told = told or where in ("policy", "policy.name")
        check(told or not refused, f"the schema refuses {wrong!r} for {where}, dcsim does not")
    number = rule.get("anyOf", [rule])[0]
    for bound, step in (("minimum", -1), ("maximum", 1)):
        if bound not in number:
            continue
        limit = number[bound]
        beyond = limit + step * max(1, abs(limit) // 1000)
        both_refuse(changed(base, path, beyond), f"{beyond} for {where}")
        at = changed(base, path, limit)
        check(next(validator.iter_errors(at), None) is None, f"the schema refuses {limit} for {where}")
        told = ask(at)[1] or ""
        check(not re.search(rf"{re.escape(str(path[-1]))}: expected an? (whole )?(number|time) ", told),
              f"dcsim refuses {limit} for {where}: {told}")


for nth, (name, base) in enumerate(bases):
    rule = {"properties": {**schema["properties"], "policy": {"properties": policies[name]}}}
    for path, kind, inner in leaves(base, rule):
        # The keys beside the policy's are the same for all.
        if nth == 0 or path[:1] == ("policy",) and path != ("policy", "name"):
            hold_key(base, path, kind, inner)

# Required keys, with and without a sweep that may bring them in.
config = {**whole, "policy": {"name": "fcfs"}}
for path in (("policy",), ("policy", "name"), ("workload",), ("workload", "services", 0, "application"),
             ("workload", "jobs", 0, "arrivals"), ("applications", 0, "service", "mean_ms")):
    less = copy.deepcopy(config)
    place = less
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    both_refuse(less, f"a config without {path}")
    swept = {**less, "sweep": {"axes": [{"key": "policy", "values": [{"name": "fcfs"}]}]}}
    check(next(validator.iter_errors(swept), None) is None, f"the schema requires {path} of a sweep")

# Axes.
key = {"key": "cluster.devices"}
for axis in ({}, {**key}, {**key, "values": []}, {**key, "from": 1, "to": 2}, {**key, "from": 1, "step": 1},
             {**key, "from": 1, "to": 2, "step": 1, "count": 2}, {**key, "from": 1, "to": 2, "count": 2, "scale": "lin"},
             {"zip": []}, {"zip": [{**key, "values": [1]}]}, {"zip": [{**key, "values": [1]}] * 2, "key": "seed"},
             {**key, "value": [1]}, 3, {"values": [1]}):
    both_refuse({**config, "sweep": {"axes": [axis]}}, f"the axis {axis}")
both_refuse({**config, "sweep": {}}, "a sweep without axes")
both_refuse({**config, "sweep": {"axes": []}}, "a sweep of no axes")
for axis in ({**key, "values": [1, 2]}, {**key, "from": 1, "to": 4, "step": 1}, {**key, "from": 1, "to": 4, "count": 3},
             {"zip": [{**key, "values": [1, 2]}, {"key": "seed", "from": 1, "to": 2, "step": 1}]}):
    swept = {**config, "sweep": {"axes": [axis]}}
    check(next(validator.iter_errors(swept), None) is None, f"the schema refuses the axis {axis}")

print(f"{checks} checks of the schema")
sys.exit(failures > 0)
