#!/bin/bash
# sharing.profile_uncertainty on the command line.
#
# Pins: where a kernel's samples have a standard error of 10 % and nothing else varies, 95 % of the profiles lie
# within 1.98 times 10 % of its time (100 replications; Student), while the replications agree; the first source is
# what it is without the second; the same on any number of threads and from a database; profiles and configs that
# have no such thing are refused; MSER-5 cuts both simulations: a second profile that is the
# first one gives the same run. Does not pin: what noise adds but that it adds something.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

"$DCSIM" profile build "$SOURCE_DIR/tests/data/profile-measured.sql" p.db || fail "build"
cp p.db plain.db
sqlite3 p.db "UPDATE kernel_solo SET stddev_ns = 0.3 * mean_ns WHERE application = 'job' AND sms = 8; DELETE FROM noise" || fail "planting"
cat >x.json <<'JSON'
{ "name": "alone", "profile": "./p.db", "replications": 100, "sharing": { "model": "spatial", "profile_uncertainty": true },
  "policy": { "name": "mps-even" }, "horizon": { "duration_s": 0.5 },
  "workload": { "batch": [ { "application": "job" } ] } }
JSON
expect 0 "uncertain" "$DCSIM" --config x.json --output r.db --jobs 1
cp out all
says all '^sources of doubt +value +replications +profile$' "the table"
says all '^  job response_mean +4\.[0-9]+ ms +± 0 +± [0-9]+ us$' "its line"
half() { sqlite3 "$1" "SELECT (high - low) / 2 / value FROM summary WHERE name = '$2' AND app = 0"; }
# The deviation of 100 values is known to 7 %; three times that.
awk -v h="$(half r.db response_mean_profile)" 'BEGIN { exit !(h > 1.98 * 0.079 && h < 1.98 * 0.121) }' ||
    fail "the range is $(half r.db response_mean_profile) of the value, not 0.198"
[[ $(half r.db response_mean) == 0.0 ]] || fail "replications of a deterministic world differ"
expect 0 "on 3 threads" "$DCSIM" --config x.json --jobs 3
cmp -s out all || fail "threads change it"
expect 0 "from the database" "$DCSIM" --config x.json --output r.db
cmp -s out all || fail "the database changes it"
expect 0 "without" "$DCSIM" --config x.json --set sharing.profile_uncertainty=false
grep -vxFf out all | grep -qvE '^(  [a-z]|sources|replications:|  which)' && fail "the option changes other lines"
expect 0 "noise" "$DCSIM" --config x.json --set profile=./plain.db --set sharing.noise=false --output n.db
[[ $(sqlite3 n.db "SELECT high > low FROM summary WHERE name = 'response_mean_profile' AND app = 0") == 1 ]] || fail "noise between minutes adds nothing"

# Of what runs here all is known: the two simulations are the same, from where the backlog has gone.
sqlite3 p.db "UPDATE kernel_solo SET stddev_ns = 0 WHERE application = 'service'"
cat >cut.json <<'JSON'
{ "name": "cut", "profile": "./p.db", "replications": 3, "sharing": { "model": "spatial", "profile_uncertainty": true },
  "policy": { "name": "mps-even" }, "horizon": { "duration_s": 20, "warmup_rule": "mser5" },
  "workload": { "services": [
    { "application": "service", "arrivals": { "rate_per_s": 50 } },
    { "application": "service", "requests": 300, "arrivals": { "process": "deterministic", "rate_per_s": 1e6 } } ] } }
JSON
expect 0 "MSER-5" "$DCSIM" --config cut.json --output cut.db
[[ $(sqlite3 cut.db "SELECT count(*), min(window_from_ns) > 4e9, max(window_from_ns) < 8e9 FROM run") == '3|1|1' ]] ||
    fail "MSER-5 cuts something else: $(sqlite3 cut.db "SELECT window_from_ns FROM run")"
[[ $(sqlite3 cut.db "SELECT count(*), sum(a.value = b.value) FROM metric a JOIN metric b USING (replication, app)
    WHERE a.name = 'response_mean' AND b.name = 'response_mean_resampled' AND app = 0") == '3|3' ]] ||
    fail "the second simulation is cut elsewhere"

sqlite3 p.db "UPDATE kernel_solo SET stddev_ns = 0"
refused 'profile "[a-z-]+" does not say how uncertain it is' "an exact profile" "$DCSIM" --config x.json
refused 'sharing.profile_uncertainty: is of the measured times' "devices that are not shared" \
    "$DCSIM" --config x.json --set sharing.model=whole --set policy.name=fcfs
finish
