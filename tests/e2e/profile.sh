#!/bin/bash
# dcsim profile show, lint and diff on the command line.
#
# Pins: what is shown of a small made-up profile and of the shipped ones, whose contention is known among it; each rule of lint, seen to fire
# on a planted fault just beyond its bound and to be silent just inside it, alone, with its findings, whether
# they are notes or errors, the verdict and the exit code; of many findings of one kind their number, of how many rows, and the worst, all with --all; diff with keys and durations that differ, and its tolerance from both sides; a partial
# profile is a warning in the report and a row of the results; bad files and bad arguments.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
small=$SOURCE_DIR/tests/data/profile-measured.sql

"$DCSIM" profile build "$small" good.db || fail "build"

# changed SQL: bad.db is the good profile after that.
changed() {
    cp good.db bad.db
    sqlite3 bad.db "$1" || fail "planting: $1"
}

# fires RULE COUNT FIRST SQL [REFUSAL]: lint finds exactly COUNT by RULE and nothing by other rules, but for what a
# simulation would refuse of it. That, and provenance, are errors.
fires() {
    local errors=0 notes=$2 rules=1 code=0
    [[ $1 == provenance || $1 == refused ]] && errors=$2 notes=0
    [[ -n ${5:-} ]] && errors=$((errors + 1)) rules=2
    ((errors == 0)) || code=1
    changed "$4"
    expect $code "lint: $1" "$DCSIM" profile lint bad.db --all
    says out "^ +$2  $1 " "lint: $1: $2 findings"
    says out "^ +([a-z -]+, [0-9]+ of [0-9]+: )?$3" "lint: $1: the finding"
    [[ -z ${5:-} ]] || says out "^ +$5" "lint: $1: the refusal"
    [[ $(grep -cE '^ +[0-9]+  [a-z]' out) -eq 12 ]] || fail "lint: $1: not 12 rules"
    [[ $(grep -cE '^ +[1-9][0-9]*  [a-z]' out) -eq $rules ]] || fail "lint: $1: another rule fired"
    says out "^$errors errors?, $notes notes? by $rules rules?\$" "lint: $1: the count"
    if ((errors > 0)); then
        says out '^Do not use this profile before its errors are mended\.$' "lint: $1: the verdict"
    else
        says out '^This profile can be used\. Notes say ' "lint: $1: the verdict"
    fi
}

# silent WHAT SQL: lint finds nothing.
silent() {
    changed "$2"
    expect 0 "lint: $1" "$DCSIM" profile lint bad.db
    says out '^clean$' "lint: $1"
    says out '^This profile can be used\.$' "lint: $1: the verdict"
}

# --- lint ---
expect 0 "lint of the good text" "$DCSIM" profile lint "$small"
says out '^clean$' "lint of the good text"
silent "the database" ""

fires partial 1 "profile.partial is 'yes'" "UPDATE profile SET value = 'yes' WHERE key = 'partial'"
silent "no word of partial" "DELETE FROM profile WHERE key = 'partial'"

unfit='DELETE FROM contention_range; DELETE FROM contention_weight; DELETE FROM contention_kernel'
fires no-contention 1 '.calibrate/fit/fit_contention.py --inferred FILE.db. fits it to the [1-9][0-9]* co-runs' "$unfit"
expect 0 "show without contention" "$DCSIM" profile show bad.db
head -20 out | tr '\n' ' ' | says - 'WARNING: no contention was fitted: .*; +`calibrate/fit/fit_contention.py' "show without contention: near its top"
fires no-contention 1 'no co-runs to fit it to: .dcsim-calibrate sensitivity. and .sensitivity-requests. measure them' "$unfit; DELETE FROM corun_side; DELETE FROM corun"

fires provenance 2 'profile.driver is 8.0' "UPDATE profile SET value = '8.0' WHERE key = 'driver'"
fires provenance 1 'the device is Other' "UPDATE device SET name = 'Other'"
fires provenance 1 'job, size 100, 9 SMs \(green\): the device has 8 SMs' \
    "UPDATE request_solo SET sms = 9, median_ns = 4000000 WHERE application = 'job' AND sms = 4" \
    'request_solo.sms: row 2: expected an integer from 1 to 8, found 9'
fires provenance 1 'copy, 4 SMs \(whole\): the device has 8' "UPDATE overhead SET sms = 4 WHERE what = 'copy'"
fires provenance 1 'to_device, 1000 bytes, beside 0: 1501 MHz' \
    "UPDATE transfer SET clock_mhz = 1501 WHERE direction = 'to_device'"
