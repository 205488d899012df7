#!/bin/bash
# dcsim report on the command line.
#
# Pins: each kind of database gives a page that is well-formed, self-contained and accessible (report_page.py), with
# its figures; the numbers are those of the database; names are escaped; the same results give the same page; what
# is refused, and that nothing is overwritten or left behind. Does not pin: how it looks (report_browser.sh).
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

cat >x.json <<'JSON'
{ "name": "duel", "description": "Two applications", "replications": 3, "cluster": { "devices": 2 },
  "policy": { "name": "fcfs" }, "horizon": { "duration_s": 20 }, "outputs": { "requests": true },
  "applications": [
    { "name": "web", "class": "latency", "sla_ms": 60,
      "service": { "distribution": "exponential", "mean_ms": 10 } },
    { "name": "train", "class": "batch", "service": { "distribution": "deterministic", "mean_ms": 100 } } ],
  "workload": {
    "services": [ { "application": "web", "arrivals": { "rate_per_s": 100 } } ],
    "batch": [ { "application": "train", "clients": 2 } ] } }
JSON
simulate() { "$DCSIM" --config x.json --quiet "$@" || fail "a run: $*"; }
report() { "$DCSIM" report "$@"; }
# page FILE FIGURES TEXT...
page() {
    checks=$((checks + 1))
    python3 "$SOURCE_DIR/tests/e2e/report_page.py" "$@" || fail "the page $1"
}

# --- one experiment ---
simulate --output one.db
expect 0 "one experiment" report one.db -o one.html
[[ -s out || -s err ]] && fail "a report says something on the terminal"
met=$(sqlite3 one.db "SELECT printf('%.2f', 100 * sla_met) FROM headline")
page one.html 3 "duel" "Two applications" "Under fcfs, $met" "of latency requests meet the SLA of 60.0 ms (violates)" "Which class runs over time" \
    "$(sqlite3 one.db 'SELECT hash FROM experiment')"
expect 0 "the same again" report one.db --output again.html
cmp -s one.html again.html || fail "the same results give another page"
find . -name '*partial*' | grep -q . && fail "a partial file is left"

