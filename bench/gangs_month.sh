#!/bin/bash
# A month of whole jobs on 10 003 GPUs: seconds of a core, and memory.
#
#   bench/gangs_month.sh DCSIM JOBS.db [--set KEY=VALUE ...]
#
# JOBS.db: openb_pod_list_gpuspec33.csv, imported. A hundred copies of its last 35 days, each moved by a random time within
# 31 days, with jobs 2.5 times as long, on 1.61 times its nodes of each kind, under EASY backfill and FGD.
set -euo pipefail
dcsim=$(realpath "$1") jobs=$(realpath "$2")
shift 2
config=$(realpath "$(dirname "$0")/../configs/traces/openb-gangs.json")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 - "$jobs" "$config" <<'PY'
import csv, json, random, sqlite3, sys
random.seed(1)
begin, span, copies, longer = 9878960, 31 * 86400, 100, 2.5
jobs = sqlite3.connect(sys.argv[1]).execute(
    'SELECT arrival_ns / 1e9, duration_ns / 1e9, gpus, models FROM job WHERE arrival_ns >= ? ORDER BY id', (begin * 10**9,)).fetchall()
rows = []
for _ in range(copies):
    shift = random.uniform(0, span)
    rows += [((at - begin + shift) % span, took * longer, gpus, models) for at, took, gpus, models in jobs]
rows.sort()
with open('month.csv', 'w') as file:
    csv.writer(file).writerows([('submit', 'run', 'gpus', 'model')] + [(f'{a:.3f}', f'{d:.3f}', f'{g:g}', m) for a, d, g, m in rows])
config = json.load(open(sys.argv[2]))
for kind in config['cluster']['nodes']:
    kind['nodes'] = round(kind['nodes'] * 10000 / 6212)
config.update(name='month', horizon={'duration_s': span}, workload={'trace': [{'database': 'month.db', 'as': 'gangs'}]})
config['cluster']['queue'] = {'order': 'easy', 'placement': 'fgd'}
json.dump(config, open('month.json', 'w'))
PY
"$dcsim" trace import csv month.csv -o month.db --quiet --map submit=submit,runtime=run,gpus=gpus,model=model
/usr/bin/time -f '%U s of a core, %M kB' "$dcsim" --config month.json "$@"
