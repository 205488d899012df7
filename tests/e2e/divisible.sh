#!/bin/bash
# Divisible work from the command line.
#
# Pins: a request on a CPU, a GPU and both; what a run, a sweep and a page say of devices, of what was not measured, and of bounds;
# that there is no work over that alone; the example; the table of programs; one clear line for each kind of bad input; that the study
# runs on a profile that has the rows, is refused on one that has not, and that its tables have a row for each program. Does
# not pin: numbers (tests/golden/test_divisible_by_hand.c).
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

cat >d.json <<'JSON'
{"profile": "made-up", "policy": {"name": "cap"}, "sharing": {"model": "divisible"},
 "cluster": {"devices": 2, "cpu_threads": 4},
 "divisible": [{"name": "work", "program": "paths", "iterations": 65536}],
 "workload": {"batch": [{"application": "work", "requests": 2}, {"application": "grid", "requests": 1}]},
 "horizon": {"duration_s": 0}}
JSON
run() { expect 0 "$1" "$DCSIM" --config d.json "${@:2}"; }
bad() { refused "$2" "$1" "$DCSIM" --config d.json --set "$3" --output r.db; }

for policy in cap split-static split-quick split-even split-predicted fcfs; do
    run "both, $policy" --set "policy.name=$policy"
    says out '^batch +3 ' "both, $policy"
done
run "the CPU alone" --set cluster.devices=1
tr -s ' \n' '  ' <out >flat.out
says flat.out ': one device has each request to itself: nothing is divided ' "a policy that divides, and one device"
run "the CPU alone, by a policy that divides nothing" --set cluster.devices=1 --set policy.name=fcfs
grep -q 'nothing is divided' out && fail "a policy that divides nothing is told that nothing is divided"
run "the GPU alone" --set cluster.devices=1 --set cluster.cpu_threads=0
run "three GPUs" --set cluster.devices=3 --set cluster.cpu_threads=0 --set predictor=clairvoyant
flat() { tr -s ' \n' '  ' <out >flat.out; }
flat
says flat.out 'of profile made-up: several GPUs that share a request do not slow each other, which was not measured\.' "three GPUs"
run "a GPU and a CPU"
flat
off='WARNING: of profile made-up: requests that an H200 and 16 cores shared were 16 % off real ones in the mean, under [a-z, -]* \(docs/validation/cap.md\)'
says flat.out "$off\." "all was measured: how far such requests were off is said, and nothing else"
says out '^1 domain x 1 CPU with 4 threads and 1 GPU \(made-up\); ' "which devices"
bound='split-predicted is told the medians that times are drawn from: a bound, never compared with a real CPU and GPU'
run "a bound" --set policy.name=split-predicted
flat
says flat.out "$off; $bound\." "a bound"
for set in '--set cluster.devices=1' '--set policy.name=fcfs'; do
    # shellcheck disable=SC2086 # two words
    run "$set" $set
    grep -qE 'off real ones|a bound' out && fail "$set: no request is shared, and it is said how far such are off"
done
sweep='sweep={"axes":[{"key":"policy.name","values":["cap","split-static","split-predicted"]}]}'
run "a bound among others" --set "$sweep" --output bound.db
flat
says flat.out "${off/of profile made-up: /}\." "how far such requests were off, of a sweep"
says flat.out 'WARNING: 1 of 3 points are of split-predicted, which knows [a-z ]*: bounds, ' "a bound among others"
grep -q clairvoyant out && fail "no predictor is clairvoyant, and it is said"
expect 0 "a page of a bound" "$DCSIM" report bound.db -o bound.html
says bound.html "made-up: requests that .*; $bound" "a page of a bound"
run "all bounds" --set "$sweep" --set predictor=clairvoyant
flat
says flat.out 'WARNING: 3 of 3 points have a clairvoyant predictor; [a-z ]*: bounds, .* 1 of 3 points are of split-predicted' "all bounds"
run "no bound" --set "${sweep/,\"split-predicted\"/}"
grep -q 'bounds' out && fail "no policy knows more than it can, and bounds are told of"
run "a GPU, kept" --output base.db --set cluster.devices=1 --set cluster.cpu_threads=0
run "both, kept" --output base.db
[[ $(sqlite3 base.db "SELECT count(*), count(value) FROM metric WHERE name = 'normalised_throughput' AND (class = 'batch' OR app >= 0)") == '6|0' ]] ||
    fail "work over that alone, of devices of which none is the whole"
