#!/bin/bash
# Bad input: each is refused with one clear line (place, what was expected, nearest known name), exit code
# 2, and nothing written.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

good='{"policy":{"name":"fcfs"},"workload":{"trem":[{}]}}'
echo "$good" >good.json
try() { # try NAME JSON REGEX
    printf '%s' "$2" >bad.json
    refused "$3" "$1" "$DCSIM" --config bad.json --output r.db
}

expect 0 "the good one" "$DCSIM" --config good.json --quiet
try "unknown key" '{"policy":{"name":"fcfs"},
 "worklod":{}}' 'bad.json:2: worklod: .*did you mean "workload"'
try "unknown nested key" '{"policy":{"name":"fcfs"},"workload":{"trem":[
{"lod":1}]}}' 'bad.json:2: workload.trem\[0\].lod: .*"load"'
try "a key that turns the text around" $'{"policy":{"name":"fcfs"},"\u202e\u200b\u009b":1,"workload":{}}' \
    '^dcsim: bad.json:1: \\u202e\\u200b\\x9b: unknown key'
LC_ALL=C grep -q '[^ -~]' err && fail "it is printed raw"
try "wrong type" '{"policy":{"name":"fcfs"},"seed":"one","workload":{"trem":[{}]}}' 'seed: .*found'
try "out of range" '{"policy":{"name":"fcfs"},"workload":{"trem":[{"user_fraction":1.5}]}}' \
    'user_fraction: .*0 to 1.*1\.5'
try "not a whole number" '{"policy":{"name":"fcfs"},"replications":1.5,"workload":{"trem":[{}]}}' \
    'replications: .*whole'
try "zero replications" '{"policy":{"name":"fcfs"},"replications":0,"workload":{"trem":[{}]}}' \
    'replications'
try "unknown choice" '{"policy":{"name":"fcfs"},"cluster":{"router":"randm"},"workload":{"trem":[{}]}}' \
    'cluster.router: .*"random"'
try "unknown policy" '{"policy":{"name":"elastik"},"workload":{"trem":[{}]}}' \
    'policy.name: .*did you mean "elastic"'
try "no policy" '{"workload":{"trem":[{}]}}' 'policy'
try "option of another policy" '{"policy":{"name":"priority","sla_ms":3},"workload":{"trem":[{}]}}' \
    'policy.sla_ms: unknown key'
try "no workload" '{"policy":{"name":"fcfs"}}' 'workload'
try "empty workload" '{"policy":{"name":"fcfs"},"workload":{}}' 'workload: nothing to do'
try "endless without a horizon" '{"policy":{"name":"fcfs"},"workload":{"batch":[{"application":"hotspot"}]}}' \
    'horizon.duration_s: .*no end'
try "warm-up beyond the end" '{"policy":{"name":"fcfs"},"horizon":{"duration_s":1,"warmup_s":1},"workload":{"batch":[{"application":"hotspot"}]}}' \
    'horizon.warmup_s'
try "duplicate key" '{"policy":{"name":"fcfs"},"seed":1,"seed":2,"workload":{"trem":[{}]}}' 'seed: .*(twice|duplicate)'
try "truncated" '{"policy":{"name":"fc' 'bad.json:1'
try "trailing text" "$good x" 'bad.json:1'
try "empty file" '' 'bad.json'
try "an array" '[1,2]' 'bad.json'
try "not JSON at all" $'\x7fELF\x01\x02' 'bad.json'
try "deep nesting" "$(printf '[%.0s' $(seq 5000))" 'bad.json'
try "a number beyond doubles" '{"seed":1e999,"policy":{"name":"fcfs"},"workload":{"trem":[{}]}}' 'seed|bad.json:1'
try "unknown application" '{"policy":{"name":"fcfs"},"workload":{"trem":[{"batch_applications":"hotspo"}]}}' \
    'batch_applications: .*"hotspot"'
