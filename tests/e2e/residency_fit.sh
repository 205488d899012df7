#!/bin/bash
# calibrate/fit/fit_residency.py on made-up kernels that follow its law.
#
# Pins: pairs that were held out are predicted within a hundredth of the best rate, from the mean of both orders of
# launching; the same profile gives the same law, and is not changed; a profile without pairs is refused.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
export OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1

python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
[[ $python ]] || { echo "skipped: needs numpy (Debian: python3-numpy)"; exit 77; }
fit=("$python" "$SOURCE_DIR/calibrate/fit/fit_residency.py")

sed 's/^PRAGMA.*//' "$SOURCE_DIR/src/models/profile/profile_schema_2.sql" | sqlite3 p.db || fail "making a profile"
refused 'p.db holds no pairs of kernels inside an SM: dcsim-calibrate residency measures them' "no pairs" "${fit[@]}" p.db

"$python" "$SOURCE_DIR/tests/e2e/residency_world.py" "$SOURCE_DIR" p.db || fail "planting"
before=$(sqlite3 p.db .dump | sha256sum)
expect 0 "judging" "${fit[@]}" --judge p.db
says out '^held out: 140 points of 5 pairs, 0\.00[0-9]+ off in the mean' "held out"
says out 'if nothing were slowed: 0\.[1-9]' "what is not slowed"
mv out first
expect 0 "again" "${fit[@]}" --judge p.db
cmp first out || fail "the same profile gave another law"
[[ $(sqlite3 p.db .dump | sha256sum) == "$before" ]] || fail "the profile has changed"
