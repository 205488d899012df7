#!/bin/bash
# dcsim compare, dcsim export and examples/ on the command line.
#
# Pins: what is paired with what (policies, another key, several groups, twins; never two versions of the model), the
# verdicts, one unit in a table, a longest time that a request inside may exceed, what is a sum over applications, what is asked for again and refused; that compare prints the same whatever the order of the runs; that
# exports are read back by sqlite3 and Python as they were; that the examples in Python and R run. Does not pin: the numbers (unit/test_compare).
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

cat >x.json <<'JSON'
{ "name": "duel", "replications": 6, "cluster": { "devices": 2 },
  "policy": { "name": "fcfs" }, "horizon": { "duration_s": 40 },
  "applications": [
    { "name": "web", "class": "latency", "sla_ms": 60,
      "service": { "distribution": "exponential", "mean_ms": 10 } },
    { "name": "train", "class": "batch", "service": { "distribution": "deterministic", "mean_ms": 100 } } ],
  "workload": {
    "services": [ { "application": "web", "arrivals": { "rate_per_s": 100 } } ],
    "batch": [ { "application": "train", "clients": 2 } ] } }
JSON
simulate() { "$DCSIM" --config x.json --quiet "$@" || fail "a run: $*"; }
for policy in fcfs priority elastic; do
    for devices in 2 4; do
        simulate --output r.db --set policy.name=$policy --set cluster.devices=$devices
    done
done
compare() { "$DCSIM" compare "$@"; }

# --- policies ---
expect 0 "compare" compare r.db --baseline fcfs --metric sla_violation
cp out all
says all '^sla_violation of class latency against fcfs, paired by replication, 95 % intervals$' "the title"
[[ $(grep -c '^cluster.devices=' all) -eq 2 ]] || fail "not one block for each number of devices"
[[ $(grep '^cluster.devices=' all | head -1) == cluster.devices=2 ]] || fail "the order of the blocks"
says all '^fcfs +6 .* baseline$' "the baseline"
says all '^priority +6 .*-[0-9.]+ ± [0-9.]+ pp +better +[0-9]+ +± [0-9.]+ pp +[0-9]+$' "priority serves web sooner"
expect 0 "the other way round" compare r.db --baseline priority --metric sla_met
says out '^fcfs +6 .*-[0-9.]+ ± [0-9.]+ pp +worse ' "fcfs is worse"
expect 0 "within delta" compare r.db --baseline priority --metric sla_met --delta 0.999
says out '^fcfs .* same within delta ' "everything is within 99.9 points"
expect 0 "times" compare r.db --baseline fcfs --metric web.response_p99 --confidence 0.9
says out '^response_p99 of application web against fcfs, .* 90 % intervals$' "the title of an application"
says out '^priority .*-[0-9.]+ ± [0-9.]+ ms +better' "times have a unit"
expect 0 "of the whole run" compare r.db --baseline fcfs --metric utilisation
says out '^utilisation against fcfs' "of the whole run"
hash=$(sqlite3 r.db "SELECT hash FROM experiment WHERE policy = 'elastic' AND devices = 4")
expect 0 "by hash" compare r.db --baseline "${hash:0:8}" --metric sla_met
[[ $(grep -c 'baseline$' out) -eq 1 ]] || fail "a hash names one experiment"

