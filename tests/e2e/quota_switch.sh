#!/bin/bash
# What a change of quota costs, as the profile has measured it, on the command line.
#
# Pins: what is shown of it; that "profile" takes partitions' times of green_host less those of stream, and gives the results of the same
# time as a number; the metrics of switches; that it is printed as it was given; what is refused, and why. What it
# costs on a real device is not pinned.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
config=$SOURCE_DIR/tests/data/shared-green.json
run=("$DCSIM" --quiet --config "$config" --set replications=1 --set horizon.duration_s=2)

"$DCSIM" profile build "$SOURCE_DIR/calibrate/profiles/made-up.sql" m.db || fail "build"
cp m.db bare.db
sqlite3 bare.db "DROP TABLE IF EXISTS quota_switch"
columns="n INTEGER NOT NULL, throttled INTEGER NOT NULL, median_ns INTEGER NOT NULL, mean_ns REAL NOT NULL,
    stddev_ns REAL NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, stop TEXT NOT NULL,
    clock_mhz INTEGER NOT NULL, l2 TEXT NOT NULL"
row() { # MECHANISM FROM TO MEDIAN_NS
    echo "INSERT INTO quota_switch VALUES('$1', $2, $3, 'device', 32, $4, 300, 0, $4, $4.0, 0.0, $4, $4, 'count', 1980, 'warm');"
}
{
    echo "CREATE TABLE IF NOT EXISTS quota_switch(mechanism TEXT NOT NULL, from_sms INTEGER NOT NULL, to_sms INTEGER NOT NULL,
        memory TEXT NOT NULL, tick_ns INTEGER NOT NULL, p95_ns INTEGER NOT NULL, $columns, PRIMARY KEY(mechanism, from_sms, to_sms));"
    row stream 8 8 1000
    row green_host 8 16 90000
    row green_host 16 8 112000
} >switches.sql
cp bare.db green.db
sqlite3 green.db <switches.sql || fail "planting"
cp bare.db mps.db
{ cat switches.sql; echo "DELETE FROM quota_switch;"; row mps_stream 8 8 1000; row mps_futex 8 16 50000; } | sqlite3 mps.db || fail "planting"

# --- as a number ---
expect 0 "as measured" "${run[@]}" --set profile=./green.db --set sharing.quota_switch_us=profile --output measured.db
expect 0 "as a number" "${run[@]}" --set profile=./green.db --set sharing.quota_switch_us=100 --output number.db
expect 0 "without" "${run[@]}" --set profile=./green.db --set sharing.quota_switch_us=0 --output without.db
metrics() {
    sqlite3 "$1" "SELECT name, ifnull(app, ''), ifnull(class, ''), value, n FROM metric ORDER BY 1, 2, 3"
}
for x in measured number without; do metrics $x.db >$x.txt; done
cmp -s measured.txt number.txt || fail "as measured and as a number differ: $(diff measured.txt number.txt | head -3)"
cmp -s measured.txt without.txt && fail "a switch costs nothing"
says measured.txt '^quota_switches\|0\|[^|]*\|[0-9.]*[1-9]' "switches of a service"
says measured.txt '^quota_switch_share\|0\|[^|]*\|0\.[0-9]*[1-9]' "their share"
says without.txt '^quota_switch_share\|0\|[^|]*\|0\.0\|' "their share at 0"
# 100 us for each, of the time from arrival to completion.
sqlite3 measured.db "SELECT abs(s.value * r.value / (w.value * 100000.0) - 1) < 1e-9 FROM metric s JOIN metric w USING (app)
    JOIN metric r USING (app) WHERE s.name = 'quota_switch_share' AND w.name = 'quota_switches' AND r.name = 'response_mean'
    AND app = 0" >share
says share '^1$' "the share is that of the switches"

# --- copies: a service of one kernel behind a copy changes no quota, whatever the two are given ---
cat >copy.json <<EOF
{"profile": "$SOURCE_DIR/tests/data/profile-measured.sql", "sharing": {"model": "spatial", "step_sms": 2, "quota_switch_us": 10},
 "policy": {"name": "c-laius"}, "horizon": {"duration_s": 20},
 "workload": {"batch": [{"application": "job", "clients": 1}],
              "services": [{"application": "service", "sla_ms": 20, "arrivals": {"process": "poisson", "rate_per_s": 20}}]}}
EOF
expect 0 "copies" "$DCSIM" --quiet --config copy.json --output copy.db
metrics copy.db >copy.txt
says copy.txt '^quota_switches\|0\|[^|]*\|0\.0\|' "copies are no switches"

# --- what a profile says of it ---
expect 0 "shown" "$DCSIM" profile show green.db
says out '^  stream +1\.00 us +1\.00 us +1$' "the baseline"
says out '^  green_host +101 us +112 us +2$' "of partitions"
says out '^  quota switches +3$' "rows"

# --- how it is written ---
expect 0 "printed" "${run[@]}" --set profile=./green.db --set sharing.quota_switch_us=profile --print-config
says out '"quota_switch_us": "profile"' "the canonical form"
cp out again.json
expect 0 "printed again" "$DCSIM" --quiet --config again.json --print-config
cmp -s out again.json || fail "the canonical form is another one the second time"

# --- refused ---
refused 'sharing.quota_switch_us: profile ".*" has not measured what a change of quota costs .*dcsim-calibrate switch' "nothing measured" \
    "${run[@]}" --set profile=./bare.db --set sharing.quota_switch_us=profile
refused 'quota_switch_us: expected a time in us from 0 to 1000000000 or "profile", found "profil"' "another word" \
    "${run[@]}" --set profile=./green.db --set sharing.quota_switch_us=profil
refused 'sharing.quota_switch_us: "profile" is of kernels that share a device' "devices that are not shared" \
    "${run[@]}" --set profile=./green.db --set sharing.quota_switch_us=profile --set sharing.model=whole --set policy.name=fcfs
expect 2 "another mechanism" "${run[@]}" --set profile=./mps.db --set sharing.quota_switch_us=profile
says err 'c-laius.*has not measured what a change of quota costs by this mechanism: .*dcsim-calibrate switch' "another mechanism"

finish
