#!/bin/bash
# dcsim capacity, and replications that are added until a metric is known ("until"), on the command line.
#
# Pins: the least number of devices of an M/M/c whose mean time is known from Erlang C, and the highest load of an
# M/M/1; that both are the same on any number of threads, with a database and without, continued or not; ends that
# are alike; that a time of few of the jobs keeps no bound; that the worst service decides about an SLA; what is
# warned of; until: where it stops, however it gets there. Does not pin: the bisection itself (unit/test_capacity_search).
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

cat >x.json <<'JSON'
{ "name": "cap", "replications": 5, "cluster": { "devices": 2 }, "policy": { "name": "fcfs" },
  "horizon": { "duration_s": 30, "warmup_s": 5 },
  "applications": [ { "name": "web", "class": "latency", "sla_ms": 60,
    "service": { "distribution": "exponential", "mean_ms": 10 } } ],
  "workload": { "services": [ { "application": "web", "arrivals": { "rate_per_s": 600 } } ] } }
JSON
capacity() { "$DCSIM" capacity x.json "$@"; }

# --- the least number of devices ---
# Erlang C, 6 erlangs: the mean time on 7, 8, 9 devices is 16.14, 11.78, 10.65 ms.
bound=(--metric latency.response_mean --at-most 12.5ms)
expect 0 "devices" capacity --vary cluster.devices=1:32 "${bound[@]}" --output r.db --jobs 1
cp out all
says err '^cluster\.devices=32: yes, 5 runs$' "what is tried, also where no terminal is"
[[ $(wc -l <err) == $(grep -cE '^[0-9]+ ' all) ]] || fail "not a line for each value tried"
says all '^cluster.devices between 1 and 32, so that latency.response_mean is at most 12.5 ms \(95 % intervals\)$' "the title"
says all '^8 +[0-9]+ +11\.[0-9]+ ± [0-9.]+ ms +[0-9]+ of [0-9]+ +[0-9.<]+ % +yes$' "a line of the curve"
says all '^7 +[0-9]+ +1[3-9]\.[0-9]+ ± [0-9.]+ ms +[0-9]+ of [0-9]+ +[0-9.<]+ % +no$' "another"
says all '^policy: fcfs; ' "whose answer it is"
says all '^WARNING: at 1, 2, 4(, 6)?: overloaded: web: ' "where it is overloaded"
says all '^1 .* overloaded$' "the word beside it"
says all '^Note: a value that counts less than 90 % of what arrived' "a mean of what ended alone"
says all '^cluster.devices=8 is the least that keeps it; 7 may not\.$' "the answer"
[[ $(sqlite3 r.db "SELECT count(*) = $(grep -cE '^[0-9]+ ' all) AND min(replications) >= 5 FROM headline") == 1 ]] || fail "not all looks are in the results"
before=$(sqlite3 r.db "SELECT count(*) FROM run")
expect 0 "again" capacity --vary cluster.devices=1:32 "${bound[@]}" --output r.db
cmp -s out all || fail "the same from the database is not the same"
[[ $(sqlite3 r.db "SELECT count(*) FROM run") == "$before" ]] || fail "runs were repeated"
expect 0 "without a database" capacity --vary cluster.devices=1:32 "${bound[@]}" --jobs 3
cmp -s out all || fail "threads or a database change the answer"
# More runs than the first look takes are not looked at before their turn.
"$DCSIM" --config x.json --set cluster.devices=8 --set replications=23 --output more.db --quiet
expect 0 "beside other runs" capacity --vary cluster.devices=1:32 "${bound[@]}" --output more.db
cmp -s out all || fail "what a database held before changes the answer"