# --- a longest time is known where no request was inside at the end of a run ---
wrong=$(sqlite3 r.db "SELECT count(*) FROM summary s WHERE name = 'response_max' AND class = 'latency' AND
    (value IS NULL) <> (SELECT sum(value) > 0 FROM metric m WHERE m.name = 'inside' AND m.experiment = s.experiment AND m.class = 'latency')")
hidden=$(sqlite3 r.db "SELECT count(*) FROM summary s WHERE name = 'response_max' AND class = 'latency' AND value IS NULL AND
    low >= (SELECT avg(value) FROM metric m WHERE m.name = s.name AND m.experiment = s.experiment AND m.class = s.class)")
[[ $wrong == 0 && $hidden -gt 0 ]] || fail "the longest time: $wrong, $hidden"
expect 0 "a longest time" compare r.db --baseline fcfs --metric response_max
says out '> [0-9.]+ m?s .*(baseline|not compared)' "what it exceeds"

# --- batch work over that alone is a sum: said where several applications add up to it ---
for batch in '{"application":"stream"}' '{"application":"stream"},{"application":"solve"}'; do
    echo '{ "profile": "made-up", "sharing": { "model": "spatial" }, "policy": { "name": "mps-even" }, "horizon": { "duration_s": 1 },
        "sweep": { "axes": [ { "key": "policy.name", "values": [ "mps-even", "baymax" ] } ] },
        "workload": { "services": [ { "application": "answer", "arrivals": { "rate_per_s": 30 } } ], "batch": [ '"$batch"' ] } }' >sum.json
    rm -f sum.db sum.html
    "$DCSIM" --config sum.json --output sum.db --quiet || fail "a run of $batch"
    expect 0 "a sum of $batch" compare sum.db --baseline baymax --metric batch.normalised_throughput
    cp out sum
    expect 0 "a run with $batch" "$DCSIM" --config sum.json --set sweep=null
    cat out >>sum
    expect 0 "a report of $batch" "$DCSIM" report sum.db -o sum.html
    cat sum.html >>sum
    if [[ $batch == *solve* ]]; then
        says sum '^The metric is a sum of 2 applications' "compare says what is added up"
        says sum '^  work over that alone, sum of 2 applications ' "a run says it"
        says sum 'alone is a sum over applications: of 2<' "a report says it"
    else
        grep -qE 'sum (of|over)' sum && fail "one application is called a sum"
    fi
done

# --- the same whatever the order in which runs were made; runs that one lacks are left out ---
for policy in elastic priority fcfs; do
    for devices in 4 2; do
        simulate --output s.db --set policy.name=$policy --set cluster.devices=$devices --threads 1
    done
done
expect 0 "another order" compare s.db --baseline fcfs --metric sla_violation
cmp -s out all || fail "the order of the runs changes what compare says"
sqlite3 s.db "PRAGMA foreign_keys = ON; DELETE FROM run WHERE replication = 3 AND experiment IN
    (SELECT id FROM experiment WHERE policy = 'priority')"
expect 0 "a run is missing" compare s.db --baseline fcfs --metric sla_violation
says out '^priority +5 ' "five pairs"

# --- undecided, one run, medians ---
simulate --output few.db --set replications=1
simulate --output few.db --set replications=1 --set policy.name=priority
expect 0 "one run" compare few.db --baseline fcfs --metric sla_met
says out '^priority +1 .* undecided +- +- +-$' "a single pair has no interval"
for policy in elastic priority; do simulate --output even.db --set policy.name=$policy --set cluster.devices=40; done
expect 0 "equal" compare even.db --baseline elastic --metric latency.response_mean
says out '^priority .* same ' "nobody waits"
for policy in fcfs priority; do simulate --output median.db --set policy.name=$policy --set interval=median; done
expect 0 "medians" compare median.db --baseline fcfs --metric latency.response_mean
says out ' median +difference' "the column says median"
says out '^priority .*\[.*\] ms' "bootstrap interval"

# --- equal within, and one unit: what is read is what the database holds, here values made up ---
cp few.db made.db
simulate --output made.db --set policy.name=fcfs
simulate --output made.db --set policy.name=priority
made() { # METRIC VALUE: an expression of the run's replication r and, as 0 and 1, of the policy p
    sqlite3 made.db "UPDATE metric SET value = (SELECT $2 FROM (SELECT metric.replication AS r,
        (SELECT policy = 'priority' FROM experiment WHERE id = metric.experiment) AS p)) WHERE name = '$1' AND class = 'latency'"
}
made sla_met '0.5 + p * ((r % 2) * 0.02 - 0.0099)'
expect 0 "equal" compare made.db --baseline fcfs --metric sla_met
says out '^priority +6 .*\+0.01 ± 1.15 pp +equal within 1.16 pp +>600 +± [0-9.]+ pp +>600$' "no number of runs beyond the bound"
says out 'equal within" the interval' "what it means"
expect 0 "the report" "$DCSIM" report made.db -o made.html
says made.html '0.01 ± 1.15 pp: equal within 1.16 pp' "the report says the same"
made sla_met '0.5 + p * ((r % 2) * 0.02 - 0.008)'
expect 0 "undecided" compare made.db --baseline fcfs --metric sla_met
says out '^priority +6 .* undecided: [0-9]+ more +[0-9]+ ' "a number within the bound"
made response_mean '9e8 + p * (r % 3) * 2e-7'
expect 0 "rounding" compare made.db --baseline fcfs --metric response_mean
says out '^priority +6 .* same ' "a difference of rounding is none"
made response_mean '9e8 + p * 2e8 + p * r * 1e6'
expect 0 "one unit" compare made.db --baseline fcfs --metric response_mean
says out '^fcfs +6 +0\.9[0-9]* s +baseline$' "the baseline in seconds, as the largest value"
says out '^priority +6 +1\.10 s +\+0\.[0-9]+ ± 0\.0[0-9]+ s +worse .* ± 0\.00[0-9]+ s ' "all of a table in seconds"