grep -q 'What made requests late' one.html && fail "it says what it does not know"
cp one.db late.db
expect 0 "why requests are late" "$DCSIM" explain late.db --keep
expect 0 "a report of that" report late.db -o late.html
first=$(sqlite3 late.db "SELECT CASE part WHEN 'queue' THEN 'queueing behind ' || CASE whom WHEN application THEN 'others of its application'
    ELSE whom END WHEN 'behind' THEN 'behind earlier requests of its service' ELSE part END || ', ' || printf('%.2f %%', 100 * share) || ' of the time of late requests; without it ' || enough || ' of them'
    FROM late_summary WHERE part <> 'own' ORDER BY enough DESC, ms DESC LIMIT 1")
page late.html 3 "What made requests late" "To fix first: $first" "its own work" \
    "These are late requests of 1 of 3 runs, where dcsim explain --keep has looked: replication 0." \
    "$(sqlite3 late.db "SELECT printf('%.2f %%', 100 * share) FROM late_summary WHERE part = 'queue' ORDER BY share DESC LIMIT 1")"

for replication in 1 2; do
    "$DCSIM" explain late.db --keep --replication $replication >/dev/null || fail "keep of run $replication"
done
expect 0 "a report of all runs" report late.db -o all.html
grep -q 'These are late requests of' all.html && fail "all runs were looked at, and it says how many were"

# --- policies in one world, over an axis, and in several settings ---
for policy in fcfs priority elastic; do
    for rate in 60 100 140; do
        simulate --output axis.db --set policy.name=$policy --set "workload.services[0].arrivals.rate_per_s=$rate"
    done
    simulate --output duel.db --set policy.name=$policy
done
expect 0 "one world" report duel.db -o duel.html --baseline fcfs --title 'Three policies'
# What does best in something may miss its SLA.
page duel.html 8 "(misses its SLA)" "verdict on it" "60.0 ms"
[[ $(sqlite3 duel.db "SELECT DISTINCT verdict FROM sla_verdict") == violates ]] || fail "the verdicts are not what the test needs"
[[ $(grep -o '<td>60.0&#160;ms</td><td class="text">violates</td>\|<td>60.0 ms</td><td class="text">violates</td>' duel.html | wc -l) -eq 6 ]] ||
    fail "a row without its verdict"
page duel.html 8 "Three policies" "Fewest late requests: " "Most batch work: " "fcfs (baseline)" "against fcfs"
worst=$(sqlite3 duel.db "SELECT printf('%.2f', 100 - 100 * sla_met) FROM headline WHERE policy = 'fcfs'")
page duel.html 8 "$worst"
# An interval of decades does not flatten the others: the axis is logarithmic.
figure() { sed -n "/<figcaption>Response time of latency requests: 99.*% are faster</,/<.figure>/p" "$1" | tr -d '\n'; }
[[ $(figure duel.html) == *'>SLA</text>'* ]] || fail "no line of the SLA in the figure of p99"
[[ $(figure duel.html) == *'>0</text>'* ]] || fail "the axis of a few times does not begin at 0"
cp duel.db decades.db
sqlite3 decades.db "UPDATE summary SET value = 1e7, low = 9e6, high = 1.1e7 WHERE name = 'response_p99' AND app IS NULL;
    UPDATE summary SET high = 1e11 WHERE name = 'response_p99' AND app IS NULL AND experiment = (SELECT max(id) FROM experiment)"
expect 0 "decades" report decades.db -o decades.html
[[ $(figure decades.html) == *'>0.1</text>'*'>1</text>'*'>10</text>'* ]] || fail "an interval of decades on an even axis"
[[ $(figure decades.html) == *'s, log scale)</text>'* ]] || fail "an axis does not say that it is logarithmic"
[[ $(figure duel.html) == *'log scale'* ]] && fail "an even axis is called logarithmic"
# A policy that lacks a world of the baseline is in the table, and no answer names it.
simulate --output part.db --set policy.name=fcfs --set "workload.services[0].arrivals.rate_per_s=140"
simulate --output part.db --set policy.name=priority --set "workload.services[0].arrivals.rate_per_s=140"
for policy in fcfs elastic; do
    simulate --output part.db --set policy.name=$policy --set "workload.services[0].arrivals.rate_per_s=60"
done
simulate --output part.db --set policy.name=elastic --set "workload.services[0].arrivals.rate_per_s=140"
expect 0 "worlds that one policy did not meet" report part.db -o part.html --baseline fcfs
page part.html 8 "Over 2 worlds, fewest late requests: "
grep -o 'class="answer">[^<]*' part.html >out
grep -q priority out && fail "a policy is ranked that lacks a world"
# Random numbers in place of the results: the answer is always that of the table.
for rate in 60 100 140; do
    for policy in fcfs priority; do
        simulate --output random-of.db --set policy.name=$policy --set "workload.services[0].arrivals.rate_per_s=$rate"
    done
    for revocation in true false; do
        simulate --output random-of.db --set policy.name=elastic --set policy.revocation=$revocation \
            --set "workload.services[0].arrivals.rate_per_s=$rate"
    done
done
expect 0 "answers to random results" python3 "$SOURCE_DIR/tests/e2e/report_answer.py" "$DCSIM" random-of.db 30
# The baseline has default options, or is what a sweep names first; never the first by its name alone.
simulate --output default.db --set policy.name=elastic --set policy.window=1
simulate --output default.db --set policy.name=elastic
expect 0 "a baseline" report default.db -o default.html
[[ $(grep -o '<th scope="row">[^<]*(baseline)' default.html) != *window=1\)* ]] || fail "the baseline is not the policy with its defaults"
cat >order.json <<'JSON'
{ "name": "order", "replications": 2, "policy": { "name": "priority" }, "horizon": { "duration_s": 3 },
  "applications": [ { "name": "web", "class": "latency", "sla_ms": 60,
      "service": { "distribution": "exponential", "mean_ms": 10 } } ],
  "workload": { "services": [ { "application": "web", "arrivals": { "rate_per_s": 50 } } ] },
  "sweep": { "axes": [ { "key": "policy.name", "values": ["priority", "elastic", "fcfs"] } ] } }
JSON
expect 0 "a sweep of policies" "$DCSIM" --config order.json --quiet --output order.db
expect 0 "its report" report order.db -o order.html
grep -q '<th scope="row">priority (baseline)' order.html || fail "the baseline is not what the sweep names first"
# The response times are those of the hardest world that overloads nobody: not of the last, the easiest.
cp axis.db hard.db
sqlite3 hard.db "UPDATE summary SET value = 0 WHERE name = 'overloaded';
    UPDATE summary SET value = CASE (SELECT json_extract(config, '\$.workload.services[0].arrivals.rate_per_s') FROM experiment WHERE id = experiment)
        WHEN 60 THEN 0.7 WHEN 100 THEN 0.2 ELSE 0.9 END WHERE name = 'sla_met'"
