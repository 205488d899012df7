#!/bin/bash
# dcsim train on the command line.
#
# Pins, on a made-up profile whose durations follow a formula: the table of errors (a straight line for the
# linear method, a coarse one for the tree, none where too few sizes were measured); that it is the same every
# time and whatever the profile holds from before; that rows are replaced by method; that a profile that cannot
# be trained on is refused and stays as it was. How good predictions of measurements are is not pinned.
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
cp p.db fresh.db
rows() {
    sqlite3 "$1" "SELECT * FROM predictor ORDER BY target, application, kernel, method"
}

# --- the table ---
expect 0 "train" "$DCSIM" train p.db
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
[[ $(sqlite3 p.db "SELECT count(*) FROM predictor") -eq 32 ]] || fail "rows"
[[ $(sqlite3 p.db "SELECT DISTINCT train_n, test_n, test_mean IS NULL FROM predictor WHERE application = 'few'") == "16|0|1" ]] || fail "few: no test"
[[ $(sqlite3 p.db "SELECT DISTINCT train_n, test_n, test_mean IS NULL FROM predictor WHERE application = 'many'") == "64|16|0" ]] || fail "many: a fifth of the sizes"

# --- again ---
rows p.db >first
expect 0 "train again" "$DCSIM" train p.db
cmp -s out table || fail "the table differs the second time"
says err '32 predictors that were in p.db are replaced' "again"
rows p.db | cmp -s - first || fail "the rows differ the second time"
expect 0 "another seed, one method" "$DCSIM" train p.db --seed 2 --method=cart
says out 'seed 2$' "seed 2"
[[ $(grep -c '^request_duration' out) -eq 1 ]] || fail "one method: more than one line"
says err ' 8 predictors that were in p.db are replaced' "only those of the method"
[[ $(sqlite3 p.db "SELECT method, seed, count(*) FROM predictor GROUP BY 1, 2" | tr '\n' ' ') == "cart|2|8 knn|1|8 linear|1|8 net|1|8 " ]] || fail "methods and seeds"
rows p.db | grep '|cart|' | cut -d'|' -f1-4,6- >second
grep '|cart|' first | cut -d'|' -f1-4,6- | cmp -s - second && fail "the seed changes nothing"
expect 0 "a fresh copy" "$DCSIM" train fresh.db --method net --method cart --method linear --method knn
rows fresh.db | cmp -s - first || fail "the rows depend on the order of the methods, or on what was there"
expect 0 "still a profile" "$DCSIM" profile show p.db

# --- refused ---
same() {
    [[ $(sha256sum <"$1") == "$2" ]] || fail "$1 was changed"
}
"$DCSIM" profile build "$SOURCE_DIR/calibrate/profiles/quadro-p1000.sql" old.db || fail "build"
old=$(sha256sum <old.db)
refused 'old.db: has no measurements to train on' "nothing measured" "$DCSIM" train old.db
same old.db "$old"
cp "$SOURCE_DIR/tests/data/profile-measured.sql" text.sql
refused 'text.sql: is SQL text; make a database' "SQL text" "$DCSIM" train text.sql
cp fresh.db view.db
sqlite3 view.db "DROP TABLE kernel_solo; CREATE VIEW kernel_solo AS SELECT 1"
view=$(sha256sum <view.db)
refused 'kernel_solo: expected a plain table, found a view' "a view" "$DCSIM" train view.db
same view.db "$view"
cp fresh.db odd.db
sqlite3 odd.db "UPDATE request_solo SET mean_ns = 'long' WHERE rowid = 2"
refused 'request_solo.mean_ns: row 2: expected a number' "a text for a number" "$DCSIM" train odd.db
cp fresh.db gap.db
sqlite3 gap.db "UPDATE request_kernel SET position = 1 WHERE application = 'few' AND size = 100"
refused 'request_kernel: few, size 100: expected a kernel at each position' "a gap" "$DCSIM" train gap.db
cp fresh.db other.db
sqlite3 other.db "DROP TABLE predictor; CREATE TABLE predictor(x)"
other=$(sha256sum <other.db)
refused 'predictor: cannot write the predictors' "another table of that name" "$DCSIM" train other.db
same other.db "$other"
refused 'cannot open' "no file" "$DCSIM" train nothing.db
refused 'expected one profile' "no profile" "$DCSIM" train
refused 'expected one profile' "two profiles" "$DCSIM" train p.db fresh.db
refused '--method takes linear, knn, cart or net' "no method" "$DCSIM" train p.db --method forest
refused '--seed takes' "no seed" "$DCSIM" train p.db --seed -1
refused 'unknown option' "unknown option" "$DCSIM" train p.db --force
expect 0 "help" "$DCSIM" train --help
says out '^Usage: dcsim train PROFILE.db' "help"
says out '^ +cart +regression tree$' "help lists the methods"
# --- simulated with ---
cp p.db used.db
sqlite3 used.db "DELETE FROM subject; INSERT INTO subject VALUES ('few', 'x', 'x', 'items', 100, 219, 130), ('many', 'x', 'x', 'items', 100, 14000, 130)"
cat >c.json <<'END'
{"profile": "./used.db", "sharing": {"model": "spatial"}, "predictor": "linear", "policy": {"name": "baymax"},
 "workload": {"batch": [{"application": "many", "requests": 3}]}, "outputs": {"database": "r.db"}}
END
expect 0 "a trained predictor" "$DCSIM" --config c.json
says out '^Predictions: linear, trained on the profile\.$' "which predictor"
[[ $(sqlite3 r.db "SELECT predictor, clairvoyant FROM experiment") == "linear|0" ]] || fail "results say which predictor"
refused 'c.json:[0-9]+: predictor: "linear" predicts kernels at shares.*set sharing.model' "not shared" "$DCSIM" --config c.json --set sharing.model=whole
cp used.db none.db
sqlite3 none.db "DELETE FROM predictor WHERE method = 'net'"
refused 'none.db: predictor: the profile has no predictors of method "net"; make them with dcsim train' "not trained" "$DCSIM" --config c.json --set predictor=net --set profile=./none.db
refused 'make them with dcsim profile build IN.sql FILE.db, then dcsim train' "SQL text" "$DCSIM" --config c.json --set profile=made-up --set 'workload.batch[0].application=solve'
sqlite3 none.db "DELETE FROM predictor WHERE application = 'many' AND target = 'kernel_duration'"
refused 'predictor: profile "measured" was not trained for application "many"' "an application not trained" "$DCSIM" --config c.json --set profile=./none.db
refused 'policy.name: policy mps-even needs devices that are shared' "a policy that needs sharing" "$DCSIM" --config c.json --set policy.name=mps-even --set sharing.model=whole --set predictor=mean
finish