made sla_met '0.5 + p * (0.06 - r * 0.001)'
expect 0 "its page" "$DCSIM" report made.db --baseline fcfs -o made.html
sed -n '/<figcaption>[^<]*, against fcfs</,/<.figure>/p' made.html | tr -d '\n' | sed 's/<figcaption>/\n&/g' | grep '5\.[0-9]* ± .* pp' >figure
says figure '>0</text>.*>difference to fcfs \(pp\)<.*±&#160;[0-9.]+&#160;pp</td>' "an axis of differences has 0; all are in points"

# --- a metric of the whole run is not of a class ---
expect 2 "no such scope" compare made.db --baseline fcfs --metric batch.utilisation
says err 'made.db: holds no batch.utilisation: utilisation is of the whole run' "what has it"

# --- a mean that lacks more than a hundredth of the requests is not compared ---
sqlite3 made.db "UPDATE metric SET value = 0.009 * (SELECT value FROM metric m WHERE m.name = 'requests' AND m.class = 'latency' AND
    m.experiment = metric.experiment AND m.replication = metric.replication) WHERE name = 'inside' AND class = 'latency'"
expect 0 "nearly all" compare made.db --baseline fcfs --metric response_mean
says out '^priority +6 .*worse' "compared"
sqlite3 made.db "UPDATE metric SET value = value * 2 WHERE name = 'inside' AND class = 'latency' AND experiment IN (SELECT id FROM experiment WHERE policy = 'priority')"
expect 0 "less than all" compare made.db --baseline fcfs --metric response_mean
says out '^priority +0 +1\.10 s +- +not compared ' "its mean, and no verdict"
says out '^Means are of the requests that ended alone: priority [0-9]+ of [0-9]+\. ' "whose mean it is"

# --- a quantile that some run did not reach is no number ---
sqlite3 made.db "UPDATE metric SET value = NULL WHERE name = 'response_p99' AND replication = 2 AND experiment IN (SELECT id FROM experiment WHERE policy = 'priority')"
expect 0 "one run did not reach it" compare made.db --baseline fcfs --metric latency.response_p99
says out '^priority +0 +not reached +- +not compared ' "the others do not stand for it"
sqlite3 made.db "UPDATE summary SET value = NULL, low = 7e9 WHERE name = 'response_p99' AND experiment IN (SELECT id FROM experiment WHERE policy = 'priority')"
expect 0 "nor did all together" compare made.db --baseline fcfs --metric latency.response_p99
says out '^priority +0 +> 7.00 s +- +not compared ' "what it exceeds"
says out '^> x: so much had not ended' "and why"
expect 0 "against it" compare made.db --baseline priority --metric latency.response_p99
says out '^priority +6 +> 7.00 s +baseline' "of the baseline, too"
says out '^fcfs +0 +[0-9.]+ s +- +not compared ' "the other has its value"