silent "the clock at its maximum" "UPDATE transfer SET clock_mhz = 1500"
silent "another source" "UPDATE profile SET value = 'transcribed' WHERE key = 'source'"

# 2 %: of 31.6 ms at 1 SM; standard errors are far smaller.
at4="UPDATE kernel_solo SET median_ns = %d WHERE application = 'job' AND sms = 4"
slow='job, size 100, work \(green\): 32.24 ms at 4 SMs, 31.6 ms at 1'
# shellcheck disable=SC2059
fires slower-with-more-sms 1 "$slow" "$(printf "$at4" 32240000)"
# shellcheck disable=SC2059
silent "2 % slower with more SMs" "$(printf "$at4" 32232000)"
# 3 standard errors: sqrt(2) * 1 ms * 3 = 4.24 ms with 9 samples of 3 ms standard deviation each.
noisy="UPDATE kernel_solo SET stddev_ns = 3e6 WHERE application = 'job' AND sms < 8;"
# shellcheck disable=SC2059
fires slower-with-more-sms 1 'job, size 100, work' "$noisy $(printf "$at4" 35900000)"
# shellcheck disable=SC2059
silent "less than 3 standard errors slower" "$noisy $(printf "$at4" 35800000)"
silent "another mechanism" "UPDATE request_solo SET mechanism = 'mps', median_ns = 90000000
    WHERE application = 'service' AND size = 4 AND sms = 4"
# The best of fewer SMs counts, not only the next.
fires slower-with-more-sms 2 'service, size 8 \(green\): 161.9 ms at 4 SMs, 158 ms at 1' \
    "INSERT INTO request_solo SELECT application, size, mechanism, 6, n, throttled, 162000000, mean_ns, stddev_ns,
        min_ns, max_ns, stop, clock_mhz, l2 FROM request_solo WHERE application = 'service' AND size = 8 AND sms = 4;
    UPDATE request_solo SET median_ns = 161900000 WHERE application = 'service' AND size = 8 AND sms = 4"
fires slower-with-more-sms 1 'service, size 8 \(green\): 170 ms at 4 SMs, 150 ms at 2' \
    "INSERT INTO request_solo SELECT application, size, mechanism, 2, n, throttled, 150000000, mean_ns, stddev_ns,
        min_ns, max_ns, stop, clock_mhz, l2 FROM request_solo WHERE application = 'service' AND size = 8 AND sms = 4;
    UPDATE request_solo SET median_ns = 170000000 WHERE application = 'service' AND size = 8 AND sms = 4"

fires faster-with-size 1 'service, size 8, layer, 4 SMs \(green\): 17 ms, at size 4 18 ms' \
    "UPDATE kernel_solo SET median_ns = 17000000 WHERE application = 'service' AND size = 8 AND kernel = 'layer'
        AND sms = 4"
silent "2 % faster at a larger size" \
    "UPDATE kernel_solo SET median_ns = 17648000 WHERE application = 'service' AND size = 8 AND kernel = 'layer'
        AND sms = 4"

fires few-samples 1 'launch, 8 SMs \(whole\): n = 2' "UPDATE overhead SET n = 2 WHERE what = 'launch'"
fires few-samples 1 'layer with job, load ratio 100 %: n = 1' "UPDATE fused SET n = 1"
fires few-samples 2 'co-run 1, side 1, job: n = 0' "UPDATE corun_side SET n = 0 WHERE application = 'job'"
silent "3 samples" "UPDATE request_solo SET n = 3; UPDATE fused SET n = 3"
silent "published figures" "UPDATE request_solo SET n = 1, stop = 'published'"

# Many of one kind: their number and the worst, each kind apart; with --all each one.
changed "UPDATE kernel_solo SET n = 2; UPDATE kernel_solo SET n = 1 WHERE kernel = 'layer' AND size = 8;
    UPDATE transfer SET n = 1 WHERE direction = 'to_device'"
