#!/bin/bash
# The studies of C-Laius and Tacker, with a program in place of dcsim that writes down how it is called, then the sweeps of
# all parts by the real one, which only counts their points.
#
# Pins: which sweeps a part has, with the database and the replications that were asked for; that what a part overrides is
# there in its config; what is refused before anything runs; that an interruption ends the script. Does not pin: the points.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

cat >dcsim.sh <<'SH'
#!/bin/bash
echo "$*" >>"$CALLS"
if [[ $(wc -l <"$CALLS") -eq ${STOP_AT:-0} ]]; then
    echo "dcsim: interrupted: run the same command again" >&2
    exit 130
fi
SH
chmod +x dcsim.sh
export CALLS=$work/calls
study() {
    : >"$CALLS"
    DCSIM=$work/dcsim.sh "$SOURCE_DIR/configs/$1/study.sh" "${@:2}"
}
calls() { [[ $(wc -l <"$CALLS") -eq $1 ]] || fail "$2: $(wc -l <"$CALLS") calls, expected $1"; }

expect 0 "a part" study c-laius closed x.db
calls 2 "a part"
grep -q -- '--output x.db --config .*closed.json .*replications=10' "$CALLS" || fail "not the sweep: $(cat "$CALLS")"
REPLICATIONS=3 expect 0 "fewer replications" study tacker load
grep -q -- '--output tacker.db .*load.json .*replications=3' "$CALLS" || fail "not the replications: $(cat "$CALLS")"

expect 2 "an unknown part" study c-laius pear
says err 'unknown part "pear"; parts are closed, paced, load, sla, granularity, switch, services, datacenter, predictors, all' "a part"
expect 2 "no part" study tacker
says err 'Usage: .*closed\|paced\|load' "no part"
STOP_AT=2 expect 130 "interrupted" study c-laius all
calls 2 "interrupted: nothing runs after it"

# Every sweep of both studies is one that the program takes: their keys and axes are there.
cat >print.sh <<'SH'
#!/bin/bash
exec "$REAL" --print-config "${@:3}"
SH
chmod +x print.sh
export REAL=$DCSIM
for name in c-laius tacker; do
    DCSIM=$work/print.sh expect 0 "the sweeps of $name" "$SOURCE_DIR/configs/$name/study.sh" all x.db
done
finish