unlike() { # unlike APPLICATION: on an H200 and a P1000
    echo '{"policy":{"name":"fcfs"},"horizon":{"duration_s":1},"cluster":{"groups":[{"profile":"nvidia-h200","domains":1,"devices":4},{"profile":"quadro-p1000","domains":1,"devices":4}]},"workload":{"services":[{"application":"'"$1"'","sla_ms":100,"arrivals":{"rate_per_s":1}}]}}'
}
try "application of one kind of device" "$(unlike resnet50)" \
    'services\[0\].application: application "resnet50" is in profile "nvidia-h200", but not in "quadro-p1000"; .*that all of them can run \([^)]+\), use'
grep -q 'did you mean' err && fail "an application of one kind of device: it is told to mean what it says"
# bfs is in both profiles, with other kernels: it is proposed to nobody.
try "application that is named alike only" "$(unlike bsf)" \
    'services\[0\].application: none of the profiles "nvidia-h200", "quadro-p1000" has an application "bsf"; --list'
try "application of no kind of device" "$(unlike resnet5)" \
    'none of the profiles "nvidia-h200", "quadro-p1000" has an application "resnet5"; --list'
# An application of the config says how long it takes on each of unlike devices; on the P1000 it takes 30 ms.
factors() { # factors FACTORS
    echo '{"policy":{"name":"fcfs"},"horizon":{"duration_s":10},"cluster":{"groups":[{"profile":"nvidia-h200","domains":1,"devices":1},{"profile":"quadro-p1000","domains":1,"devices":1}]},"applications":[{"name":"own","class":"latency","service":{"mean_ms":10},"factors":['"$1"']}],"workload":{"services":[{"application":"own","requests":100,"arrivals":{"process":"deterministic","rate_per_s":20}}]}}'
}
try "no times on unlike devices" "$(factors '')" \
    'applications\[0\]: "own" does not say how long it takes on devices of profile "nvidia-h200": add \{"profile"'
try "no time on one of them" "$(factors '{"profile":"nvidia-h200","factor":1}')" 'on devices of profile "quadro-p1000": add'
try "a factor of 0" "$(factors '{"profile":"nvidia-h200","factor":0}')" 'factors\[0\].factor: '
factors '{"profile":"nvidia-h200","factor":1},{"profile":"quadro-p1000","factor":3}' >unlike.json
expect 0 "a time for each device" "$DCSIM" --config unlike.json --output unlike.db
[[ $(sqlite3 unlike.db "SELECT value FROM metric WHERE name IN ('response_mean', 'response_max') AND app = 0 ORDER BY name") == $'30000000.0\n20000000.0' ]] ||
    fail "the times on unlike devices"

try "application of the other class" '{"policy":{"name":"fcfs"},"workload":{"trem":[{"batch_applications":"bfs"}]}}' \
    'batch_applications: .*class'
try "never served: too much memory" '{"policy":{"name":"fcfs"},"applications":[{"name":"big","class":"batch","memory_mb":9000,"service":{"mean_ms":1}}],"horizon":{"duration_s":1},"workload":{"batch":[{"application":"big"}]}}' \
    'never be served'
try "too many tasks per class" '{"policy":{"name":"fcfs"},"workload":{"trem":[{"user_tasks":3}]}}' 'user_tasks'
try "no such profile" '{"policy":{"name":"fcfs"},"profile":"quadro-p100","workload":{"trem":[{}]}}' 'profile: .*"?quadro-p1000'
try "daily rates" '{"policy":{"name":"fcfs"},"horizon":{"duration_s":1},"workload":{"services":[{"application":"bfs","arrivals":{"process":"daily","daily_per_s":"1,2"}}]}}' \
    'workload.services\[0\].arrivals: daily_per_s: expected 24 rates from 0 to 1e\+09 with commas between them, found 2$'