many=$(sqlite3 bad.db "SELECT count(*) FROM kernel_solo")
transfers=$(sqlite3 bad.db "SELECT count(*) FROM transfer")
[[ $many -gt 5 && $transfers -gt 1 ]] || fail "the profile has too few rows for this test"
expect 0 "lint of many" "$DCSIM" profile lint bad.db
says out "^ +$((many + 1))  few-samples " "lint of many: all"
says out "^ +kernels alone, $many of $many: service, size 8, layer, .*: n = 1, and $((many - 1)) more$" "lint of many: a kind"
says out "^ +transfers, 1 of $transfers: .*: n = 1$" "lint of many: another kind"
[[ $(grep -c ': n = ' out) -eq 2 ]] || fail "lint of many: not one of each kind"
says out "^0 errors, $((many + 1)) notes by 1 rule; --all prints each$" "lint of many: the end"
says out '^This profile can be used\. Notes .* no number of them is too many' "lint of many: the verdict"
expect 0 "lint --all" "$DCSIM" profile lint bad.db --all
[[ $(grep -c ': n = ' out) -eq $((many + 1)) ]] || fail "lint --all: not all"
says out "^0 errors, $((many + 1)) notes by 1 rule$" "lint --all: the end"
# Where each is printed anyhow there is nothing more that --all could print.
changed "UPDATE transfer SET n = 1 WHERE direction = 'to_device'; UPDATE fused SET n = 1"
expect 0 "lint of one of each kind" "$DCSIM" profile lint bad.db
says out "^0 errors, $(grep -c ': n = ' out) notes by 1 rule$" "lint of one of each kind: the end"
# Of other rules, too: 3 times as long is worse than twice.
changed "UPDATE kernel_solo SET median_ns = 2 * 31600000 WHERE application = 'job' AND sms = 4;
    UPDATE request_solo SET median_ns = 3 * (SELECT max(median_ns) FROM request_solo WHERE application = 'service')
    WHERE application = 'service' AND size = 8 AND sms = 4"
expect 0 "lint of two" "$DCSIM" profile lint bad.db
grep -A1 'slower-with-more-sms' out | says - '^ +service, size 8' "the worst first"

# n = 9 and a mean of 4 ms: 1 % is a standard deviation of 0.12 ms.
early="UPDATE request_solo SET stop = '%s', stddev_ns = %d WHERE application = 'job' AND mechanism = 'whole'"
# shellcheck disable=SC2059
fires stopped-early 1 'job, size 100, 8 SMs \(whole\): ended by time, n = 9' "$(printf "$early" time 120001)"
# shellcheck disable=SC2059
fires stopped-early 1 'job, size 100, 8 SMs \(whole\): ended by count' "$(printf "$early" count 130000)"
# shellcheck disable=SC2059
silent "stopped at 1 %" "$(printf "$early" time 119999)"
# shellcheck disable=SC2059
silent "ended by the error" "$(printf "$early" rse 200000)"

fires throttled 1 'from_device, 1000 bytes, beside 0: 3 thrown away, 9 kept' \
    "UPDATE transfer SET throttled = 3 WHERE direction = 'from_device'"

fires kernels-against-request 1 'service, size 4: 2 kernels take 11.01 ms, the request 10 ms' \
    "UPDATE kernel_solo SET median_ns = 10010000 WHERE size = 4 AND kernel = 'layer' AND mechanism = 'whole'"
silent "kernels 10 % longer" \
    "UPDATE kernel_solo SET median_ns = 10000000 WHERE size = 4 AND kernel = 'layer' AND mechanism = 'whole'"
fires kernels-against-request 1 'service, size 4: 3 kernels' \
    "INSERT INTO request_kernel VALUES ('service', 4, 2, 'again', 'layer')" \
    'request_kernel: expected the 2 kernels of "service" that the table kernel has, found 3 at its default size'
silent "a kernel that is not known" \
    "UPDATE request_solo SET median_ns = 14000000 WHERE application = 'service' AND size = 4 AND sms = 8;
    DELETE FROM kernel_solo WHERE size = 4 AND kernel = 'layer' AND sms = 8"

# The copy ceiling: 100 bytes per ns; L2 200; matrix 100 flop per ns. 2 % more is noise.
fires above-ceiling 1 'job, size 100, work: DRAM GB/s 103, ceiling 100' \
    "UPDATE kernel_counters SET dram_read_bytes = 3.12e8 WHERE application = 'job'"
silent "2 % above the copy ceiling" "UPDATE kernel_counters SET dram_read_bytes = 3.07e8 WHERE application = 'job'"
fires above-ceiling 1 'job, size 100, work: L2 GB/s 206, ceiling 200' \
    "UPDATE kernel_counters SET l2_bytes = 8.24e8 WHERE application = 'job'"
fires above-ceiling 1 'service, size 4, layer: GFLOP/s 103, ceiling 100' \
    "UPDATE kernel_shape SET flop = 9.27e8 WHERE application = 'service' AND size = 4 AND kernel = 'layer'"