# --- two builds of the program ---
grep -q builds all && fail "one build is called two"
cp r.db builds.db
sqlite3 builds.db "UPDATE run SET build = 'older' WHERE experiment IN (SELECT id FROM experiment WHERE policy = 'priority')"
expect 0 "two builds" compare builds.db --baseline fcfs --metric sla_met
says out '^WARNING: runs of several builds are compared \(.* of fcfs, older of priority\)' "two builds"

# --- two versions of the model: what an experiment of an earlier one is called ---
says all '^All is of version [0-9]+ of the model\.$' "the version"
model=$(sed -n 's/^#define DCS_MODEL_VERSION //p' "$SOURCE_DIR/src/experiment/experiment.h")
[[ $(grep -c "version $model of the model" all) -eq 1 ]] || fail "another version than $model"
cp r.db models.db
sqlite3 -separator ' ' r.db "SELECT id, config_hash FROM experiment WHERE devices = 2 AND policy <> 'elastic'" |
    while read -r id config; do
        hash=$({ printf 'model 1\nconfig %s\n' "$config"
            sqlite3 r.db "SELECT 'profile ' || sha256 FROM input WHERE experiment = $id"
            printf 'plugin \n'; } | sha256sum | cut -d' ' -f1)
        sqlite3 models.db "UPDATE experiment SET hash = '$hash' WHERE id = $id"
    done
expect 0 "two models" compare models.db --baseline fcfs --metric sla_met
says out '^WARNING: several versions of the model' "several models"
[[ $(grep -cx "model 1, cluster.devices=2\|model $model, cluster.devices=4" out) -eq 2 ]] || fail "not a block for each model: $(cat out)"
grep -qx "model $model, cluster.devices=2" out && fail "elastic is compared with another model's fcfs"
says out '^1 experiment met worlds that nothing else here has met' "elastic is alone"
sqlite3 models.db "UPDATE experiment SET hash = replace(hash, '0', '1') WHERE devices = 2"
expect 0 "an unknown model" compare models.db --baseline fcfs --metric sla_met
says out '^an unknown model, cluster.devices=2$' "unknown"

# --- another key ---
expect 0 "devices" compare r.db --baseline cluster.devices=2 --key cluster.devices --metric sla_met
[[ $(grep -c '^policy.name=' out) -eq 3 ]] || fail "not one block for each policy"
says out '^cluster.devices=4 .* better' "more devices are better"
expect 0 "two keys" compare r.db --baseline 'priority (cluster.devices=2)' --key policy --key cluster.devices --metric sla_met
[[ $(grep -c 'cluster.devices=' out) -eq 7 ]] || fail "all six in one block"

# --- names that are too long for the table: no two lines read alike ---
rate='workload.services[0].arrivals.rate_per_s'
for devices in 2 3; do
    for per_s in 100 110; do
        simulate --output long.db --set replications=2 --set cluster.devices=$devices --set "$rate=$per_s"
    done
done
expect 0 "long names" compare long.db --baseline "cluster.devices=2, $rate=100" --key cluster.devices --key workload --metric latency.response_mean
for name in 2:100 2:110 3:100 3:110; do
    says out "^cluster\.devices=${name%:*}.*…[a-z_]+=${name#*:} " "$name is named by what differs"
