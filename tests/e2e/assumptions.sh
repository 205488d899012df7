#!/bin/bash
# What a run, a sweep and a comparison say of the contention of their applications.
#
# Pins: the parts of each application's time alone whose contention was measured, is guessed from other kernels, and
# is not known, in the summary and in the results; nothing where all of it was measured or contention is off; copies
# do not count; a kernel of another size that stands in another's place counts as a guess. Of several experiments
# together: each application once, as it is measured least, below the table of a sweep and below a comparison, what is
# measured least first. How much of the time that contention adds is more than was measured. Does not pin: what the
# rows do (unit/test_spatial, unit/test_contention).
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

"$DCSIM" profile build "$SOURCE_DIR/tests/data/profile-measured.sql" p.db || fail "build"
cat >pair.json <<'JSON'
{ "profile": "./p.db", "sharing": { "model": "spatial" }, "policy": { "name": "c-laius" }, "horizon": { "duration_s": 1 },
  "workload": { "batch": [ { "application": "job" } ],
    "services": [ { "application": "service", "sla_ms": 20, "arrivals": { "rate_per_s": 20 } } ] } }
JSON
# told TEXT: at the end of what is said of the profile; "": nothing is said of applications
told() {
    rm -f r.db
    expect 0 "${1:-nothing}" "$DCSIM" --config pair.json --output r.db "${@:2}"
    tr -s ' \n' '  ' <out >line
    sqlite3 r.db 'SELECT falls_back FROM input' >stored
    if [[ -n $1 ]]; then
        says line "is not known, in % of the kernels' time alone: $1\\." "$1, in the summary"
        says stored "is not known, in % of the kernels' time alone: $1\$" "$1, in the results"
    else
        grep -q "time alone:" line stored && fail "something is said of applications"
    fi
}

told "" # all of both was measured, but for a copy

# Of what contention adds, so much is more than was measured of any kernel: nothing where they were slowed by 9, all of
# it where they never were, not known where the profile does not say.
beyond() {
    cp p.db ranged.db
    sqlite3 ranged.db "$1"
    told "" --set 'profile="./ranged.db"' --set policy.name=mps-even
    sqlite3 r.db "SELECT group_concat(round(value, 9), ' ') FROM metric WHERE name IN ('contention_share', 'contention_beyond')" >found
}
beyond ""
says found '^0\.[0-9]+ 0\.0$' "slowed by 9"
grep -q "more than any" out && fail "nothing is more than was measured"
beyond "UPDATE contention_range SET slowdown = 1"
says found '^(0\.[0-9]+) \1$' "never slowed"
says out '^  more than any measured +[0-9.]+ %$' "never slowed, in the summary"
beyond "DELETE FROM contention_range"
says found '^0\.[0-9]+$' "not known"

sqlite3 p.db "UPDATE contention_kernel SET source = 'like job work' WHERE application = 'service'"
told 'service 0/100/0'
told "" --set sharing.contention=false
sqlite3 p.db "DELETE FROM contention_range WHERE application = 'job'; DELETE FROM contention_weight WHERE application = 'job'; DELETE FROM contention_kernel WHERE application = 'job'"
told 'service 0/100/0; job 0/0/100'

# Requests of size 8 are as those of size 1, all of which was measured, but for another function in
# place of the convolution: 1.5 of 6.9 ms.
"$DCSIM" profile build made-up q.db || fail "build made-up"
for table in request_kernel request_solo kernel_shape kernel_solo; do
    columns=$(sqlite3 q.db "SELECT group_concat(name) FROM pragma_table_info('$table') WHERE name NOT IN ('application', 'size')")
    taken=$(sed 's/\<kernel\>/replace(&, "conv3x3s1p1_n8_16x16_c32_k32", "f")/; s/\<name\>/replace(&, "conv3x3s1p1_n8_16x16_c32_k32", "f")/' <<<"$columns")
    sqlite3 q.db "INSERT INTO $table(application, size, $columns) SELECT application, 8, $taken FROM $table
        WHERE application = 'answer' AND size = 1" || fail "$table"
done
for size in 8 1,8; do
    sed 's,p.db,q.db,; s,"batch": .*,,; s,"service","answer",; s/"sla_ms": 20/"sla_ms": 200, "input": "'$size'"/' pair.json >pair8.json
    expect 0 "size $size" "$DCSIM" --config pair8.json --output "r$size.db"
    [[ $(sqlite3 "r$size.db" 'SELECT falls_back FROM input') == *'time alone: answer 78/22/0' ]] ||
        fail "size $size: $(sqlite3 "r$size.db" 'SELECT falls_back FROM input')"
done
# Co-runs of the function itself were fitted.
sqlite3 q.db "INSERT INTO contention_kernel VALUES ('answer', 8, 'f', 32, 'dram', 0.5, 'fitted to 1 co-run')"
expect 0 "rows of its own" "$DCSIM" --config pair8.json --output own.db
[[ $(sqlite3 own.db 'SELECT falls_back FROM input') == *'time alone'* ]] && fail "rows of its own are called a guess"

# A sweep and a comparison say it once, whatever points say it; the point without contention says nothing.
expect 0 "a sweep" "$DCSIM" --config pair.json --output s.db \
    --set 'sweep={"axes":[{"key":"policy.name","values":["c-laius","mps-even"]},{"key":"sharing.contention","values":[true,false]}]}'
shares() { awk '/rests on guesses/ { on = 1 } on && /^  [a-z]+ +[0-9]+ +[0-9]+ +[0-9]+ / { print $1, $2, $3, $4 }' out >found; }
shares
printf 'job 0 0 100\nservice 0 100 0\n' | cmp -s - found || fail "a sweep says of its applications: $(paste -sd, found)"
expect 0 "compare" "$DCSIM" compare s.db --baseline mps-even --metric utilisation
shares
printf 'job 0 0 100\nservice 0 100 0\n' | cmp -s - found || fail "a comparison says of its applications: $(paste -sd, found)"
expect 0 "a quiet sweep" "$DCSIM" --config pair.json --quiet --set 'sweep={"axes":[{"key":"seed","values":[1,2]}]}'
[[ ! -s out ]] || fail "a quiet sweep says something"
expect 0 "a sweep without contention" "$DCSIM" --config pair.json --set 'sweep={"axes":[{"key":"seed","values":[1,2]}]}' \
    --set sharing.contention=false
grep -q guesses out && fail "a sweep without contention rests on guesses"

# A report of several worlds tells what they have in common once, and each application once.
expect 0 "another world" "$DCSIM" --config pair.json --output r.db --set workload.services=[]
expect 0 "report" "$DCSIM" report r.db -o r.html
grep -c 'alone: job 0/0/100; service 0/100/0' r.html >found
says found '^1$' "once in a report"
finish