silent "2 % above the matrix ceiling" \
    "UPDATE kernel_shape SET flop = 9.17e8 WHERE application = 'service' AND size = 4 AND kernel = 'layer'"
fires above-ceiling 1 'job, size 100, work: a fraction above 1' \
    "UPDATE kernel_counters SET l2_hit_fraction = 1.01 WHERE application = 'job'"
silent "no ceilings" "DELETE FROM overhead; UPDATE kernel_shape SET flop = 1e20"

# At another size than the default, too, which requests may have.
fires sizes 1 'service, size 8: in request_solo, not in request_kernel' \
    "DELETE FROM request_kernel WHERE size = 8" \
    'request_kernel: expected the kernels of "service" at size 8, which request_solo has; found none'
fires sizes 1 'service, size 8: in request_kernel, not in request_solo' "DELETE FROM request_solo WHERE size = 8"
fires sizes 1 'service, size 8: in request_kernel, not in kernel_solo' \
    "DELETE FROM kernel_solo WHERE size = 8 AND kernel = 'in'"
fires sizes 2 'service, size 8: in kernel_solo, not in kernel_shape' "DELETE FROM kernel_shape WHERE size = 8"
fires sizes 1 'service, size 3: in kernel_counters, not in kernel_solo' \
    "UPDATE kernel_counters SET size = 3 WHERE application = 'service'"
fires sizes 1 'job, size 99: in corun_side, not in kernel_solo' "UPDATE corun_side SET size = 99 WHERE corun = 2 AND side = 0"
fires sizes 1 'service, size 8: outside of 1 to 7' "UPDATE subject SET size_max = 7 WHERE application = 'service'"
fires sizes 1 'service: nothing measured at its default size 5' \
    "UPDATE subject SET size_default = 5 WHERE application = 'service'"
fires sizes 1 'job: measured, but not in subject' "DELETE FROM subject WHERE application = 'job'"
# Tables without that application say nothing of its sizes; a simulation wants its kernels.
fires refused 1 'request_kernel: expected the kernels of "service" at size 8, which request_solo has; found none' \
    "DELETE FROM request_kernel; DELETE FROM kernel_shape"