expect 0 "worlds of which one is hardest" report hard.db -o hard.html
page hard.html 8 "Where workload.services[0].arrivals.rate_per_s=100. Of the worlds that most experiments met and that overload no policy"
sqlite3 hard.db "UPDATE summary SET value = 1 WHERE name = 'overloaded' AND (SELECT json_extract(config, '\$.workload.services[0].arrivals.rate_per_s')
    FROM experiment WHERE id = experiment) = 100"
expect 0 "the hardest is overloaded" report hard.db -o easier.html
page easier.html 8 "Where workload.services[0].arrivals.rate_per_s=60. Of the worlds" "overloaded in 1 of 3"
# Times beside each other have one unit, and nothing is drawn over a label of a row or the name of the SLA's line.
cp duel.db units.db
sqlite3 units.db "UPDATE summary SET value = value * 100, low = NULL, high = NULL WHERE name = 'response_p99' AND app IS NULL AND
    experiment = (SELECT max(id) FROM experiment)"
expect 0 "times of two units" report units.db -o units.html
[[ $(figure units.html | grep -o 'text-anchor="end">[0-9][^<]*' | grep -o '[a-z]*$' | sort -u | wc -l) -eq 1 ]] || fail "p99 in several units: $(figure units.html)"
[[ $(figure units.html) == *'class="mark"'*'class="ground"'* ]] || fail "the line of the SLA is drawn over labels"
# Many keys that differ are folded, so that the answer is near.
cp part.db keys.db
simulate --output keys.db --set policy.name=fcfs --set cluster.devices=3 --set horizon.duration_s=21 --set horizon.warmup_s=1 \
    --set "applications[0].sla_ms=61" --set "applications[0].service.mean_ms=11" --set "applications[1].service.mean_ms=101" \
    --set "workload.batch[0].clients=3" --set seed=7 --set "workload.services[0].arrivals.rate_per_s=61" \
    --set cluster.router=random --set "applications[0].memory_mb=11" --set "applications[1].memory_mb=12"
expect 0 "many keys" report keys.db -o keys.html --baseline fcfs
page keys.html 8 "keys of the configs vary" "What varies"
expect 0 "an axis" report axis.db -o axis.html --baseline fcfs
[[ $(figure axis.html) == *'>SLA</text>'* ]] || fail "no line of the SLA over an axis"
page axis.html 8 "workload.services[0].arrivals.rate_per_s" "3 worlds" "of 3"
# One policy over an axis: where it meets its SLA, and where it does not.
cp axis.db alone.db
sqlite3 alone.db "PRAGMA foreign_keys = ON; DELETE FROM experiment WHERE policy <> 'fcfs'"
expect 0 "one policy" report alone.db -o alone.html
page alone.html 4 "Under fcfs, 3 experiments over workload.services[0].arrivals.rate_per_s; missed in 3 (at 60 to 140)"
grep -q 'Means over the worlds\|All policies' alone.html && fail "the mean of all rates, which is of none"
# A value that is not known is no point of a line, and the note says where; the other figures have all.
sqlite3 alone.db "UPDATE summary SET value = NULL WHERE name = 'response_p99' AND app IS NULL AND experiment = (SELECT id FROM experiment ORDER BY id LIMIT 1)"
expect 0 "a value is missing" report alone.db -o alone.html
[[ $(figure alone.html) =~ 'intervals. Experiments without this value are left out: at '(60|100|140)'.' ]] ||
    fail "no word of what is not drawn: $(figure alone.html)"
[[ $(grep -c 'are left out' alone.html) -eq 1 ]] || fail "other figures lack a point, too"
# So does the picture of it alone, in rows of words.
expect 0 "a picture" python3 "$SOURCE_DIR/plots/report_figure.py" alone.html "Response time of latency requests" -o alone.svg
[[ $(sed 's/<[^>]*>//g' alone.svg | tr '\n' ' ') == *'Experiments without this value are left out: at '* ]] ||
    fail "a picture without the note of its figure"
# Several places, once each whatever the number of policies, and in full.
cp axis.db places.db
sqlite3 places.db "UPDATE summary SET value = NULL WHERE name = 'response_p99' AND app IS NULL AND experiment IN
    (SELECT id FROM experiment WHERE config ->> '$.workload.services[0].arrivals.rate_per_s' < 140);
    UPDATE experiment SET config = json_set(config, '$.workload.services[0].arrivals.rate_per_s', 100.00001)
    WHERE config ->> '$.workload.services[0].arrivals.rate_per_s' = 100"