expect 0 "the page" "$DCSIM" report base.db -o base.html
says base.html 'batch requests per s' "the page draws requests"
says base.html 'Devices: 1 GPU \(made-up\), 1 CPU with 4 threads and 1 GPU \(made-up\)<' "which devices, on the page"
grep -q 'over that alone' base.html && fail "the page has work over that alone"
"$DCSIM" profile build "$SOURCE_DIR/calibrate/profiles/made-up.sql" alone.db
sqlite3 alone.db "DELETE FROM split_time WHERE program = 'paths' AND side = 'gpu' AND beside = 1"
run "not measured beside" --set 'profile="./alone.db"' --set cluster.devices=3
flat
says flat.out ': several GPUs .* measured; a side takes beside the other what it takes alone, where that was not measured: work; requests that ' "not beside"
run "alone, not measured beside" --set 'profile="./alone.db"' --set cluster.devices=1
grep -q 'takes beside' out && fail "a CPU alone has nothing beside it"
groups='"profile":"made-up","domains":1'
run "groups" --output groups.db --set "cluster={\"groups\":[{$groups,\"devices\":1,\"cpu_threads\":4},{$groups,\"devices\":1},{$groups,\"devices\":3,\"cpu_threads\":4}]}"
flat
says flat.out ' 1 domain x 1 CPU with 4 threads \(made-up\), 1 domain x 1 GPU \(made-up\), 1 domain x 1 CPU with 4 threads and 2 GPUs \(made-up\); ' "groups"
expect 0 "a page of groups" "$DCSIM" report groups.db -o groups.html
says groups.html 'Devices: 2 CPUs and 3 GPUs \(made-up\)<' "a page of groups"
run "the programs" --list applications
says out '^paths +65536 +1 +1 +4$' "the programs"

bad "threads" 'cluster.cpu_threads: .*program "paths" with 3 CPU threads: it has 4$' cluster.cpu_threads=3
bad "a share of 1" 'policy.gpu_share: of 0 or 1 leaves one side without work: .*cluster.devices 1' policy.gpu_share=1
bad "a share of 0" 'policy.gpu_share: of 0 or 1' policy.gpu_share=0
bad "a chunk below a block" 'policy.chunk: .*below the least chunk' 'policy={"name":"split-even","chunk":15}'
bad "a program" 'divisible program "pear": it has grid, paths$' 'divisible[0].program="pear"'
bad "a size" 'program "paths" at 5 iterations: it has 65536$' 'divisible[0].iterations=5'
bad "no such rows" 'no times of chunks on CPU and GPU: measure them' 'profile="quadro-p1000"'
bad "programs elsewhere" 'divisible: needs devices that share a request: set sharing.model' 'sharing.model="whole"'
refused 'cluster.cpu_threads: is of divisible work: set sharing.model' "threads elsewhere" \
    "$DCSIM" --config "$SOURCE_DIR/configs/quickstart.json" --set cluster.cpu_threads=4
refused 'requests that devices share are not recorded' "a timeline" "$DCSIM" --config d.json --timeline t.html
refused 'bound.db: sharing.model: explain does not know divisible work: ' "explain" "$DCSIM" explain bound.db --experiment policy=cap --slowest 1
bad "a policy of other devices" 'policy.name: .*needs devices that are shared' 'policy.name="c-laius"'
bad "bins" 'outputs.interval_s: bins of divisible work' outputs.interval_s=1
bad "a synthetic application" 'applications: cannot be divided' \
    'applications=[{"name":"a","service":{"mean_ms":1}}]'
echo '{"profile":"made-up","policy":{"name":"cap"},"workload":{"batch":[{"application":"solve","clients":1}]},"horizon":{"duration_s":1}}' >whole.json
refused 'policy.name: policy cap divides requests: set sharing.model to "divisible"' "cap elsewhere" \
    "$DCSIM" --config whole.json --output r.db

expect 0 "the example" "$DCSIM" --config "$SOURCE_DIR/examples/cpu-and-gpu.json" --output example.db
expect 0 "the example, on a GPU" "$DCSIM" --config "$SOURCE_DIR/examples/cpu-and-gpu.json" --set cluster.devices=1 --set cluster.cpu_threads=0 \
    --set sweep=null --output example.db
[[ $(sqlite3 example.db "SELECT group_concat(devices || policy, ' ') FROM (SELECT devices, policy FROM experiment ORDER BY 1, 2)") == \
    '1cap 2cap 2split-even 2split-quick 2split-static' ]] || fail "the example"

study() { expect "$1" "$2" "$SOURCE_DIR/configs/wang/study.py" --dcsim "$DCSIM" --output w.db "${@:3}"; }
study 0 "the study" all --profile made-up --replications 2
expect 0 "its tables" "$SOURCE_DIR/plots/wang.py" w.db
says out '^\| grid \| 4096 \|( [0-9.]+ \|){6}$' "speed-ups"
says out '^\| paths \|  \| [-0-9.]+, [-0-9.]+, [0-9.]+ \|$' "gains"
says out '^\| grid \|( [0-9.]+e-[0-9]+ \|)+' "variances"
cp w.db half.db
sqlite3 half.db "DELETE FROM metric WHERE experiment = (SELECT max(id) FROM experiment) AND name = 'window'"
expect 1 "a study that has not ended" "$SOURCE_DIR/plots/wang.py" half.db
says err '^half.db: an experiment has no results yet: wait until the study has ended$' "a study that has not ended"
expect 1 "text in place of a study" "$SOURCE_DIR/plots/wang.py" "$SOURCE_DIR/README.md"
says err 'README.md: is no database of results, or one that is being written' "text in place of a study"
study 1 "no rows" all --profile quadro-p1000
says err 'has no divisible programs: measure them' "no rows"
finish