try "no rate" '{"policy":{"name":"fcfs"},"horizon":{"duration_s":1},"workload":{"services":[{"application":"bfs","arrivals":{}}]}}' \
    'arrivals: .*rate'
# mean_ms of 0, and of what is rounded to it, is no time at all.
for mean in 0 1e-9; do
    try "a service time of $mean ms" '{"policy":{"name":"fcfs"},"horizon":{"duration_s":1},"applications":[{"name":"web",
"service":{"distribution":"deterministic","mean_ms":'$mean'}}],"workload":{"batch":[{"application":"web"}]}}' \
        "bad.json:2: applications\[0\].service.mean_ms: expected a time in ms from 1e-6 to .*, found $mean"
done
try "missing trace" '{"policy":{"name":"fcfs"},"workload":{"trace":[{"database":"none.db"}]}}' 'none.db'
try "checkpoints on shared devices" '{"policy":{"name":"fcfs"},"sharing":{"model":"spatial"},"checkpoint":{"interval_s":1},"workload":{"trem":[{}]}}' \
    'checkpoint.interval_s: .*"whole"'
spatial() { # STEP
    echo '{"policy":{"name":"mps-even"},"sharing":{"model":"spatial","step_sms":'"$1"'},"workload":{"trem":[{"jobs":2}]}}'
}
spatial 5 >step.json
expect 0 "steps as large as the device" "$DCSIM" --config step.json --quiet
try "steps larger than the device" "$(spatial 6)" 'sharing.step_sms: expected at most the 5 SMs .*"quadro-p1000"; found 6'
try "more devices than can be" '{"policy":{"name":"fcfs"},"cluster":{"domains":100000,"devices":4096},"workload":{"trem":[{}]}}' 'cluster'

# What only a policy knows of its options: where they stand, without a run where that is enough.
split() { # split OPTIONS
    echo '{"policy":{"name":"fixed-split",'$'\n'"$1"'},"sharing":{"model":"spatial"},"horizon":{"duration_s":3},"workload":{"services":[{"application":"bfs","arrivals":{"rate_per_s":9}}]}}'
}
try "shares that cannot be read" "$(split '"service_shares":"bfs"')" \
    '^dcsim: bad.json:2: policy.service_shares: is "bfs": "bfs" is no NAME=SHARE'
refused 'bad.json:2: policy.service_shares: is "bfs"' "shares that cannot be read, without a run" "$DCSIM" \
    --config bad.json --dry-run
refused ': --set policy.service_shares="2": policy.service_shares: is 2: expected a share from 0 to 1' \
    "a share by --set" "$DCSIM" --config bad.json --dry-run --set 'policy.service_shares="2"'
try "a share that no request can use" "$(split '"service_shares":"bfs=0"')" \
    'bad.json:2: policy.service_shares: policy "fixed-split", domain 0, at 0\.[0-9]+ s .*: gives service "bfs" a share of 0'
refused 'bad.json:2: policy.service_shares: .*: gives service "bfs" a share of 0' "the same in a timeline" "$DCSIM" \
    --config bad.json --timeline t.json
try "instances" '{"policy":{"name":"static-opt","instances":"two"},"profile":"xeon-e5-2650v4","sharing":{"model":"cpu"},"horizon":{"duration_s":1},"workload":{"services":[{"application":"asr","sla_ms":500,"arrivals":{"rate_per_s":1}}]}}' \
    'bad.json:1: policy.instances: must be a number'

try "warm-up without an end" '{"policy":{"name":"fcfs"},"horizon":{"warmup_s":1},"workload":{"trem":[{}]}}' \
    'horizon.warmup_s: .*duration_s'
try "dropping the late without an SLA" '{"policy":{"name":"fcfs"},"applications":[{"name":"a","service":{"mean_ms":1}}],"horizon":{"duration_s":1},"workload":{"services":[{"application":"a","drop_late":true,"arrivals":{"rate_per_s":1}}]}}' \
    'drop_late: needs an SLA'