done
grep 'ms' out | awk 'length > 110' | grep -q . && fail "lines are longer than the width: $(cat out)"
# A name as the table shows it, or a part of it, is taken for the baseline.
long=(compare long.db --key cluster.devices --key workload --metric latency.response_mean --baseline)
cp out all
while read -r name; do
    expect 0 "$name" "${long[@]}" "$name"
    whole=${name/…*=/, $rate=}
    [[ $(grep -cF "$name  " all) == 1 && $(tr -s ' \n' ' ' <out) == *" against $whole, paired "* ]] || fail "not the baseline: $name"
done < <(sed -n 's/^\(cluster[^ ]* *[^ ]*…[^ ]*\)  .*/\1/p' all)
[[ $(grep -c '^cluster.*…' all) == 4 ]] || fail "four names that are cut expected: $(cat all)"
expect 0 "a part" "${long[@]}" 'devices=3…s=110'
says out '^cluster.devices=3.*=110  .* baseline$' "a part"
says out "against cluster.devices=3, .*$rate=110|^ *.*rate_per_s=110, paired" "the title has the whole name"
refused '"per_s=11" is a part of each of "cluster.devices=[23].*", "cluster.devices=[23].*": name one by more of it' "parts of two" \
    "${long[@]}" per_s=11
refused 'is a part of each of' "a name that another one begins with" "${long[@]}" 'devices=2…=1'
for name in 'devices=3…devices=3' '…' '' 'devices=4'; do
    refused "no experiment \"$name\".*; it holds (\"cluster.devices=[23].*=1[01]0\"(, |\$)){4}" "not a part: $name" \
        "${long[@]}" "$name"
done
for per_s in 100 110; do # what differs stands in three places
    simulate --output long.db --set replications=2 --set horizon.duration_s=41 --set cluster.devices=2 --set "$rate=$per_s"
done
hash=$(sqlite3 long.db "SELECT hash FROM experiment WHERE devices = 2 ORDER BY id LIMIT 1")
expect 0 "longer names" compare long.db --baseline "${hash:0:8}" --key cluster.devices --key workload --key horizon --metric latency.response_mean
[[ -z $(sed -n 's/  .*//; /^[0-9a-f]\{8\}$\|^cluster/p' out | sort | uniq -d) ]] || fail "two lines read alike: $(cat out)"
says out "^${hash:0:8} +2 .* baseline" "a line that only its hash tells from another"
says out "^${hash:0:8}: cluster\.devices=2, horizon\.duration_s=4[01], .*rate_per_s=1[01]0$" "what the hash stands for"

# --- options of a policy ---
simulate --output r.db --set 'policy={"name":"elastic","revocation":true}'
refused '"elastic" is each of "elastic \(revocation=false\)" \([0-9a-f]{11}\), "elastic \(revocation=true\)"' "two of a policy" \
    compare r.db --baseline elastic --metric sla_met
expect 0 "named by its options" compare r.db --baseline 'elastic (revocation=true)' --metric sla_met

expect 0 "named by a part of its options" compare r.db --baseline 'tion=t' --metric sla_met
says out 'against elastic \(revocation=true\), paired' "the whole name of a part"

# --- refused ---
refused 'no metric "sla_mett"; did you mean "sla_met"\? \(docs/results.md' "a metric" compare r.db --baseline fcfs --metric sla_mett
refused 'no metric "nonsense"; some are sla_met, .* \(docs/results.md explains all\)' "a word" compare r.db --baseline fcfs --metric nonsense
refused '--delta: response_p99 is a time: 5 lacks its unit' "a time without a unit" compare r.db --baseline fcfs --metric response_p99 --delta 5
refused '--delta: sla_met is no time' "a unit of a share" compare r.db --baseline fcfs --metric sla_met --delta 5ms
refused 'no class or application "wed"; did you mean "web"' "an application" compare r.db --baseline fcfs --metric wed.sla_met
refused 'no experiment "fcsf"; did you mean "fcfs"' "a baseline" compare r.db --baseline fcsf --metric sla_met
refused 'no config in r.db has the key "cluster.devises"; did you mean "cluster.devices"' "a key" \
    compare r.db --baseline fcfs --metric sla_met --key cluster.devises
