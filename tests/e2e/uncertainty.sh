#!/bin/bash
# sharing.profile_uncertainty on the command line.
#
# Pins: where a kernel's samples have a standard error of 10 % and nothing else varies, 95 % of the profiles lie
# within 1.98 times 10 % of its time (100 replications; Student), while the replications agree; the first source is
# what it is without the second; the same on any number of threads and from a database; profiles and configs that
# have no such thing are refused. Does not pin: what noise adds but that it adds something.
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
says all '^  job response_mean +4\.[0-9]+ ms +± 0\.00 ns +± [0-9]+ us$' "its line"
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
sqlite3 p.db "UPDATE kernel_solo SET stddev_ns = 0"
refused 'profile "[a-z-]+" does not say how uncertain it is' "an exact profile" "$DCSIM" --config x.json
refused 'sharing.profile_uncertainty: is of the measured times' "devices that are not shared" \
    "$DCSIM" --config x.json --set sharing.model=whole --set policy.name=fcfs
finish