# --- the shipped profiles ---
expect 0 "lint of quadro-p1000" "$DCSIM" profile lint quadro-p1000
says out 'schema version 1' "lint of quadro-p1000"
# Published as they are: some are slower with more SMs. Nobody published co-runs. Nothing else is wrong with them.
expect 0 "lint of rtx2080ti" "$DCSIM" profile lint rtx2080ti
says out '^0 errors, [0-9]+ notes by 2 rules; --all prints each$' "lint of rtx2080ti"
says out '^ +1  no-contention' "lint of rtx2080ti: no co-runs were published"
says out '^ +[1-9][0-9]*  slower-with-more-sms' "lint of rtx2080ti"
expect 0 "show rtx2080ti" "$DCSIM" profile show rtx2080ti
says out '^  face +latency +- +160 ms' "show rtx2080ti"
says out '^  vgg +424 ms +106 ms +65.4 ms' "show rtx2080ti"
echo '{"policy":{"name":"fcfs"},"profile":"rtx2080ti",
"workload":{"services":[{"application":"vgg","arrivals":{"rate_per_s":5},"requests":50}]}}' >rtx.json
expect 0 "applications of rtx2080ti" "$DCSIM" --config rtx.json --list applications
says out '^googlenet +latency +1 +81.046 ' "applications of rtx2080ti"
expect 0 "a run on rtx2080ti" "$DCSIM" --config rtx.json
says out '^  vgg +50 ' "a run on rtx2080ti"
# It has no cost of revoking, which matters to who revokes only.
sed 's/"workload":{/"workload":{"batch":[{"application":"long"}],/; s/"fcfs"/"priority", "revocation": true/
    s/^{/{"applications":[{"name":"long","class":"batch","service":{"mean_ms":5000}}],/' rtx.json >revoke.json
refused 'priority.*revoke: the profile of the device of request .* has no cost of "trap"' "revoking on rtx2080ti" \
    "$DCSIM" --config revoke.json --set horizon.duration_s=20
expect 0 "revoking on rtx2080ti at a given cost" "$DCSIM" --config revoke.json --set horizon.duration_s=20 \
    --set revocation.kill_ms=5

for name in quadro-p1000 rtx2080ti; do
    "$DCSIM" profile build "$SOURCE_DIR/calibrate/profiles/$name.sql" "$name.db" || fail "build $name"
    expect 0 "$name and its database" "$DCSIM" profile diff "$name" "./$name.db"
    says out '^no difference$' "$name and its database"
done

# --- show ---
expect 0 "show" "$DCSIM" profile show good.db
says out '^driver: 7.1$' "provenance"
says out '^device: Test device, 8 SMs' "the device"
says out '^  service +latency +50.0 ms +10.0 ms +2 +2 +1 +0$' "an application"
says out '^  service +images +4 +1 +8 +2 +3$' "its sizes"
says out '^scaling: a request on +1 SMs +4 SMs +all SMs' "SM counts next to an eighth and a half"
says out '^  service +79.0 ms +20.0 ms +10.0 ms +7.90 +2$' "scaling"
says out '^  copy +100 +byte/ns' "a ceiling"
says out '^  launch +2.00 us$' "an overhead"
says out '^  trap +1024 +none +2 +405 ms +50.0 ms +- +- +0$' "revocations"
says out '^missing: launches of kernels, quota switches, co-runs: meters, co-runs: pairs, test half' "what is missing"
grep '^missing' out | grep -q guessed && fail "no guesses are missing"
says out '^  service +100.00 % +0.00 % +0.00 %$' "whose contention was measured"
"$DCSIM" profile show "$small" >text.out && "$DCSIM" profile show good.db >db.out
[[ $(diff text.out db.out | grep -c '^[<>]') -eq 4 ]] || fail "text and database differ in more than file and hash"
expect 0 "show --app" "$DCSIM" profile show good.db --app service
says out '^  layer +1 +9.00 ms +18.0 ms +90.00 % +1 +1024 +9$' "a kernel"
says out '^  8 +green +4 +40.0 ms' "a request of another size"
grep -q job out && fail "show --app shows another application"
says out '^  service +100.00 % +0.00 % +0.00 %$' "show --app: whose contention was measured"
changed "UPDATE contention_kernel SET source = 'like job work' WHERE application = 'service'; DELETE FROM contention_range WHERE application = 'job'; DELETE FROM contention_weight WHERE application = 'job'; DELETE FROM contention_kernel WHERE application = 'job'"
expect 0 "show guesses" "$DCSIM" profile show bad.db
says out '^  job +0.00 % +0.00 % +100.00 %$' "not known"
says out '^  service +0.00 % +100.00 % +0.00 %$' "a guess"
changed "INSERT INTO step VALUES ('noise', 'noise', 'failed', 'out' || char(27) || 'side', 1);
    UPDATE profile SET value = 'yes' WHERE key = 'partial'; DELETE FROM noise"
expect 0 "show a partial one" "$DCSIM" profile show bad.db
says out '^WARNING: partial: no triples, oversubscription, noise; 1 step failed' "what is missing"
tr '\n' ' ' <out | says - '1 step failed\. .*.dcsim-calibrate all +--dry-run --output FILE.db. counts' "where the steps are counted"
says out '^failed: noise: out\?side$' "a failed step, without its escape"

# --- a partial profile in a simulation ---
run='{"policy":{"name":"fcfs"},"profile":"bad.db","workload":{"services":[{"application":"service","arrivals":{"rate_per_s":20},"requests":50}]}}'
echo "$run" >run.json
expect 0 "a partial profile runs" "$DCSIM" --config run.json --output results.db
says out 'WARNING: profile measured is partial: no triples, oversubscription, noise; 1 step' "the report"
[[ $(sqlite3 results.db "SELECT missing FROM input WHERE kind = 'profile'") == 'no triples'*'failed' ]] ||
    fail "the results do not say what is missing"
rm -f results.db
sed 's/bad.db/good.db/' run.json >whole.json
expect 0 "a whole profile runs" "$DCSIM" --config whole.json --output results.db
grep -q WARNING out && fail "a warning of a whole profile"
[[ $(sqlite3 results.db "SELECT missing IS NULL FROM input WHERE kind = 'profile'") == 1 ]] || fail "missing is not NULL"
rm -f results.db

# --- diff ---
expect 0 "diff with itself" "$DCSIM" profile diff good.db good.db
says out '^no difference$' "diff with itself"
says out '^kernel_solo: 15 rows in both, B / A: min 1.000, p5 1.000, median 1.000' "diff with itself"
changed "UPDATE profile SET value = '7.2' WHERE key = 'driver';
    UPDATE kernel_solo SET median_ns = median_ns * 1.05 WHERE application = 'job' AND sms = 8;
    DELETE FROM request_solo WHERE size = 8 AND sms = 4; INSERT INTO step VALUES ('x', 'x', 'done', '', 1)"
expect 1 "diff" "$DCSIM" profile diff good.db bad.db
says out '^profile driver: 7.1 -> 7.2$' "diff: provenance"
says out '^request_solo: 1 row only in A$' "diff: keys"
says out '^    application service, size 8, mechanism green, sms 4$' "diff: keys"
says out '^    1 differ by more than 3 %$' "diff: durations"
says out '^    1.050  application job, size 100, kernel work, mechanism whole, sms 8: 4.00 ms -> 4.20 ms$' "diff"
says out '^they differ$' "diff"
changed "UPDATE kernel_solo SET median_ns = median_ns * 1.05 WHERE application = 'job' AND sms = 8"
expect 0 "diff within its tolerance" "$DCSIM" profile diff good.db bad.db --tolerance 5.1
expect 1 "diff beyond its tolerance" "$DCSIM" profile diff good.db bad.db --tolerance=4.9
expect 1 "diff the other way" "$DCSIM" profile diff bad.db good.db --tolerance 4.9

changed "UPDATE contention_hinge SET level = 5 WHERE position = 1; UPDATE contention_resource SET position = 1;
    UPDATE contention_kernel SET pressure = 0.625 WHERE application = 'job'; DELETE FROM contention_kernel WHERE sms = 8; DELETE FROM contention_range WHERE sms = 8;
    UPDATE contention_range SET slowdown = 2 WHERE application = 'service';
    UPDATE contention_weight SET weight = weight + 1 WHERE application = 'job'; DELETE FROM contention_weight WHERE sms = 8"
expect 1 "diff of contention" "$DCSIM" profile diff good.db bad.db
says out '^position of dram: 0 -> 1$' "diff: a resource"
says out '^level of a hinge of dram: 4.0 -> 5.0$' "diff: a hinge"
says out '^pressure of job, work, 4 SMs, dram \(1 of 1\): 0.5 -> 0.625$' "diff: a kernel's pressure"
says out '^weight of job, work, 4 SMs, dram hinge 0 \(1 of 2\): 0.25 -> 1.25$' "diff: a kernel's weight"
says out '^most slow-down of service, layer, 4 SMs \(1 of 1\): 9.0 -> 2.0$' "diff: how far measurements reach"
says out '^contention_kernel: 1 row only in A$' "diff: keys of contention"
says out '^contention_weight: 1 row only in A$' "diff: keys of weights"

# --- bad input ---
refused 'no profile "nothing"' "no such profile" "$DCSIM" profile show nothing
refused 'cannot open|no such|No such' "no such file" "$DCSIM" profile lint ./nothing.db
refused 'has no application "nobody"' "no such application" "$DCSIM" profile show good.db --app nobody
echo 'CREATE TABLE x(y);' >other.sql
refused 'has no table "x"' "another text" "$DCSIM" profile lint other.sql
refused 'has no table "x"' "diff with another text" "$DCSIM" profile diff good.db other.sql
cp good.db odd.db
sqlite3 odd.db "UPDATE kernel_solo SET n = 'many' WHERE rowid = 2"
refused 'kernel_solo.n: row 2: expected an integer' "a text for a number" "$DCSIM" profile show odd.db
refused 'expected build, split, show, lint or diff' "no subcommand" "$DCSIM" profile
refused 'expected build, split, show, lint or diff' "another subcommand" "$DCSIM" profile mend good.db
refused 'expected one profile' "no profile" "$DCSIM" profile lint
refused 'expected two files' "one profile" "$DCSIM" profile diff good.db
refused 'unknown option' "--all of another command" "$DCSIM" profile show good.db --all
refused 'unknown option' "an option of another command" "$DCSIM" profile lint good.db --app service
refused '--tolerance takes' "no number" "$DCSIM" profile diff good.db good.db --tolerance much
refused '--tolerance takes' "a negative number" "$DCSIM" profile diff good.db good.db --tolerance -1
expect 0 "help" "$DCSIM" profile --help
says out '^Usage: dcsim profile build' "help"
# shellcheck disable=SC2016
refused 'could not be written|No space' "a full disk" bash -c '"$0" profile show "$1" >/dev/full' "$DCSIM" good.db
finish