try "a stay without arrivals" '{"policy":{"name":"fcfs"},"horizon":{"duration_s":1},"workload":{"services":[{"application":"bfs","arrivals":{"process":"mmpp2","rate_high_per_s":1e-3,"rate_low_per_s":1e-3,"stay_high_s":1e-6,"stay_low_s":1e-6}}]}}' \
    'arrivals: fewer than'
try "longer than time is" '{"policy":{"name":"fcfs"},"applications":[{"name":"a","class":"batch","service":{"mean_ms":1e12}}],"workload":{"batch":[{"application":"a","requests":10}]}}' \
    '146 years'
try "checkpoints without end" '{"policy":{"name":"fcfs"},"checkpoint":{"interval_s":1e-9,"cost_ms":1e6},"applications":[{"name":"a","class":"batch","service":{"mean_ms":1e12}}],"workload":{"batch":[{"application":"a","requests":1}]}}' \
    '146 years'
try "more than can be simulated" '{"policy":{"name":"fcfs"},"horizon":{"duration_s":60},"workload":{"services":[{"application":"bfs","sla_ms":1e6,"drop_late":true,"arrivals":{"rate_per_s":1e6}}]}}' \
    '1048576 events are pending.*far more than the devices can serve'
try "more jobs than memory" '{"policy":{"name":"fcfs"},"workload":{"trem":[{"jobs":9000000},
{"jobs":9000000}]}}' 'bad.json:2: workload.trem\[1\].jobs: .*18000000 jobs, which take .* GB .*at most 13'
clients=$(printf '{"application":"hotspot","clients":1000000},%.0s' {1..24})
try "more clients than memory" '{"policy":{"name":"fcfs"},"horizon":{"duration_s":1},"workload":{"batch":['"${clients%,}"']}}' \
    'workload: a run would take more than the 4.3 GB.*requests of clients without end 4.4 GB'

# Services by what they take alone.
service() { # service SERVICE [APPLICATION]: web takes 10 ms
    echo '{"policy":{"name":"fcfs"},"applications":[{"name":"web","class":"latency","service":{"distribution":"'"${2:-deterministic}"'","mean_ms":10}}],"horizon":{"duration_s":1},"workload":{"services":[{"application":"web",'"$1"'}]}}'
}
colocated() { # colocated KEYS
    echo '{"policy":{"name":"fcfs"},"horizon":{"duration_s":1},"cluster":{"domains":5},"workload":{"colocated":[{'"$1"'}]}}'
}
try "two SLAs" "$(service '"sla_ms":3,"sla_factor":2,"arrivals":{"rate_per_s":1}')" \
    'services\[0\].sla_factor: sla_ms and sla_factor'
try "two rates" "$(service '"sla_ms":30,"arrivals":{"rate_per_s":1,"fraction_of_peak":0.5}')" \
    'arrivals.rate_per_s: follows from fraction_of_peak'
try "peak of another process" "$(service '"sla_ms":30,"arrivals":{"process":"deterministic","fraction_of_peak":0.5}')" \
    'arrivals.process: .*poisson'
try "peak of batches" "$(service '"sla_ms":30,"arrivals":{"batch_mean":2,"fraction_of_peak":0.5}')" \
    'arrivals.batch_mean: .*poisson'
try "peak without an SLA" "$(service '"arrivals":{"fraction_of_peak":0.5}')" 'fraction_of_peak: needs an SLA'
try "SLA below the work" "$(service '"sla_ms":9.5,"arrivals":{"fraction_of_peak":0.5}')" \
    'services\[0\].sla_ms: SLA 9.5 ms is below what a request of web takes alone \(10 ms\): infeasible, .*make the SLA longer \(sla_ms\), or set arrivals.rate_per_s in'
try "SLA by a factor below 1" "$(service '"sla_factor":0.95,"arrivals":{"fraction_of_peak":0.5}')" \
    'services\[0\].sla_factor: SLA 9.5 ms is below .*make the SLA longer \(sla_factor\)'
