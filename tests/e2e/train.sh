#!/bin/bash
# dcsim train on the command line.
#
# Pins, on a made-up profile whose durations follow a formula: the table of errors (a straight line for the
# linear method, a coarse one for the tree, none where too few sizes were measured); that it is the same every
# time; where the predictors go, that they replace nothing but predictors, and that no profile is changed; that a
# simulation takes those of its profile as it is, and no others; predictors of slow-downs, who judges them, and which
# policies ask them. How good predictions of measurements are is not
# pinned.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

# "many" at twenty sizes, "few" at four; one kernel each, 1000 ns for each item on one SM.
"$DCSIM" profile build "$SOURCE_DIR/tests/data/profile-measured.sql" p.db || fail "build"
{
    echo "BEGIN; DELETE FROM request_solo; DELETE FROM kernel_solo; DELETE FROM request_kernel; DELETE FROM kernel_shape;"
    echo "DELETE FROM kernel_counters; DELETE FROM application; DELETE FROM kernel;"
    for app in few many; do
        echo "INSERT INTO application VALUES ('$app', 'batch', NULL, 1, 'x'); INSERT INTO kernel VALUES ('$app', 0, 'task', 9, NULL, 'x');"
        [[ $app == few ]] && sizes=4 || sizes=20
        for ((i = 0, size = 100; i < sizes; i++, size = size * 13 / 10)); do
            echo "INSERT INTO request_kernel VALUES ('$app', $size, 0, 'k', 'k_$size');"
            echo "INSERT INTO kernel_shape VALUES ('$app', $size, 'k_$size', 'compute', 'cuda', 1, $size, 128, 9, 0, 1, $size.0, $size.0, NULL, 1);"
            echo "INSERT INTO kernel_counters(application, size, kernel, l2, dram_read_bytes, dram_write_bytes, instructions)"
            echo "  VALUES ('$app', $size, 'k_$size', 'warm', $size.0, $size.0, $size.0);"
            for sms in 1 2 4 8; do
                ns=$((1000 * size / sms))
                row="$sms, 9, 0, $ns, $ns.0, 1.0, 1, 2, 'rse', 1000, 'warm'"
                echo "INSERT INTO request_solo VALUES ('$app', $size, 'green', $row);"
                echo "INSERT INTO kernel_solo VALUES ('$app', $size, 'k_$size', 'green', $row);"
            done
        done
    done
    echo "COMMIT;"
} | sqlite3 p.db || fail "planting"
profile=$(sha256sum <p.db)
rows() {
    sqlite3 "$1" "SELECT * FROM predictor ORDER BY target, application, kernel, method"
}

# --- the table ---
expect 0 "train" "$DCSIM" train p.db
says err 'dcsim: 32 predictors are in p\.predictors\.db$' "where they are"
[[ $(sha256sum <p.db) == "$profile" ]] || fail "the profile was changed"
cp out table
cp err times
says table '^Predictors of profile measured, seed 1$' "head"
for target in request_duration kernel_duration kernel_bandwidth kernel_ipc; do
    case $target in
    kernel_bandwidth | kernel_ipc) exact='0\.[01][0-9]' ;; # constant but for what durations were rounded
    *) exact='0\.[0-2][0-9]' ;;
    esac
    says table "^$target +linear +2 +1 +1 +$exact +" "$target: the linear method finds the formula"
    says table "^$target +net +2 +1 +1 +[0-9.]+ +" "$target: network"
done
# Between sizes that are 1.3 apart a step is some 12 % off.
says table '^request_duration +cart +2 +1 +1 +(9|1[0-9]|2[0-9])\.[0-9]+ .* many, ' "the tree"
says times 'a prediction of "cart" takes [0-9]+ ns' "times"
grep -q ' ns$' table && fail "wall clock in the table"
[[ $(sqlite3 p.predictors.db "SELECT count(*) FROM predictor") -eq 32 ]] || fail "rows"
[[ $(sqlite3 p.predictors.db "SELECT DISTINCT train_n, test_n, test_mean IS NULL FROM predictor WHERE application = 'few'") == "16|0|1" ]] || fail "few: no test"
[[ $(sqlite3 p.predictors.db "SELECT DISTINCT train_n, test_n, test_mean IS NULL FROM predictor WHERE application = 'many'") == "64|16|0" ]] || fail "many: a fifth of the sizes"