# --- the highest load: M/M/1 at rate r has a mean of 10 / (1 - r / 100); 20 ms at half ---
one=(--set cluster.devices=1 --set 'workload.services[0].arrivals.rate_per_s=100' --metric latency.response_mean --at-most 20ms)
expect 0 "load" capacity --vary load=0.1:0.9 "${one[@]}" --resolution 0.1
says out '^0\.1 .* 10$' "the rate of a load"
says all 'kept$' "no rates where they do not vary"
answer=$(sed -nE 's/^load=([0-9.]+) is the highest that keeps it; .*/\1/p' out)
awk -v a="$answer" 'BEGIN { exit !(a > 0.35 && a < 0.51) }' || fail "the highest load is $answer, not below a half"
[[ $(grep -cE '^0\.[0-9]{13}' out) -eq 0 ]] || fail "values that nobody writes"
expect 0 "a key" capacity --vary 'workload.services[0].arrivals.rate_per_s=10:90' "${one[@]}" --max-replications 10
says out 'kept$' "no rates beside the rate itself"
says out 'rate_per_s=(3[5-9]|4[0-9]|50) is the highest' "the rate itself, in whole numbers"
expect 0 "SLA" capacity --vary load=0.5:2 --set cluster.devices=8 --sla 0.9
says out 'latency.sla_met is at least 90.00 %' "the bound as a share"

# --- batch work in a closed loop: more devices have no batch neighbour, unless its clients grow with them ---
cat >batch.json <<'JSON'
{ "name": "beside", "replications": 3, "policy": { "name": "priority" }, "horizon": { "duration_s": 10, "warmup_s": 1 },
  "applications": [
    { "name": "web", "class": "latency", "sla_ms": 60, "service": { "distribution": "exponential", "mean_ms": 10 } },
    { "name": "train", "class": "batch", "service": { "distribution": "deterministic", "mean_ms": 20 } } ],
  "workload": { "services": [ { "application": "web", "arrivals": { "rate_per_s": 60 } } ],
    "batch": [ { "application": "train", "clients": 2 } ] } }