expect 0 "two values are missing" report places.db -o places.html --baseline fcfs
[[ $(figure places.html) == *' are left out: at 60, 100.00001.'* ]] || fail "not both places: $(figure places.html)"
# A figure of dots says so, too.
cp duel.db dots.db
sqlite3 dots.db "UPDATE summary SET value = NULL, low = NULL, high = NULL WHERE name = 'response_p99' AND app IS NULL AND
    experiment = (SELECT max(id) FROM experiment)"
expect 0 "a dot is missing" report dots.db -o dots.html
[[ $(figure dots.html) == *'Experiments without this value are left out.'* ]] || fail "no word of a dot that is missing: $(figure dots.html)"
grep -q 'are left out' duel.html && fail "values are said to be missing that are there"
# Two keys that move together, as dcsim capacity varies them: a point is an experiment, not a mean.
expect 0 "a search" "$DCSIM" capacity x.json --vary 'cluster.devices,workload.batch[0].clients=1:6' --metric batch.throughput --at-least 30 --output search.db
sqlite3 search.db "UPDATE run SET stranded = 2 WHERE replication = 1 AND experiment = (SELECT min(id) FROM experiment)"
expect 0 "its report" report search.db -o search.html
page search.html 4 "over cluster.devices; " "Each point is an experiment; other keys differ from point to point too. Bars: 95 % intervals." \
    "requests, in 1 of" "Stranded: requests that waited at the end although a device idled"
grep -q 'settings of what else varies' search.html && fail "a mean of one experiment"

# --- an option that differs in some worlds only: a policy is called the same in all of them ---
for rate in 60 100; do
    simulate --output named.db --set policy.name=elastic --set policy.window=8 --set "workload.services[0].arrivals.rate_per_s=$rate"
    simulate --output named.db --set policy.name=fcfs --set "workload.services[0].arrivals.rate_per_s=$rate"
done
simulate --output named.db --set policy.name=elastic --set policy.window=64 --set "workload.services[0].arrivals.rate_per_s=60"
expect 0 "names" report named.db -o named.html --baseline fcfs
page named.html 4 "elastic (window=8)" "elastic (window=64)"
grep -q '<tr><th scope="row">elastic (window=8)</th><td>2</td>' named.html || fail "a policy has two names"
grep -q '<th scope="row">elastic</th>' named.html && fail "a policy has a name without its option"

# --- variants of a policy: what most of them have is not named; predictors have rows of their own ---
for options in revocation=false window=64 revocation=true; do
    simulate --output variants.db --set policy.name=elastic --set policy.$options
done
expect 0 "variants" report variants.db -o variants.html
for label in "elastic (baseline)" "elastic (window=64)" "elastic (revocation=true)"; do
    grep -q "<tr><th scope=\"row\">$label</th><td>1</td>" variants.html || fail "no row of $label"
done
for predictor in mean clairvoyant; do
    for policy in fcfs elastic; do
        simulate --output predictors.db --set policy.name=$policy --set predictor=$predictor
    done
done
simulate --output predictors.db --set policy.name=priority
"$DCSIM" explain predictors.db --keep --experiment "$(sqlite3 predictors.db "SELECT substr(hash, 1, 11) FROM experiment WHERE
    policy = 'fcfs' AND predictor = 'clairvoyant'")" >/dev/null || fail "keep"
expect 0 "predictors" report predictors.db -o predictors.html --baseline "fcfs (predictor=mean)"
for label in "fcfs (predictor=mean) (baseline)" "fcfs (predictor=clairvoyant)" "elastic (predictor=mean)" priority; do
    grep -q "<tr><th scope=\"row\">$label</th><td>1</td>" predictors.html || fail "no row of $label"
done
page predictors.html 8 "To fix first under fcfs (predictor=clairvoyant): behind earlier requests of its service" "All policies, with 95 % intervals" \
    "Of the requests of 1 of 5 experiments that dcsim explain --keep has looked at."
grep -q '<th scope="row">fcfs (predictor=clairvoyant)</th><td class="text">its own work</td>' predictors.html ||
    fail "late time is not under the policy's name"