[[ $(sqlite3 p.predictors.db "SELECT key, value FROM predictors WHERE key <> 'build' ORDER BY key" | tr '\n' ' ') == "profile|measured profile_sha256|${profile%% *} seed|1 " ]] || fail "what they were made of"
[[ $(sqlite3 p.predictors.db "SELECT value FROM predictors WHERE key = 'build'") == "$("$DCSIM" --version | cut -d' ' -f2-)" ]] || fail "build"

# --- again ---
rows p.predictors.db >first
cp p.predictors.db all.db
expect 0 "train again" "$DCSIM" train p.db
cmp -s out table || fail "the table differs the second time"
says err '32 predictors are in p\.predictors\.db, in place of those that it had' "again"
cmp -s p.predictors.db all.db || fail "the file differs the second time"
expect 0 "another seed, one method" "$DCSIM" train p.db --seed 2 --method=cart
says out 'seed 2$' "seed 2"
[[ $(grep -c '^request_duration' out) -eq 1 ]] || fail "one method: more than one line"
[[ $(sqlite3 p.predictors.db "SELECT method, seed, count(*) FROM predictor GROUP BY 1, 2") == "cart|2|8" ]] || fail "the file is replaced whole"
rows p.predictors.db | cut -d'|' -f1-4,6- >second
grep '|cart|' first | cut -d'|' -f1-4,6- | cmp -s - second && fail "the seed changes nothing"
expect 0 "another order" "$DCSIM" train p.db -o order.db --method net --method cart --method linear --method knn
rows order.db | cmp -s - first || fail "the rows depend on the order of the methods"
compgen -G '*.partial*' && fail "a temporary file is left"

# --- where ---
mkdir there shipped
cp p.db there/x.db
expect 0 "a path" "$DCSIM" train there/x.db --method cart
[[ -f there/x.predictors.db ]] || fail "not beside the profile"
cp "$SOURCE_DIR/tests/data/profile-measured.sql" shipped/seen.sql
expect 0 "a name, SQL text" env DCSIM_PROFILES=shipped "$DCSIM" train seen --method cart
[[ -f seen.predictors.db && ! -e shipped/seen.predictors.db ]] || fail "not in the current folder"

# --- refused ---
same() {
    [[ $(sha256sum <"$1") == "$2" ]] || fail "$1 was changed"
}
"$DCSIM" profile build "$SOURCE_DIR/calibrate/profiles/quadro-p1000.sql" old.db || fail "build"
old=$(sha256sum <old.db)
refused 'old.db: has no measurements to train on' "nothing measured" "$DCSIM" train old.db
same old.db "$old"
cp p.db view.db
sqlite3 view.db "DROP TABLE kernel_solo; CREATE VIEW kernel_solo AS SELECT 1"
view=$(sha256sum <view.db)
refused 'kernel_solo: expected a plain table, found a view' "a view" "$DCSIM" train view.db
same view.db "$view"
cp p.db odd.db
sqlite3 odd.db "UPDATE request_solo SET mean_ns = 'long' WHERE rowid = 2"
refused 'request_solo.mean_ns: row 2: expected a number' "a text for a number" "$DCSIM" train odd.db
cp p.db gap.db
sqlite3 gap.db "UPDATE request_kernel SET position = 1 WHERE application = 'few' AND size = 100"
refused 'request_kernel: few, size 100: expected a kernel at each position' "a gap" "$DCSIM" train gap.db
for other in p.db table; do
    same=$(sha256sum <$other)
    refused "$other: exists, and is not replaced" "no predictors: $other" "$DCSIM" train p.db -o $other
    same $other "$same"