try "SLA of the application below the work" "$(service '"arrivals":{"fraction_of_peak":0.5}' | sed 's/"class":"latency"/&,"sla_ms":9.5/')" \
    'services\[0\].arrivals.fraction_of_peak: SLA 9.5 ms, that of the application, is below .*sla_ms or sla_factor of the service'
try "SLA missed alone" "$(service '"sla_ms":40,"arrivals":{"fraction_of_peak":0.5}' exponential)" \
    'SLA 40 ms: more than 1 % of the requests of web take longer alone \(10 ms in the mean\): infeasible, .*\(sla_ms\), lower peak_quantile, or'
try "SLA longer than time" "$(service '"sla_factor":1e6,"arrivals":{"rate_per_s":1}' | sed 's/"mean_ms":10/"mean_ms":1e12/')" \
    'sla_factor: .*longer than time'
try "no such domain" "$(service '"domain":1,"arrivals":{"rate_per_s":1}')" 'services\[0\].domain: .*0 to 0; found 1'
try "no such domain for batch" '{"policy":{"name":"fcfs"},"horizon":{"duration_s":1},"workload":{"batch":[{"application":"hotspot","domain":7}]}}' \
    'batch\[0\].domain: .*found 7'
try "per cent of the peak" "$(service '"sla_ms":30,"arrivals":{"fraction_of_peak":80}')" 'fraction_of_peak: .*0 to 10.*80'
try "per cent of the peak, colocated" "$(colocated '"services":"bfs","batch_per_domain":0,"domains_per_service":1,"fraction_of_peak":80')" \
    'fraction_of_peak: .* 10.*80'
try "peak of jobs" '{"policy":{"name":"fcfs"},"workload":{"jobs":[{"jobs":9,"arrivals":{"fraction_of_peak":0.5}}]}}' \
    'jobs\[0\].arrivals.fraction_of_peak: .*services'
try "too few domains" "$(colocated '"services":"bfs,nw","batch":"hotspot","batch_per_domain":1,"domains_per_service":3,"fraction_of_peak":0.5')" \
    'colocated\[0\].domains_per_service: .*6 domains; .*5'
try "too few batch applications" "$(colocated '"services":"bfs","batch":"hotspot","domains_per_service":3,"fraction_of_peak":0.5')" \
    'colocated\[0\].batch_per_domain: 3 different .* from 1'
try "no services" "$(colocated '"services":" ","batch_per_domain":0,"domains_per_service":1,"fraction_of_peak":0.5')" \
    'colocated\[0\].services: names no application'
try "a batch application as service" "$(colocated '"services":"hotspot","batch_per_domain":0,"domains_per_service":1,"fraction_of_peak":0.5')" \
    'colocated\[0\].services: .*class latency'
try "colocated without end" "$(colocated '"services":"bfs","batch_per_domain":0,"domains_per_service":1,"fraction_of_peak":0.5' | sed 's/"duration_s":1/"duration_s":0/')" \
    'horizon.duration_s: .*colocated has no end'

refused 'absent.json' "missing config" "$DCSIM" --config absent.json
refused 'director' "config is a folder" "$DCSIM" --config .
refused '--config' "no config" "$DCSIM"
refused 'unknown option' "unknown option" "$DCSIM" --confg good.json
refused 'unexpected argument' "stray argument" "$DCSIM" --config good.json stray
refused '--seed' "bad seed" "$DCSIM" --config good.json --seed x1
refused '--jobs takes' "bad threads" "$DCSIM" --config good.json --threads 0
refused '--list' "bad list" "$DCSIM" --list policy
refused 'cluster.devces.*devices' "bad --set" "$DCSIM" --config good.json --set cluster.devces=3
refused '.' "--set without =" "$DCSIM" --config good.json --set cluster