simulate --output predictors.db --set policy.name=fcfs --set predictor=clairvoyant --set horizon.duration_s=22
"$DCSIM" explain predictors.db --keep --experiment "$(sqlite3 predictors.db "SELECT substr(hash, 1, 11) FROM experiment WHERE
    json_extract(config, '\$.horizon.duration_s') = 22")" >/dev/null || fail "keep"
expect 0 "two that are late" report predictors.db -o two.html
# Each is folded, on paper, too; their policy has one row for each part.
grep -q '<details class="late"><summary>Late requests of each experiment and application' two.html || fail "no detail"
[[ $(sed '/<details class="late">/,$d' two.html | grep -c '>its own work<') -eq 1 ]] || fail "a policy's late time is not summed"
# On paper a table of many policies has the whole width.
simulate --output predictors.db --set policy.name=priority --set horizon.duration_s=21
expect 0 "many policies" report predictors.db -o wide.html
grep -q '<figure id="figure-1" class="wide">' wide.html || fail "five policies in half a page"
grep -q 'class="wide"' duel.html && fail "three policies over a whole page"

# --- long names that differ at their ends: no two rows of a figure read alike ---
cat >shares.json <<'JSON'
{ "replications": 2, "policy": { "name": "fixed-split" }, "profile": "rtx2080ti", "sharing": { "model": "spatial" },
  "horizon": { "duration_s": 5 }, "workload": { "services": [
    { "application": "googlenet", "sla_ms": 1500, "arrivals": { "rate_per_s": 1 } },
    { "application": "face", "sla_ms": 1500, "arrivals": { "rate_per_s": 1 } },
    { "application": "dig", "sla_ms": 1500, "arrivals": { "rate_per_s": 1 } } ] } }
JSON
for dig in 0.2 0.3 0.4; do
    "$DCSIM" --config shares.json --quiet --output shares.db --set "policy.service_shares=googlenet=0.3,face=0.2,dig=$dig" ||
        fail "a run of fixed-split"
done
expect 0 "long names" report shares.db -o shares.html
# A shared device is always busy with something: what is in use of it says more.
page shares.html 4 "SMs in use" "How much of the devices is in use"
grep -q 'useful work\|utilisation (%)' shares.html && fail "shares of busy time of devices that are shared"
grep -q 'useful work' duel.html || fail "no useful work of devices that are not shared"
grep -q 'no line marks it' shares.html && fail "one SLA of all is called different"
sqlite3 shares.db "UPDATE application SET workload_sla_ns = 1e9 WHERE name = 'face'"
expect 0 "SLAs that differ" report shares.db -o slas.html
[[ $(grep -c 'Not all have the same SLA: no line marks it.' slas.html) -eq 2 ]] || fail "no word of SLAs that differ"
sqlite3 shares.db "UPDATE application SET workload_sla_ns = NULL; UPDATE service SET sla_ns = 1e9 WHERE service = 1"
expect 0 "SLAs of one application that differ" report shares.db -o slas.html
[[ $(grep -c 'Not all have the same SLA: no line marks it.' slas.html) -eq 1 ]] || fail "no word of services whose SLAs differ"
for dig in 0.2 0.3 0.4; do
    [[ $(figure shares.html) == *">fixed-split"*"…"*"dig=$dig)</text>"* ]] || fail "a row does not show its end: $(figure shares.html)"
done

# --- a sweep; the older schema ---
cat >sweep.json <<'JSON'
{ "name": "grid", "replications": 2, "cluster": { "devices": 2 }, "policy": { "name": "fcfs" },
  "horizon": { "duration_s": 5 },
  "applications": [ { "name": "web", "class": "latency", "sla_ms": 60,
      "service": { "distribution": "exponential", "mean_ms": 10 } } ],
  "workload": { "services": [ { "application": "web", "arrivals": { "rate_per_s": 100 } } ] },
  "sweep": { "axes": [ { "key": "cluster.devices", "values": [1, 2, 3] },
                       { "key": "policy.name", "values": ["fcfs", "priority"] } ] } }
JSON
expect 0 "a sweep runs" "$DCSIM" --config sweep.json --quiet --output sweep.db
expect 0 "a sweep" report sweep.db -o sweep.html
page sweep.html 6 "grid (6 of 6 points)" "cluster.devices"
cp sweep.db old.db
sqlite3 old.db "DROP VIEW point_axis; DROP TABLE point_value; DROP TABLE point; DROP TABLE axis; DROP TABLE sweep;
    PRAGMA user_version = 5"
