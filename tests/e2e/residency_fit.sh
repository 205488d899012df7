#!/bin/bash
# calibrate/fit/fit_residency.py on made-up kernels that follow its law, whose equations residency_world.py solves by itself.
#
# Pins: a profile without pairs is refused, and one that was cut short by what it lacks. With "whole": pairs that were held out
# are predicted within a hundredth of the best rate, from the mean of both orders of launching; the same profile gives the same
# law, and is not changed; a point with one order left is taken; --keep writes law and rates; three kernels, which no fit sees,
# are predicted as well.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
export OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1

find_numpy
fit=("$python" "$SOURCE_DIR/calibrate/fit/fit_residency.py")

cat "$SOURCE_DIR"/src/models/profile/profile_schema_[12].sql | sed 's/^PRAGMA.*//' | sqlite3 p.db || fail "making a profile"
refused 'p.db holds no pairs of kernels inside an SM: dcsim-calibrate residency measures them' "no pairs" "${fit[@]}" p.db

"$python" "$SOURCE_DIR/tests/e2e/residency_world.py" p.db || fail "planting"
# lacks WHAT SAYS SQL [OPTION]: without these rows.
lacks() {
    cp p.db cut.db
    sqlite3 cut.db "$3"
    refused "$2" "$1" "${fit[@]}" ${4:+"$4"} cut.db
}
lacks "one block alone" 'cut.db lacks rows of one block alone of ant, dog: dcsim-calibrate residency' \
    "DELETE FROM residency WHERE beside = 'none' AND kernel IN ('ant', 'dog') AND blocks = 1"
lacks "one side of each point" 'cut.db has no whole point of a pair: ' \
    "DELETE FROM residency WHERE beside <> 'none' AND kernel > beside"
lacks "alone as beside" 'cut.db has no whole point of a pair: ' \
    "DELETE FROM residency WHERE CASE beside WHEN 'none' THEN blocks > 1 ELSE blocks = 1 AND beside_blocks = 1 END"
lacks "a pair to hold out" '--judge needs points of pairs to hold out, every third, and of others' \
    "DELETE FROM residency WHERE beside <> 'none' AND NOT (kernel IN ('ant', 'bee') AND beside IN ('ant', 'bee'))" --judge
lacks "fewer SMs" 'cut.db has no application of its kernels alone on fewer SMs: dcsim-calibrate solo' \
    "DELETE FROM kernel_solo WHERE sms < 8"
lacks "counters" 'cut.db does not say what any application of its kernels moves to L2: dcsim-calibrate counters' \
    "DELETE FROM kernel_counters"
refused '--judge leaves pairs out: --keep goes without it' "both" "${fit[@]}" --judge --keep p.db
# ---- Fits: minutes ----
[[ ${1:-} == whole ]] || finish
# Three of the six: fewer are fitted sooner.
cp p.db kept.db
for column in residency.kernel residency.beside residency_three.kernel residency_three.second residency_three.third \
    kernel_solo.application kernel_counters.application; do
    echo "DELETE FROM ${column%.*} WHERE ${column#*.} IN ('dog', 'eel', 'fox');"
done | sqlite3 kept.db
expect 0 "keeping" "${fit[@]}" --keep kept.db
says out '^fitted: 84 points of 3 pairs, 0\.00[0-9]+ off in the mean' "the points"
says out '^fitted: 3 rates on fewer SMs, [01]\.[0-9] % off in the mean' "on fewer SMs"
[[ $(sqlite3 kept.db "SELECT count(*) FROM resident_kernel JOIN resident_use USING (kernel)") == 9 ]] || fail "the law is not kept"
[[ $(sqlite3 kept.db "SELECT count(*) FROM resident_rate") == 192 ]] || fail "rates: $(sqlite3 kept.db "SELECT count(*) FROM resident_rate")"

expect 0 "three" "${fit[@]}" --three kept.db
says out '^three: 3 sides of 1 threes, 0\.0[01][0-9]+ off in the mean' "three kernels"
refused 'has no law of this form of all its kernels: --keep writes it' "no law" "${fit[@]}" --three p.db
refused '--three fits nothing' "both" "${fit[@]}" --three --keep p.db
cp kept.db cut.db
sqlite3 cut.db "DELETE FROM residency WHERE beside = 'none'"
refused 'holds no three kernels inside an SM that were measured alone' "not alone" "${fit[@]}" --three cut.db
sqlite3 kept.db "DROP TABLE residency_three"
refused 'holds no three kernels inside an SM' "no threes" "${fit[@]}" --three kept.db
before=$(sqlite3 p.db .dump | sha256sum)
expect 0 "judging" "${fit[@]}" --judge p.db
says out '^held out: 140 points of 5 pairs, 0\.00[0-9]+ off in the mean' "held out"
says out 'if nothing were slowed: 0\.[1-9]' "what is not slowed"
mv out first
expect 0 "again" "${fit[@]}" --judge p.db
cmp first out || fail "the same profile gave another law"
[[ $(sqlite3 p.db .dump | sha256sum) == "$before" ]] || fail "the profile has changed"

cp p.db cut.db
sqlite3 cut.db "DELETE FROM residency WHERE kernel = 'ant' AND beside = 'bee' AND launched = 0"
expect 0 "one order left" "${fit[@]}" cut.db
says out '^fitted: 420 points of 15 pairs' "one order left"
finish
