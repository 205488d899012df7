#!/bin/bash
# configs/c-laius/study.sh, with a program in place of dcsim that writes down how it is called.
#
# Pins: how many points there are is said with each; what is refused before anything runs, and what it says; that an
# interruption names the script's command, not dcsim's. Does not pin: the points themselves.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

cat >dcsim.sh <<'SH'
#!/bin/bash
echo "$*" >>"$CALLS"
if [[ $* == *--dry-run* && $* == *predictor=${UNTRAINED:-none}* ]]; then
    echo "dcsim: there are no predictors" >&2
    exit 2
fi
if [[ $(wc -l <"$CALLS") -eq ${STOP_AT:-0} ]]; then
    echo "dcsim: interrupted: run the same command again" >&2
    exit 130
fi
SH
chmod +x dcsim.sh
export DCSIM=$work/dcsim.sh CALLS=$work/calls
study() {
    : >"$CALLS"
    "$SOURCE_DIR/configs/c-laius/study.sh" "$@"
}
calls() { [[ $(wc -l <"$CALLS") -eq $1 ]] || fail "$2: $(wc -l <"$CALLS") calls, expected $1"; }

expect 0 "a part" study datacenter
says err 'point 3 of 3$' "how many there are"
calls 3 "a part"
export POLICIES=c-laius
SHARES=0.1 expect 0 "one share" study granularity x.db
says err 'point 48 of 48$' "of the policies that were asked for"
calls 48 "one share"
grep -q -- '--output x.db .*policy.granularity=0.1' "$CALLS" || fail "not the option of the part"

expect 0 "a sweep" study closed x.db
calls 1 "a sweep"
grep -q -- '--output x.db --config .*closed.json .*replications=10' "$CALLS" || fail "not the sweep: $(cat "$CALLS")"

refused_here() { # refused() looks for one line of dcsim's
    local regex=$1 what=$2
    shift 2
    expect 2 "$what" "$@"
    says err "$regex" "$what"
}
refused_here 'unknown part "pear"; parts are closed, paced, load, pairs, sla, predictors, granularity, services, switch, datacenter' "a part" study pear
calls 0 "an unknown part"
POLICIES="c-laius baymax" refused_here 'granularity takes c-laius c-laius-nb c-laius-nc, found baymax' "a policy without it" study granularity
calls 0 "a policy without the option"
unset POLICIES
UNTRAINED=knn refused_here 'predictors needs predictor "knn", trained beforehand \(dcsim train nvidia-h200\)' "no predictors" study predictors
[[ $(grep -vc -- --dry-run "$CALLS") -eq 0 ]] || fail "points were run before predictors were looked for"

STOP_AT=2 expect 130 "interrupted" study datacenter
says err 'study\.sh: interrupted: repeat the command to go on after point 1 of 3$' "whose command"
grep -q 'run the same command' err && fail "dcsim's own word of it is shown, too"
finish