expect 0 "the older schema" report old.db -o old.html
page old.html 6 "cluster.devices"

# --- thousands of experiments: a page of bounded size that says what it left out ---
cp one.db many.db
sqlite3 many.db "PRAGMA foreign_keys = OFF;
    CREATE TEMP TABLE n AS WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 3000) SELECT n FROM i;
    CREATE TEMP TABLE one AS SELECT * FROM experiment;
    INSERT INTO experiment SELECT n, printf('%064x', n), name, description,
        json_set(config, '\$.workload.services[0].arrivals.rate_per_s', n % 50 + 1,
            '\$.workload.batch[0].clients', (n - 1) / 50 + 1), config_hash, policy, seed, devices, predictor, clairvoyant, steady,
        interval_kind FROM one, n;
    INSERT INTO run SELECT n, replication, build, window_from_ns, window_to_ns, first_arrival_ns, last_completion_ns,
        requests, launches, revocations, returned, stranded, events FROM run, n;
    INSERT INTO summary SELECT n.n, position, app, class, name, unit, value, low, high, summary.n, requests, median
        FROM summary, n;
    DELETE FROM experiment WHERE id > 3000; DELETE FROM run WHERE experiment > 3000"
expect 0 "thousands" report many.db -o many.html
page many.html 4 "3000 experiments" "The first 200 of 3000 experiments" "Configs of the first 20 of 3000 experiments" \
    "the mean over 60 settings of what else varies"
grep -q 'Bars: 95 % intervals.*bars are their range' many.html && fail "a caption contradicts itself"
[[ $(stat -c %s many.html) -lt 2000000 ]] || fail "the page of thousands has $(stat -c %s many.html) bytes"

# --- names from untrusted files ---
cp duel.db evil.db
sqlite3 evil.db "UPDATE experiment SET name = '<script>alert(1)</script>\" onload=''x' || char(1, 27, 8238) || CAST(x'c328ff' AS TEXT),
        description = ']]>&amp;</p><!-- ' || char(65534);
    UPDATE application SET name = '</title><svg onload=alert(2)>' WHERE class = 'latency'"
expect 0 "names that would be markup" report evil.db -o evil.html --title '<b>&"'
page evil.html 8 '<script>alert(1)</script>" onload=' ']]>&amp;</p><!-- ?' '</title><svg onload=alert(2)>' '<b>&"'
grep -q '<script\|<svg onload' evil.html && fail "a name became markup"

# --- unfinished: runs without a summary; one that has nothing to draw ---
cp one.db open.db
sqlite3 open.db "DELETE FROM summary"
expect 0 "no summary yet" report open.db -o open.html
page open.html 0 "its runs have no summary yet"

# --- refused, with nothing left behind ---
cp one.html again.html
expect 0 "a report again" report duel.db -o again.html
if ! report duel.db -o fresh.html || ! cmp again.html fresh.html; then fail "a report again: not the new one"; fi
echo mine >mine.html
refused 'mine.html: exists and is no report of dcsim' "a file of somebody" report one.db -o mine.html
[[ $(cat mine.html) == mine ]] || fail "a file of somebody was written"
refused 'nowhere.db: there is no such file' "no database" report nowhere.db -o new.html
refused 'x.json: cannot be read: file is not a database' "not a database" report x.json -o new.html
cp one.db schema.db && sqlite3 schema.db 'PRAGMA user_version = 4'
refused 'schema.db: has schema 4' "an older schema" report schema.db -o new.html
cp one.db none.db && sqlite3 none.db 'PRAGMA foreign_keys = ON; DELETE FROM experiment'
refused 'none.db: holds no run: there is nothing to report' "no run" report none.db -o new.html
refused '--baseline: .*holds no policy "fcsf"; did you mean "fcfs"' "no such policy" report duel.db -o new.html --baseline fcsf
refused '-o FILE.html is missing' "no output" report one.db
refused 'expected one results database' "no database named" report -o new.html
refused 'unknown option, or one that lacks its value: -x;' "a letter" report one.db -xy
refused 'unknown option, or one that lacks its value: --colour; dcsim report --help' "an option" report one.db -o new.html --colour
refused 'nowhere/new.html: cannot write' "no folder" report one.db -o nowhere/new.html
cp one.db bad.db && sqlite3 bad.db "UPDATE experiment SET config = 'no JSON'"
refused 'bad.db: cannot be read: malformed JSON' "a damaged config" report bad.db -o new.html
expect 0 "help" report --help
finish