done
refused 'none/x.db: cannot be written in its folder' "no folder" "$DCSIM" train p.db -o none/x.db
refused 'no profile "nothing.db"' "no file" "$DCSIM" train nothing.db
refused 'expected one profile' "no profile" "$DCSIM" train
refused 'expected one profile' "two profiles" "$DCSIM" train p.db there/x.db
refused '--method takes linear, knn, cart, net or slowdown' "no method" "$DCSIM" train p.db --method forest
refused '--seed takes' "no seed" "$DCSIM" train p.db --seed -1
refused 'unknown option' "unknown option" "$DCSIM" train p.db --force
expect 0 "help" "$DCSIM" train --help
says out '^Usage: dcsim train PROFILE \[-o FILE\]' "help"
says out '^ +cart +regression tree$' "help lists the methods"
# --- simulated with ---
cp p.db used.db
sqlite3 used.db "DELETE FROM subject; INSERT INTO subject VALUES ('few', 'x', 'x', 'items', 100, 219, 130), ('many', 'x', 'x', 'items', 100, 14000, 130)"
cat >c.json <<'END'
{"profile": "./used.db", "sharing": {"model": "spatial"}, "predictor": "linear", "policy": {"name": "baymax"},
 "workload": {"batch": [{"application": "many", "requests": 3}]}, "outputs": {"database": "r.db"}}
END
refused 'used.predictors.db: there are no predictors of that name; make them with dcsim train ./used.db -o ./used.predictors.db' "never trained" "$DCSIM" --config c.json
expect 0 "training" "$DCSIM" train ./used.db
expect 0 "a trained predictor" "$DCSIM" --config c.json
says out '^Predictions: linear, trained on the profile\.$' "which predictor"
[[ $(sqlite3 r.db "SELECT predictor, clairvoyant FROM experiment") == "linear|0" ]] || fail "results say which predictor"
sum=$(sha256sum <used.predictors.db)
[[ $(sqlite3 r.db "SELECT position, name, sha256 FROM input WHERE kind = 'predictors'") == "0|used.predictors.db|${sum%% *}" ]] || fail "results say which file"
# The same bytes elsewhere are the same experiment, others are another.
mkdir moved
mv used.predictors.db moved/m.db
expect 0 "named" "$DCSIM" --config c.json --set predictors=moved/m.db
[[ $(sqlite3 r.db "SELECT count(*) FROM experiment") -eq 1 ]] || fail "the place of the predictors makes another experiment"
expect 0 "training with another seed" "$DCSIM" train used.db --seed 2
expect 0 "other predictors" "$DCSIM" --config c.json
[[ $(sqlite3 r.db "SELECT count(*) FROM experiment") -eq 2 ]] || fail "other predictors are the same experiment"
# Predictors that nobody asks do not count, not even if there are none.
for predictors in '' moved/m.db nothing.db; do
    expect 0 "means" "$DCSIM" --config c.json --set predictor=mean --set "predictors=$predictors"
done
[[ $(sqlite3 r.db "SELECT count(*) FROM experiment") -eq 3 ]] || fail "predictors that are not asked make another experiment"
[[ $(sqlite3 r.db "SELECT count(*) FROM input WHERE kind = 'predictors'") -eq 2 ]] || fail "predictors that are not asked are named"
# A profile that has changed since.
cp used.db kept.db
sqlite3 used.db "UPDATE kernel_solo SET mean_ns = 2 * mean_ns, median_ns = 2 * median_ns"
refused 'used.predictors.db: the predictors were trained on another profile \("measured", sha256 [0-9a-f]{12}\.\.\.\) than this file of "measured" as it is now.*make them with dcsim train' "stale" "$DCSIM" --config c.json
expect 0 "stale, but not asked" "$DCSIM" --config c.json --set predictor=mean
expect 0 "training again" "$DCSIM" train used.db
expect 0 "fresh" "$DCSIM" --config c.json
refused 'c.json:[0-9]+: predictor: "linear" predicts kernels at shares.*set sharing.model' "not shared" "$DCSIM" --config c.json --set sharing.model=whole
cp used.predictors.db none.db
sqlite3 none.db "DELETE FROM predictor WHERE method = 'net'"
refused 'none.db: has no predictors of method "net"; make them with dcsim train' "not trained" "$DCSIM" --config c.json --set predictor=net --set predictors=none.db
sqlite3 none.db "DELETE FROM predictor WHERE application = 'many' AND target = 'kernel_duration'"
refused 'c.json:[0-9]+: predictor: none.db has no predictors for application "many": .* profile "measured" .*make them with dcsim train ./used.db -o none.db, else choose predictor "mean"' "an application not trained" "$DCSIM" --config c.json --set predictors=none.db
refused 'r.db: predictors: the table is missing: it is no file of predictors' "no predictors" "$DCSIM" --config c.json --set predictors=r.db
refused 'made-up.predictors.db: there are no predictors of that name' "found by its name" "$DCSIM" --config c.json --set profile=made-up --set 'workload.batch[0].application=solve'
refused 'policy.name: policy mps-even needs devices that are shared' "a policy that needs sharing" "$DCSIM" --config c.json --set policy.name=mps-even --set sharing.model=whole --set predictor=mean