JSON
expect 0 "few clients" "$DCSIM" capacity batch.json --vary cluster.devices=1:4 --metric latency.sla_met --at-least 0.9
says out '^Note: workload\.batch has 2 clients at every size' "the note"
grep -q '^Note: workload' all && fail "a note about batch work, and there is none"
"$DCSIM" capacity batch.json --vary cluster.devices=1:2 --metric batch.throughput --at-least 1 >out
grep -q '^Note: workload' out && fail "a note although there are as many clients as devices"
expect 0 "both" "$DCSIM" capacity batch.json --vary 'cluster.devices,workload.batch[0].clients=1:4' --metric batch.throughput --at-least 100 --output both.db
grep -q '^Note: workload' out && fail "a note although clients grow with the devices"
says out '^cluster\.devices,workload\.batch\[0\]\.clients=[34] is the least' "an answer for both"
[[ $(sqlite3 both.db "SELECT count(*) > 2 AND min(json_extract(config, '\$.cluster.devices') = json_extract(config, '\$.workload.batch[0].clients'))
    FROM experiment") == 1 ]] || fail "the two were not varied together"
refused 'cluster\.devises: unknown key' "a key of several" "$DCSIM" capacity batch.json --vary 'workload.batch[0].clients,cluster.devises=1:4'

# --- jobs: on one device the job of 5 requests alone ends, at 50 s; on ten all, at 20 s ---
train() { echo "{ \"application\": \"train\", \"requests\": $1 }"; }
cat >jobs.json <<JSON
{ "name": "jobs", "replications": 2, "policy": { "name": "fcfs" }, "horizon": { "duration_s": 60 },
  "applications": [ { "name": "train", "class": "batch", "service": { "distribution": "deterministic", "mean_ms": 1000 } } ],
  "workload": { "batch": [ $(train 5)$(for _ in 1 2 3 4 5 6 7 8 9; do echo ", $(train 20)"; done) ] } }
JSON
jobs=("$DCSIM" capacity jobs.json --metric batch.job_time_p50 --at-most 70s)
expect 0 "few jobs ended" "${jobs[@]}" --vary cluster.devices=1:10
says out '^cluster.devices +runs +batch.job_time_p50 +ended +not done +kept$' "a column of what ended"
says out '^1 +2 +> 60\.0 s +2 of 20 +68\.11 % +overloaded$' "a median that is not reached, of an overload"
says out '^3 +16 +> 60\.0 s .* undecided$' "a median that is not reached keeps no bound beyond the run"
says out '^10 +2 .* 20 of 20 +0\.00 % +yes$' "all jobs ended"
grep -q 'not in order' out && fail "times that are not known are compared"

# --- several bounds: the median would do with four devices, that none is left with ten ---
expect 0 "several bounds" "$DCSIM" capacity jobs.json --vary cluster.devices=1:10 --metric batch.job_time_p50 \
    --at-most 1min --metric batch.job_time_p99 --at-most 0.01h --metric unfinished --at-most 1%
says out '^  batch.job_time_p99 is at most 36.0 s and unfinished is at most 1.00 % \(95 % intervals\)$' "all bounds are told"
says out 'batch.job_time_p50 is at most 60.0 s and$' "a bound of minutes"
says out '^cluster.devices +runs +batch.job_time_p50 +batch.job_time_p99 +unfinished +kept$' "a column of each"
says out '^cluster.devices=6 is the least that keeps them; 5 may not: batch.job_time_p99 decides: ' \
    "which of them decides"
expect 1 "bounds that nothing keeps" "$DCSIM" capacity jobs.json --vary cluster.devices=1:2 --metric unfinished \
    --at-most 99% --metric batch.throughput --at-least 0.1 --output why.db
says out '^Infeasible: neither cluster.devices=1 nor cluster.devices=2 is shown to keep them' "no answer"
says out '^At 2 it is overloaded \(train: work falls behind\), and 36\.22 % of the work due was not done\.$' "the rule that says so, and whose work it is"
[[ $(sqlite3 why.db "SELECT group_concat(DISTINCT kept || ': ' || reason) FROM capacity_look") == "overloaded: train: work falls behind" ]] ||
    fail "the rule in the database"
expect 0 "the page of an overload" "$DCSIM" report why.db -o why.html
says why.html '^<p class="note">Overloaded at 1, 2: train: work falls behind\.</p>$' "the rule on the page"
sqlite3 why.db "UPDATE capacity_look SET result = NULL WHERE value = 2 AND metric = 'unfinished'"
expect 0 "the page of a value that is not known" "$DCSIM" report why.db -o why.html
[[ $(grep -c 'Experiments without this value are left out: at 2\.' why.html) -eq 1 ]] || fail "no word of the point that is missing"
expect 0 "one bound beside an overload" capacity --vary cluster.devices=6:7 --sla 0.9
tr -s ' \n' ' ' <out >flat # long lines are wrapped
says flat '; 6 may not: latency.sla_met decides: .*; it is overloaded \(web: a load of 1 or more\)\. ?$' "of one bound"
[[ $(wc -L <out) -le 100 ]] || fail "a line that is wider than the page"
expect 0 "a summary" "$DCSIM" --config jobs.json --set cluster.devices=1 --output jobs.db
says out '^batch jobs completed +1( ± 0)? of 10$' "how many jobs there were"
[[ $("$DCSIM" export jobs.db metric --json | jq -c '[.[] | select(.name == "jobs" and .class == "batch") | .n]') == "[10,10]" ]] ||
    fail "n of jobs"

# --- a replay in which nothing is drawn: one replication is enough, and there are no intervals ---
echo 'submit,run,gpus' >table.csv
for i in 0 1 2 3 4 5 6 7 8 9 20; do echo "$((10 * i)),$((20 + i)),1"; done >>table.csv
"$DCSIM" trace import csv table.csv -o table.db --map submit=submit,runtime=run,gpus=gpus >out || fail "the table is read"
cat >table.json <<'JSON'
{ "name": "table", "policy": { "name": "fcfs" },
  "applications": [ { "name": "train", "class": "batch", "service": { "distribution": "deterministic", "mean_ms": 1000 } } ],
  "workload": { "trace": [ { "database": "table.db", "batch_applications": "train" } ] } }
JSON
table=("$DCSIM" capacity table.json --metric unfinished --at-most 1% --metric batch.job_time_p90 --at-most 40s)
expect 0 "a replay" "${table[@]}" --vary cluster.devices=1:8 --output table-results.db
says out 'keep below 1 draws the jobs, and lowers the load to that share\.$' "what drawing costs"
says out '^[0-9] +[0-9.]+ % +[0-9.]+ s +(yes|no)$' "no interval, and no number of runs"
says err '^cluster.devices=[0-9]: (yes|no|overloaded)$' "nor as it is tried"
grep -q ' intervals)' out && fail "the title says intervals"
says out '^Note: nothing in this replay is drawn' "why there is none"
says out '^cluster.devices=3 is the least that keeps them; 2 may not' "an answer"
expect 0 "what is counted" "$DCSIM" capacity table.json --metric batch.job_time_p90 --at-most 40s --vary cluster.devices=1:8
says out ' 10 of 11 ' "the jobs of one run"
expect 0 "a part of a replay" "$DCSIM" --config table.json --set horizon.duration_s=85 --set 'workload.trace[0].from_s=10'
[[ $(tr -s ' \n' ' ' <out) == *'.from_s leaves 1 of 11 jobs out, of which 1 ran at from_s on 1 GPU (early keeps it): the numbers are of the others.'* ]] ||
    fail "jobs before from_s: $(<out)"
says out '^WARNING: horizon.duration_s leaves 1 of 10 jobs out: the numbers are of the others\.$' "jobs after the horizon"
cp table.db wide.db
sqlite3 wide.db 'UPDATE job SET gpus = 2 WHERE id = 2'
wide=(--set 'workload.trace[0].database=wide.db')
expect 0 "a job of two GPUs" "$DCSIM" --config table.json "${wide[@]}"
says out '^1 of the jobs asks for several GPUs: as clients they start one by one' "it is split, and that is said"
expect 0 "its search" "${table[@]}" "${wide[@]}" --vary cluster.devices=1:8
[[ $(tr -s ' \n' ' ' <out) == *'WARNING: 1 of 11 jobs asks for several GPUs and starts on them one by one: who starts them at once ("as": "gangs") needs more.'* ]] ||
    fail "nor beside the answer: $(<out)"
[[ $(sqlite3 table-results.db "SELECT count(*) FROM summary WHERE low IS NOT NULL AND value IS NOT NULL") == 0 ]] || fail "an interval of what is not drawn"
expect 0 "its page" "$DCSIM" report table-results.db -o table.html
says table.html '<strong>cluster\.devices=3 is the least that keeps them; 2 may not: ' "the page has the answer"
[[ $(grep -c '>answer: 3</text>' table.html) == 2 ]] || fail "not a curve with the answer on it for each bound"
# A word has one colour and one mark, whichever words a figure has; the answer's label covers no number.
[[ $(grep -c '</svg>overloaded</li>' table.html) == "$(grep -c '<path class="f3" [^>]*></svg>overloaded</li>' table.html)" ]] ||
    fail "overloaded has another look"
says table.html 'class="f3"[^>]*></svg>overloaded<' "some value is overloaded"
expect 0 "the page's shape" python3 "$SOURCE_DIR/tests/e2e/report_page.py" table.html 2
expect 0 "an answer at the left" capacity --vary 'workload.services[0].arrivals.rate_per_s=40.5:80.5' "${one[@]}" --resolution 0.5 --output left.db
says out 'rate_per_s=40\.5 is the highest that keeps it' "the answer at the left"
expect 0 "its page" "$DCSIM" report left.db -o left.html
expect 0 "the page's shape" python3 "$SOURCE_DIR/tests/e2e/report_page.py" left.html 1
"${table[@]}" --vary cluster.devices=1:8 --output table-results.db >out 2>/dev/null
[[ $(sqlite3 table-results.db "SELECT count(DISTINCT question) || ' ' || (count(*) = 2 * count(DISTINCT value)) ||
    ' ' || group_concat(DISTINCT answer) FROM capacity_look") == '1 1 3.0' ]] || fail "the same question is kept twice"
# Another policy, and another load, are asked the same: their searches stand beside the first.
for other in policy.name=priority 'workload.trace[0].duration_compression=1.1'; do
    "${table[@]}" --set "$other" --vary cluster.devices=1:8 --output table-results.db >out 2>/dev/null || fail "a search with $other"
done
[[ $(sqlite3 table-results.db "SELECT count(DISTINCT question) FROM capacity_look") == 3 ]] || fail "a search replaced one of another world"
[[ $(sqlite3 table-results.db "SELECT count(DISTINCT question) FROM capacity_look WHERE question LIKE '%; policy priority; experiment %'") == 1 ]] ||
    fail "whose search it is"
expect 0 "the page of several" "$DCSIM" report table-results.db -o table.html
for name in 'fcfs; workload.trace\[0\].duration_compression=1' 'priority; workload.trace\[0\].duration_compression=1' \
    'fcfs; workload.trace\[0\].duration_compression=1.1'; do
    says table.html " 40\.0.s; policy $name:</p>" "a search is named by what differs"
done
grep -q '; experiment [0-9a-f]' table.html && fail "the page names a search by a hash"
expect 0 "its summary" "$DCSIM" --config table.json --set replications=3
says out '^The 3 replications are alike: nothing in this replay is drawn' "the summary says so"
grep -q '±' out && fail "an interval in the summary"

# --- the SLA is that of each service: 1 % of the requests cannot be in time ---
services=(--set 'applications=[{"name":"web","class":"latency","sla_ms":60,"service":{"distribution":"exponential","mean_ms":10}},
    {"name":"tight","class":"latency","sla_ms":5,"service":{"distribution":"deterministic","mean_ms":10}}]'
    --set 'workload.services=[{"application":"web","arrivals":{"rate_per_s":600}},{"application":"tight","arrivals":{"rate_per_s":3}}]')
expect 1 "each service" capacity --vary cluster.devices=8:16 "${services[@]}" --sla 0.98
says out ' so that sla_met of each service is at least 98\.00 %' "what is asked"
says out '^16 .* 0\.00 ± 0\.00 % +tight +no$' "the worst service"
expect 1 "each in a database" capacity --vary cluster.devices=8:16 "${services[@]}" --sla 0.98 --output each.db
[[ $("$DCSIM" export each.db sla_verdict --json | jq -c '[.[] | [.application, ."cluster.devices", .verdict]] | sort') == \
    '[["tight",8,"infeasible"],["tight",16,"infeasible"],["web",8,"meets"],["web",16,"meets"]]' ]] || fail "verdicts by devices"
expect 0 "all together" capacity --vary cluster.devices=6:16 "${services[@]}" --metric latency.sla_met --at-least 0.98
expect 0 "one of them" capacity --vary cluster.devices=6:16 "${services[@]}" --metric web.sla_met --at-least 0.98

# --- what all runs warn of is told once ---
cat >guess.json <<'JSON'
{ "name": "guess", "replications": 2, "profile": "nvidia-h200", "sharing": { "model": "spatial" }, "policy": { "name": "mps-priority" },
  "workload": { "services": [ { "application": "resnet50", "sla_ms": 90, "arrivals": { "rate_per_s": 20 } } ],
    "batch": [ { "application": "resnet50-train" } ] }, "horizon": { "duration_s": 1 } }
JSON
"$DCSIM" capacity guess.json --vary cluster.devices=1:2 --max-replications 2 --output guess.db >out
[[ $(grep -c '^WARNING: of profile nvidia-h200: ' out) == 1 ]] || fail "guessed contention is told $(grep -c guess out) times"

# --- interrupted: what was seen is printed, and the same command goes on ---
# (to the program alone: timeout would tell its group, too, and a second signal ends it at once)
expect 130 "interrupted" timeout --foreground --preserve-status -s INT 8 "$DCSIM" capacity x.json --vary load=0.001:0.9 "${bound[@]}" \
    --set cluster.devices=7 --set horizon.duration_s=90000 --output l.db
says err '^dcsim: interrupted; the same command goes on: l\.db has the runs so far$' "what to do"
says out '^0\.001 +5 ' "what was seen"

# --- no answer ---
expect 1 "infeasible" capacity --vary cluster.devices=1:5 "${bound[@]}"
tr -s ' \n' ' ' <out >flat
says flat ' Infeasible: neither cluster.devices=1 nor cluster.devices=5 is shown to keep it; a higher HIGH may\.' "infeasible"
[[ $(grep -cE '^[0-9]+ ' out) -eq 2 ]] || fail "more than the ends were looked at"
expect 1 "both" capacity --vary cluster.devices=9:12 "${bound[@]}"
says out '^LOW keeps it: the answer is cluster.devices=9 or fewer; a lower LOW finds it' "both ends"
expect 1 "both keep a load" capacity --vary load=0.1:0.2 "${one[@]}"
says out '^HIGH keeps it: the answer is load=0\.2 or more; a higher HIGH finds it' "both ends of a load"
expect 1 "a bound that few devices keep" capacity --vary cluster.devices=7:9 --metric utilisation --at-least 0.1
says out '^HIGH keeps it: the answer is cluster.devices=9 or more' "the metric tells, not the key"
expect 1 "a bound of which nothing is known" capacity --vary horizon.warmup_s=1:2 --set cluster.devices=9 --metric latency.sla_met --at-least 0.01
says out '^LOW and HIGH both keep it' "neither tells"
expect 1 "too much load" capacity --vary load=0.8:0.9 "${one[@]}"
says out 'keep it; a lower LOW may\.$' "a load that is too high"
refused 'cluster.devises: unknown key; did you mean "devices"' "a key" capacity --vary cluster.devises=1:4
refused 'cluster.node: unknown key; did you mean "nodes"\?$' "a list that no config has" capacity --vary 'cluster.node[0].nodes=1:4'
refused 'workload.services\[0\].arivals: unknown key; did you mean "arrivals"\?$' "a key of an element" \
    capacity --vary 'workload.services[0].arivals.rate[0]=1:4'
refused 'x.json: cluster.nodes\[0\]: the list has 0 elements, and none is added' "a list that is not there" \
    capacity --vary 'cluster.nodes[0].nodes=1:4'
refused 'services\[1\]: the list has 1 element, and none is added' "an index" \
    capacity --vary 'workload.services[1].arrivals.rate_per_s=10:90'
refused '--jobs takes a whole number' "half a thread" capacity --vary cluster.devices=1:4 --jobs 1.5
refused 'no metric "response_meen"; did you mean "response_mean"' "a metric" capacity --vary cluster.devices=1:4 --metric latency.response_meen --at-most 5ms
refused '--at-most: latency.response_p99 is a time: 50 lacks its unit \(ns, us, ms, s, min, h or d\), e\.g\. 50ms' "a time without a unit" \
    capacity --vary cluster.devices=1:4 --metric latency.response_p99 --at-most 50
refused '--at-least: latency.sla_met is no time: .* found 1ms' "a unit of what is no time" \
    capacity --vary cluster.devices=1:4 --metric latency.sla_met --at-least 1ms
refused '--at-least: sla_met is a share: expected a number from 0 to 1, or like 2%, found 99$' "per cent without a sign" \
    capacity --vary cluster.devices=1:4 --metric latency.sla_met --at-least 99
refused 'no metric "nonsense"; some are sla_met, .* \(docs/results.md explains all\)' "a word" \
    capacity --vary cluster.devices=1:4 --metric nonsense --at-most 5
refused 'no class or application "wed"; did you mean "web"' "an application" capacity --vary cluster.devices=1:4 --metric wed.sla_met --at-least 1
refused '--vary is missing' "nothing to vary" capacity --sla 0.9
refused '--vary takes PATH=LOW:HIGH' "no range" capacity --vary cluster.devices=4
refused '--vary takes PATH=LOW:HIGH' "upside down" capacity --vary cluster.devices=4:1
refused '--metric needs' "no bound" capacity --vary cluster.devices=1:4 --metric latency.sla_met
refused '--at-least and --at-most need --metric' "a bound on nothing" capacity --vary cluster.devices=1:4 --sla 0.9 --at-least 1
refused 'at most 4 bounds' "five bounds" capacity --vary cluster.devices=1:4 --sla 0.9 --sla 0.8 --sla 0.7 --sla 0.6 --sla 0.5
refused 'for times with a unit' "no number" capacity --vary cluster.devices=1:4 --metric latency.sla_met --at-least much
refused 'replications: expected at least 2' "one run" capacity --vary cluster.devices=1:4 --set replications=1
refused 'nothing in the workload has a load' "no load" capacity --vary load=0.5:1 \
    --set 'workload={"batch":[{"application":"web"}]}'
refused 'leave the sweep out' "a sweep" capacity --vary cluster.devices=1:4 --set 'sweep={"axes":[{"key":"seed","values":[1,2]}]}'
refused 'expected one config' "no config" "$DCSIM" capacity --vary cluster.devices=1:4

# --- until ---
enough() { "$DCSIM" --config x.json --set cluster.devices=8 --set 'until={"metric":"latency.response_mean","relative":0.015,"batch":4}' "$@"; }
expect 0 "until" enough --jobs 1
cp out all
says all '^Replications were added until half the interval of latency\.response_mean was at most 1\.5 % of its' "the note"
n=$(sed -nE 's/^cap: .* ([0-9]+) replications$/\1/p' all)
((n > 5 && (n - 5) % 4 == 0)) || fail "$n replications: not 5 and some fours"
expect 0 "on 3 threads" enough --jobs 3
cmp -s out all || fail "threads change where it stops"
expect 0 "with a database" enough --output u.db
cmp -s out all || fail "a database changes where it stops"
[[ $(sqlite3 u.db "SELECT replications FROM headline") == "$n" ]] || fail "not $n runs in the database"
[[ $(sqlite3 u.db "SELECT (high - low) / 2 <= 0.015 * value FROM summary WHERE name = 'response_mean' AND class = 'latency'") == 1 ]] || fail "not as well known as was asked"
sqlite3 u.db "PRAGMA foreign_keys = ON; DELETE FROM run WHERE replication IN (1, 6)"
expect 0 "continued with gaps" enough --output u.db
cmp -s out all || fail "gaps change where it stops"
expect 0 "more than it needs" "$DCSIM" --config x.json --set cluster.devices=8 --set replications=$((n + 3)) --output v.db --quiet
sqlite3 v.db "SELECT * FROM summary" >summary
expect 0 "from there" enough --output v.db
sqlite3 v.db "SELECT * FROM summary" | cmp -s - summary || fail "a summary of fewer runs than there are"
cmp -s out all || fail "runs that were there before change where it stops"
expect 0 "not reached" enough --set until.max_replications=10 --set until.relative=0.0001
says out '^WARNING: half the interval of latency\.response_mean is not at most 0\.01 %' "not reached"
says out ' 10 replications$' "no more than allowed"
refused 'until.metric: there is no metric "sla_mett"' "until: a metric" enough --set until.metric=sla_mett
refused 'until: expected one of half_width and relative' "until: both" enough --set until.half_width=1
refused 'until: missing key "metric"' "until: no metric" enough --set until.metric=
refused 'replications: expected at least 5' "until: too few" enough --set replications=2

# A batch client without an end has nothing due: what it is at when a short window ends is no overload.
cat >endless.json <<'JSON'
{ "policy": { "name": "priority" }, "horizon": { "duration_s": 10 }, "replications": 2, "cluster": { "devices": 1 },
  "applications": [ { "name": "chat", "class": "latency", "sla_ms": 2000, "service": { "distribution": "exponential", "mean_ms": 5 } },
    { "name": "fill", "class": "batch", "service": { "distribution": "deterministic", "mean_ms": 900 } } ],
  "workload": { "services": [ { "application": "chat", "arrivals": { "process": "poisson", "rate_per_s": 20 } } ],
    "batch": [ { "application": "fill", "clients": 1 } ] } }
JSON
expect 0 "an endless batch client" "$DCSIM" --config endless.json --output endless.db --quiet
[[ $(sqlite3 endless.db "SELECT count(*) FROM metric WHERE name = 'unfinished' AND class = 'batch' AND value IS NOT NULL") == 0 ]] ||
    fail "a client without an end has work that is due"
"$DCSIM" capacity endless.json --vary 'workload.services[0].arrivals.rate_per_s=10:20' --sla 0.9 >out 2>err
grep -q '  overloaded$' out && fail "a short window is taken for an overload"
finish