refused '--key seed: ' "other worlds" compare r.db --baseline fcfs --metric sla_met --key seed
refused '--key takes the path' "no path" compare r.db --baseline fcfs --metric sla_met --key "x') --"
refused 'nothing to compare' "one policy" compare few.db --baseline fcfs --metric sla_met --key replications
simulate --output alone.db
refused 'nothing to compare: no two experiments differ in policy alone' "alone" compare alone.db --baseline fcfs --metric sla_met
refused '--baseline is missing' "no baseline" compare r.db --metric sla_met
refused '--metric is missing' "no metric" compare r.db --baseline fcfs
refused '--delta takes' "delta" compare r.db --baseline fcfs --metric sla_met --delta -1
refused '--confidence takes' "confidence" compare r.db --baseline fcfs --metric sla_met --confidence 95
refused 'expected one results database' "no database" compare --baseline fcfs --metric sla_met
refused 'no such file' "a file that is missing" compare nowhere.db --baseline fcfs --metric sla_met
for command in "compare" "export"; do
    arguments=(--baseline fcfs --metric sla_met)
    [[ $command == export ]] && arguments=(headline --csv)
    : >empty.db
    refused 'is empty: no run' "$command: empty" "$DCSIM" $command empty.db "${arguments[@]}"
    echo "no database, but a text that is long enough to look at, in any case longer than a header is: 100 bytes" >text.db
    refused 'cannot be read: file is not a database' "$command: text" "$DCSIM" $command text.db "${arguments[@]}"
    rm -f other.db old.db
    sqlite3 other.db "CREATE TABLE t (x)"
    refused 'one of another program' "$command: another program's" "$DCSIM" $command other.db "${arguments[@]}"
    cp r.db old.db
    sqlite3 old.db "PRAGMA user_version = 3"
    refused 'has schema 3, this is dcsim .* with schema [0-9]+' "$command: another schema" "$DCSIM" $command old.db "${arguments[@]}"
done
rm -f empty.db
cp r.db none.db
sqlite3 none.db "PRAGMA foreign_keys = ON; DELETE FROM run; DELETE FROM summary"
refused 'holds no metric|holds no run' "no runs" compare none.db --baseline fcfs --metric sla_met
expect 0 "help" compare --help
says out '^Usage: dcsim compare ' "help"

# --- export ---
export_view() { "$DCSIM" export "$@"; }
expect 0 "names" export_view r.db
[[ $(cat out) == "$(sqlite3 r.db "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY type = 'table', name")" ]] ||
    fail "not the names of all views and tables"
cp out views
while read -r view; do
    expect 0 "CSV of $view" export_view r.db "$view" --csv
    cp out "$view.csv"
    expect 0 "JSON of $view" export_view r.db "$view" --json
    cp out "$view.json"
done <views
cat >check.py <<'PYTHON'
import csv, json, sqlite3, sys
db = sqlite3.connect("r.db")
for (view,) in db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"):
    rows = db.execute(f'SELECT * FROM "{view}"')
    names = [column[0] for column in rows.description]
    rows = rows.fetchall()
    found = json.load(open(f"{view}.json"))
    more = ["label"] if view == "headline" else [] # and a column for each key of a sweep
    assert [list(row)[:len(names) + len(more)] for row in found] == [names + more] * len(rows), view
    assert [{name: row[name] for name in names} for row in found] == [dict(zip(names, row)) for row in rows], view
    read = list(csv.reader(open(f"{view}.csv", newline="")))
    assert read[0][:len(names)] == names and len(read) == len(rows) + 1, view
    for have, want in zip(read[1:], rows):
        for h, w in zip(have, want):
            assert h == ("" if w is None else w) if isinstance(w, (str, type(None))) else float(h) == w, (view, h, w)