# --- slow-downs: kernels of a made-up device beside producers, by a formula ---
"$DCSIM" profile build made-up s.db || fail "build made-up"
expect 0 "nothing to train slow-downs on" "$DCSIM" train s.db -o other.db
grep -q 'Slow-downs' out && fail "slow-downs of nothing"
refused 's.db: has nothing to train slow-downs on: kernels beside producers of pressure' "asked for" "$DCSIM" train s.db --method slowdown -o x.db
{
    echo "BEGIN; UPDATE kernel_counters SET ipc = 1, l2_bytes = 2 * dram_read_bytes, l2_hit_fraction = 0.4, l1_hit_fraction = 0.2,"
    echo "  tensor_active_fraction = 0, fma_active_fraction = 0.5, occupancy_fraction = 0.8;"
    grep -E '^CREATE TABLE corun(_side)?\(' "$SOURCE_DIR/tests/data/profile-measured.sql" | sed 's/CREATE TABLE/CREATE TABLE IF NOT EXISTS/'
    id=1000
    for kernel in "'answer', 1, 'layer', 2300" "'answer', 1, 'head', 800" "'search', 1, 'walk', 2000" "'solve', 1, 'step', 4200" "'stream', 1, 'sweep', 3200"; do
        for sms in 8 16 24; do
            for gbs in 0 100 200 300; do
                solo=$((${kernel##*, } * 1000 * 32 / sms))
                beside=$((solo + solo * gbs / 400))
                echo "INSERT INTO corun VALUES ($id, 'sensitivity', 'green', NULL, 0, 1000, $gbs.0, $gbs.0);"
                echo "INSERT INTO corun_side VALUES ($id, 0, ${kernel% *} $sms, NULL, $solo, $solo.0, 3, 3, 0, $beside, $beside.0, 1.0, $beside, $beside, 'rse', 1000, 'warm');"
                id=$((id + 1))
            done
        done
    done
    for half in dev test; do
        echo "INSERT INTO corun VALUES ($id, 'pair', 'green', '$half', 0, 1000, NULL, NULL);"
        echo "INSERT INTO corun_side VALUES ($id, 0, 'answer', 1, 'layer', 16, NULL, 4600000, 4600000.0, 3, 3, 0, 5000000, 5000000.0, 1.0, 1, 1, 'rse', 1000, 'warm');"
        echo "INSERT INTO corun_side VALUES ($id, 1, 'stream', 1, 'sweep', 16, NULL, 6400000, 6400000.0, 3, 3, 0, 7000000, 7000000.0, 1.0, 1, 1, 'rse', 1000, 'warm');"
        id=$((id + 1))
    done
    echo "COMMIT;"
} | sqlite3 s.db || fail "planting co-runs"
expect 0 "slow-downs alone" "$DCSIM" train s.db --method slowdown --hold-out stream
says out '^Slow-downs, seed 1, never trained on: stream$' "head"
for method in themis themis-alone gpm; do says out "^$method +48 +12 +[0-9.]+ +[0-9.]+$" "$method"; done
cp s.predictors.db first.db
expect 0 "again" "$DCSIM" train s.db --method slowdown --hold-out stream
cmp -s s.predictors.db first.db || fail "slow-downs: the file differs the second time"
[[ $(sqlite3 s.predictors.db "SELECT value FROM predictors WHERE key = 'slowdown_held_out'") == stream ]] || fail "who was held out"
expect 0 "with all methods" "$DCSIM" train s.db
says out '^Slow-downs, seed 1, never trained on: [a-z]+$' "a third is held out"
refused '--hold-out nobody: no kernel of such an application was measured' "held out, unknown" "$DCSIM" train s.db --hold-out nobody
refused '--hold-out leaves none to train on' "all held out" "$DCSIM" train s.db --hold-out answer --hold-out search --hold-out solve --hold-out stream
refused '--hold-out goes with --method slowdown' "held out of what" "$DCSIM" train s.db --method knn --hold-out solve

expect 0 "validate" "$DCSIM" validate s.db --slowdown --predictors first.db --half test --csv slow.csv
says out '^Pairs, all: n = 2 sides of 2 kernels$' "pairs"
says out '^Pairs, the kernel.s application never trained on: n = 1 sides of 1 kernel$' "stream's kernel"
says out '^alone +[0-9.]+ ' "a rival"
[[ $(wc -l <slow.csv) -eq 3 ]] || fail "rows of the csv"
refused 'has no pairs, triples or quadruples on partitions in the half "test2"' "an empty half" "$DCSIM" validate s.db --slowdown --half test2 --predictors first.db
refused 'none.db: there are no predictors of that name; make them with dcsim train' "no file" "$DCSIM" validate s.db --slowdown --predictors no/none.db
expect 0 "none of slow-downs" "$DCSIM" train s.db --method cart -o cart.db
refused 'cart.db: has no predictors of method "themis"' "not trained" "$DCSIM" validate s.db --slowdown --predictors cart.db
cp first.db bad.db
sqlite3 bad.db "UPDATE predictor SET model = '0.5 1' WHERE method = 'themis'"
refused 'bad.db: predictor.model: row 1, .*expected scales and weights of 12-12-12-2' "no network" "$DCSIM" validate s.db --slowdown --predictors bad.db
cp first.db bad.db
sqlite3 bad.db "UPDATE predictor SET model = '9' || substr(model, 2) WHERE method = 'gpm'"
refused 'bad.db: predictor.model: row 3, .*expected clusters of statistics and curves' "nine clusters" "$DCSIM" validate s.db --slowdown --predictors bad.db
refused '--predictors goes with --slowdown' "of what" "$DCSIM" validate s.db --predictors first.db

cat >slow.json <<'E'
{"profile": "s.db", "predictors": "first.db", "sharing": {"model": "spatial"}, "fairness": {"metrics": true}, "policy": {"name": "asm-gpm-psp"},
 "workload": {"batch": [{"application": "solve"}, {"application": "stream"}]}, "horizon": {"duration_s": 1}}
E
refused 'policy.name: policy asm-gpm-psp asks how much kernels were slowed: .*set slowdowns to "trained"' "nobody is asked" "$DCSIM" --config slow.json
refused 'policy.slowdowns: ?.*asks the network, and nobody answers' "nor here" "$DCSIM" --config slow.json --set 'policy={"name": "themis-fair", "slowdowns": "network"}'
refused 'slowdowns: is of kernels that share a GPU' "not shared" "$DCSIM" --config slow.json --set slowdowns=trained --set sharing.model=whole --set policy.name=fcfs
for policy in '{"name": "asm-gpm-psp"}' '{"name": "asm-psp"}' '{"name": "bubble-psp"}' '{"name": "themis-fair", "slowdowns": "network"}'; do
    expect 0 "$policy" "$DCSIM" --config slow.json --set slowdowns=trained --set "policy=$policy"
    grep -q 'that were not counted' out && fail "all were counted"
done
cp s.db half.db
sqlite3 half.db "DELETE FROM kernel_counters WHERE application = 'stream'"
expect 0 "stream is not counted" "$DCSIM" train half.db --method slowdown --hold-out solve
expect 0 "a pair of which one is counted" "$DCSIM" --config slow.json --set slowdowns=trained --set profile=half.db --set predictors=half.predictors.db
[[ $(tr -s ' \n' ' ' <out) == *'nobody says how much kernels are slowed that were not counted: stream'* ]] || fail "who was not counted"
expect 0 "other sizes" "$DCSIM" --config slow.json --set slowdowns=trained --set 'workload.batch[0].input=uniform'
[[ $(tr -s ' \n' ' ' <out) == *'that were not counted: solve of other sizes'* ]] || fail "sizes that were not counted"
finish