echo "this is no database, but long enough to be looked at as one" >text.db
refused 'text.db' "profile that is no database" "$DCSIM" --config good.json --set profile=./text.db
cp text.db keep.db
refused 'text.db' "output that is no database" "$DCSIM" --config good.json --output text.db
cmp -s text.db keep.db || fail "a foreign file was changed"
sqlite3 other.db 'CREATE TABLE t(x)'
refused 'other.db' "output that is another program's" "$DCSIM" --config good.json --output other.db
for option in --output --policy --timeline; do
    refused "^dcsim: command line: $option takes a name, and the one given is empty; " "$option without a name" \
        "$DCSIM" --config good.json "$option" ""
done
refused '.--output takes a name' "a page without a name" "$DCSIM" report r.db -o ""
refused '.--output takes a name' "a search without a name" "$DCSIM" capacity good.json --output ""
refused '.--curves takes a name' "curves without a name" "$DCSIM" trace fit jobs.db --curves ""
refused '.--csv takes a name' "a table without a name" "$DCSIM" validate quadro-p1000 --csv ""
many='{"policy":{"name":"fcfs"},"workload":{"services":[{"application":"a","requests":30000,"arrivals":{"rate_per_s":100}}]},
    "applications":[{"name":"a","class":"latency","service":{"distribution":"exponential","mean_ms":1}}],"outputs":{"requests":true}}'
echo "$many" >many.json
refused '^dcsim: /nowhere/at/all: cannot make a temporary file for rows .*TMPDIR' "no place for rows of requests" \
    env TMPDIR=/nowhere/at/all "$DCSIM" --config many.json --output r.db
refused 'nowhere' "output into a missing folder" "$DCSIM" --config good.json --output nowhere/r.db
mkdir full
refused 'full' "output that is a folder" "$DCSIM" --config good.json --output full
"$DCSIM" profile build "$SOURCE_DIR/calibrate/profiles/quadro-p1000.sql" new.db || fail "profile build"
sqlite3 new.db "UPDATE profile SET value = '999' WHERE key = 'schema_version'"
refused 'newer|schema' "profile of a newer schema" "$DCSIM" --config good.json --set profile=./new.db
head -c 5000 new.db >cut.db
refused 'cut.db' "truncated profile" "$DCSIM" --config good.json --set profile=./cut.db
text=$SOURCE_DIR/calibrate/profiles/quadro-p1000.sql
for bytes in 3000 $(($(stat -c %s "$text") - 100)); do
    head -c "$bytes" "$text" >cut.sql
    refused 'cut.sql:[0-9]+: .*(the file may have been cut off|the text ends without the COMMIT)' "text of $bytes bytes" \
        "$DCSIM" --config good.json --set profile=./cut.sql
done
{ head -15 "$text"; printf "('schema_version', '1"; } >cut.sql
refused 'cut.sql:16: unrecognized token: .*; no statement ends after this: the file may have been cut off' "text cut in a string" \
    "$DCSIM" --config good.json --set profile=./cut.sql
sed '16s/^/half /' "$text" >cut.sql
refused 'cut.sql:16: near "half"' "text with a mistake" "$DCSIM" --config good.json --set profile=./cut.sql
grep -q 'cut off' err && fail "a mistake in the middle passes for a cut"
refused 'exists' "profile build over a file" "$DCSIM" profile build "$SOURCE_DIR/calibrate/profiles/quadro-p1000.sql" new.db
refused 'no such file' "policy that is not there" "$DCSIM" --config good.json --policy ./none.so
refused 'cannot be loaded' "policy that is no shared object" "$DCSIM" --config good.json --policy ./text.db

# A full disk: standard output first, then the database.
expect 2 "the reference into a full disk" bash -c "'$DCSIM' --list params >/dev/full"
expect 2 "standard output is full" bash -c "'$DCSIM' --config good.json >/dev/full"
says err 'standard output' "standard output is full"
finish
