#!/bin/bash
# Profiles in two files, what simulations read and the evidence, on the command line.
#
# Pins: the weight of the shipped ones; that a simulation gives the same results on a split profile as on the
# whole, opens none of its evidence, and needs none; that dcsim profile and validate find the evidence
# beside the profile, by name and by path, and say in one line what to fetch where it is missing; packed
# profiles under every kind of name; and the files that a second split leaves alone. What is read of the files
# is pinned by tests/unit/models/profile/test_profile_split.c and test_profile_packed.c. Label slow: as
# split_profile_whole, the same results on the shipped profile and on the database of the whole.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
profiles=$SOURCE_DIR/calibrate/profiles

# results CONFIG PROFILE [OPTION]...: the rows of a run, without what names the profile.
results() {
    local config=$1 profile=$2
    shift 2
    rm -f results.db
    "$DCSIM" --quiet --config "$config" --set "profile=$profile" "$@" --output results.db >/dev/null ||
        fail "$config on $profile"
    sqlite3 results.db "SELECT replication, app, class, name, value, n FROM metric ORDER BY 1, position" \
        "SELECT replication, device, busy_ns, overhead_ns FROM device_usage ORDER BY 1, 2" \
        "SELECT replication, app, count, sum_ns, max_ns FROM response ORDER BY 1, 2"
}

if [[ ${1:-} == whole ]]; then
    "$DCSIM" profile build nvidia-h200 whole.db || fail "the database of the whole"
    for config in c-laius/pair tacker/closed; do
        of=(--set replications=1 --set horizon.duration_s=40)
        [[ $config == */pair ]] || of+=(--set 'sweep={"axes":[{"key":"policy.name","values":["tacker"]}]}')
        results "$SOURCE_DIR/configs/$config.json" ./whole.db "${of[@]}" >whole.txt
        results "$SOURCE_DIR/configs/$config.json" nvidia-h200 "${of[@]}" >split.txt
        [[ $(wc -l <whole.txt) -gt 10 ]] || fail "$config: no results"
        cmp whole.txt split.txt || fail "$config: the split profile has other results"
        checks=$((checks + 1))
    done
    finish
fi

# --- weight ---
for main in "$profiles"/*.sql.gz; do
    name=${main%.sql.gz}
    bytes=$(stat -c %s "$main")
    ((bytes <= 3000000)) || fail "$main has $bytes bytes, 3 000 000 are the most: what no simulation reads is evidence"
    bytes=$((bytes + $(cat "$name".evidence/*.sql.gz | wc -c)))
    ((bytes <= 15000000)) || fail "$name and its evidence have $bytes bytes, 15 000 000 are the most"
    checks=$((checks + 2))
done
((checks > 0)) || fail "no profile is packed"

# --- the same results ---
config=$SOURCE_DIR/tests/data/shared-green.json
results "$config" made-up >whole.txt
[[ $(wc -l <whole.txt) -gt 50 ]] || fail "no results"
expect 0 "split" "$DCSIM" profile split made-up s
[[ -f s.sql.gz && -f s.evidence/solo.sql.gz && -f s.evidence/noise.sql.gz ]] || fail "what was split"
expect 0 "split, with all tables of co-runs and of live requests" "$DCSIM" profile split nvidia-h200-programs p
twice=$(for file in p.evidence/*; do zcat "$file" | grep -o '^CREATE TABLE [a-z_]*'; done | sort | uniq -d)
[[ -z $twice && -f p.evidence/coruns.sql.gz && -f p.evidence/live.sql.gz ]] || fail "in two files of the evidence: $twice"
results "$config" ./s.sql.gz >split.txt
cmp whole.txt split.txt || fail "the split profile has other results"
mkdir apart && cp s.sql.gz apart/mine.sql.gz
DCSIM_PROFILES=$work/apart results "$config" mine >apart.txt
cmp whole.txt apart.txt || fail "the profile without evidence has other results"
checks=$((checks + 3))
if command -v strace >/dev/null; then
    strace -f -e trace=open,openat -o trace.txt "$DCSIM" --quiet --config "$config" --set profile=./s.sql.gz >/dev/null 2>&1
    grep -q 's\.sql\.gz' trace.txt || fail "strace saw nothing"
    ! grep -q evidence trace.txt || fail "a simulation looks for the evidence"
    checks=$((checks + 1))
fi

# --- who reads the evidence ---
expect 0 "diff" "$DCSIM" profile diff made-up ./s.sql.gz
says out '^no difference$' "a split profile and the whole"
expect 0 "diff by name" env DCSIM_PROFILES="$work" "$DCSIM" profile diff made-up s
expect 0 "show" "$DCSIM" profile show ./s.sql.gz
grep -v '^file: \|^sha256: ' out >split.txt
"$DCSIM" profile show made-up | grep -v '^file: \|^sha256: ' | cmp - split.txt || fail "show of a split profile differs"
expect 0 "build" "$DCSIM" profile build ./s.sql.gz s.db
[[ $(sqlite3 s.db "SELECT count(*) > 0, min(min_ns) > 0 FROM kernel_solo" "SELECT count(*) > 0 FROM noise" \
    "SELECT count(*) FROM noise_quantile") == $'1|1\n1\n0' ]] || fail "the database is not the whole"
lost='mine\.evidence/solo\.sql\.gz: is missing: fetch the profile.s evidence, the folder of this name'
for command in "profile show" "profile lint" "validate" "train"; do
    # shellcheck disable=SC2086 # several words
    refused "$lost" "$command without evidence" "$DCSIM" $command apart/mine.sql.gz
done
refused "$lost" "build without evidence" "$DCSIM" profile build apart/mine.sql.gz none.db
refused 'has schema version 1, which has no evidence' "split of version 1" "$DCSIM" profile split quadro-p1000 p
refused 'cannot make the folder' "split into nowhere" "$DCSIM" profile split made-up no/where
rm -rf p.evidence

# --- what a second split changes ---
touch -d 2000-01-01 s.sql.gz s.evidence/*
expect 0 "build" "$DCSIM" profile build made-up again.db
sqlite3 again.db "UPDATE noise SET duration_ns = duration_ns + 1"
expect 0 "split again" "$DCSIM" profile split again.db s
[[ $(find . -newermt 2000-01-02 -name '*.sql.gz' -path './s*' | sort | xargs) == "./s.evidence/noise.sql.gz ./s.sql.gz" ]] ||
    fail "a second split wrote what is unchanged"
checks=$((checks + 1))

# --- packed profiles ---
gzip -c "$profiles/quadro-p1000.sql" >packed.sql.gz
expect 0 "packed by another program" "$DCSIM" profile diff quadro-p1000 packed.sql.gz
head -c 500 packed.sql.gz >cut.sql.gz
refused 'cut\.sql\.gz: is an incomplete gzip file' "cut off" "$DCSIM" profile show cut.sql.gz
finish