PYTHON
if command -v python3 >/dev/null; then expect 0 "exports read back" python3 check.py; fi
# Policies that differ in an option have other labels, and what a sweep goes over is a column.
cat >told.json <<'JSON'
{ "policy": { "name": "elastic" }, "horizon": { "duration_s": 2 }, "applications": [ { "name": "web", "class": "latency", "sla_ms": 60,
    "service": { "mean_ms": 10 } } ], "workload": { "services": [ { "application": "web", "arrivals": { "rate_per_s": 50 } } ] },
  "sweep": { "axes": [ { "key": "policy.revocation", "values": [false, true] },
                       { "key": "workload.services[0].arrivals.rate_per_s", "values": [40, 50] } ] } }
JSON
"$DCSIM" --config told.json --quiet --output told.db || fail "a sweep"
expect 0 "a sweep's headline" export_view told.db headline --csv
says out ',label,policy\.revocation,workload\.services\[0\]\.arrivals\.rate_per_s$' "the columns of a sweep"
says out ',elastic \(revocation=true\),1,40$' "a row of a sweep"
[[ $(grep -o 'elastic (revocation=[a-z]*),[01],[45]0$' out | sort -u | wc -l) -eq 4 ]] || fail "rows that read alike"
sqlite3 -csv -header r.db ".import headline.csv h" "SELECT count(*) FROM h" >out 2>err || fail "sqlite3 reads no CSV"
sqlite3 r.db "DROP TABLE h; UPDATE experiment SET name = 'a \"b\", c' || char(10) || 'd' WHERE policy = 'fcfs'"
expect 0 "quotes" export_view r.db headline --csv
says out ',"a ""b"", c$' "quotes are doubled"
refused 'no view or table "headlin"; did you mean "headline"' "a view" export_view r.db headlin --csv
refused 'no view or table "run; DROP TABLE run"' "no SQL" export_view r.db 'run; DROP TABLE run' --csv
refused 'expected one of --csv and --json' "no format" export_view r.db headline
refused 'expected one of --csv and --json' "two formats" export_view r.db headline --csv --json
refused 'unknown option' "an option" export_view r.db headline --xml

# --- a world without the application: nothing of it, and not the whole run's number ---
for name in web web2; do
    for policy in fcfs priority; do
        simulate --output worlds.db --set policy.name=$policy --set 'applications[0].name'=$name \
            --set "workload.services[0].application=$name"
    done
done
"$DCSIM" compare worlds.db --baseline fcfs --metric web.unfinished >out 2>err
[[ $(sed -n '/application=web2/,/^$/p' out | grep -cE '^(fcfs|priority) .* 0 +- ') -eq 2 ]] || fail "web2 has a number of web: $(cat out)"

# --- examples ---
for python in python3 /usr/bin/python3; do
    if "$python" -c "import pandas" 2>/dev/null; then
        expect 0 "pandas" "$python" "$SOURCE_DIR/examples/with_pandas.py" r.db
        says out '^mean +0\.0* ' "the baseline differs from itself by 0"
        break
    fi
done
if command -v Rscript >/dev/null && Rscript -e 'quit(status = !requireNamespace("RSQLite", quietly = TRUE))' 2>/dev/null; then
    for policy in fcfs priority; do simulate --output example.db --set policy.name=$policy; done
    expect 0 "R" Rscript "$SOURCE_DIR/examples/results.R" example.db
    # The lines of t.test: what sqlite3 makes of the same rows, either way round.
    is_mean=$(sqlite3 example.db "SELECT printf('-?%.5f', abs(sum(m.value * iif(e.policy = 'fcfs', 1, -1)) / 6))
        FROM metric m JOIN experiment e ON e.id = m.experiment WHERE m.name = 'sla_met' AND class = 'latency'")
    says out "^ +${is_mean//./\\.}" "the difference of two policies"
fi
finish
