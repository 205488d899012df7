#!/bin/bash
# dcsim validate PROFILE --split: requests that were divided over a real CPU and GPU beside simulations.
#
# Pins: where "real" requests took what the simulation says, divided by 1.25, the error is 25 %, and the fastest policy is the
# same; one policy that was three times as fast for real is told by that, and the winner is another; medians over turns, spread;
# intervals over two programs, by hand (t of one degree of freedom is 12.706: half of the difference times that), Wilson's of 1 of 1
# and 0 of 1; reality beside itself, by turns of even and odd number, and one policy of one turn; tables of real requests (plots/wang_real.py);
# policies with options of their own are left out; all policies are listed, and winners are of what two policies divided; what is
# refused, and that text of a profile is no part of a config; the shipped profile has such requests. Does not pin: how well
# real requests are met (docs/validation/cap.md).
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
expect 0 "a profile" "$DCSIM" profile build "$SOURCE_DIR/calibrate/profiles/made-up.sql" a.db
expect 2 "no requests" "$DCSIM" validate a.db --split
says err 'holds no request that was divided for real' "no requests"
for policy in cap split-quick split-static; do
    echo "INSERT INTO split_run VALUES ('grid', 4096, 4, '$policy', 0, 1000000, 1, 1, 1, 1);"
done | sqlite3 a.db "CREATE TABLE IF NOT EXISTS split_run(program TEXT NOT NULL, iterations INTEGER NOT NULL,
    threads INTEGER NOT NULL, policy TEXT NOT NULL, turn INTEGER NOT NULL, time_ns INTEGER NOT NULL, steps INTEGER NOT NULL,
    gpu_iterations INTEGER NOT NULL, cpu_busy_ns INTEGER NOT NULL, gpu_busy_ns INTEGER NOT NULL,
    PRIMARY KEY(program, iterations, threads, policy, turn))" ".read /dev/stdin"
expect 0 "times of a simulation" "$DCSIM" validate a.db --split --csv a.csv
expect 2 "the file is there" "$DCSIM" validate a.db --split --csv a.csv
# real TIMES POLICY: requests that took what the simulation says, divided by TIMES, 10 % less and 10 % more.
real() {
    local ns
    ns=$(awk -F, -v policy="$2" -v times="$1" '$4 == policy { printf "%.0f", $9 / times }' a.csv)
    sqlite3 "$3" "DELETE FROM split_run WHERE policy = '$2';
        INSERT INTO split_run VALUES ('grid', 4096, 4, '$2', 0, $ns * 9 / 10, 1, 1, 1, 1), ('grid', 4096, 4, '$2', 1, $ns * 11 / 10, 1, 1, 1, 1)"
}
cp a.db b.db
for policy in cap split-quick split-static; do real 1.25 "$policy" b.db; done
sqlite3 b.db "INSERT INTO split_run VALUES ('grid', 4096, 4, 'cap probe=0.5', 0, 1, 1, 1, 1, 1)"
expect 0 "a quarter slower" "$DCSIM" validate b.db --split
says out '^all +all +3 +25\.0 % +- +25\.0 % +\+25\.0 % +20\.0 %$' "errors of all"
says out 'Reality beside itself, turns of odd number over those of even: 22\.2 % off in the mean of 3' "turns beside each other"
says out 'in the median; the same fastest policy in 1 of 1 \[21, 100 %\]' "turns beside each other"
says out '^grid +all +3 +25\.0 %' "errors of a program"
says out '^all +cap +1 +25\.0 %' "errors of a policy"
says out 'is the same in 1 of 1 \[21, 100 %\] \(program' "the same winner"
says out '^takes 0\.0 % longer' "the same winner"
cp b.db c.db
slowest=$(sort -t, -k9 -n a.csv | tail -n 1 | cut -d, -f4)
real 3.75 "$slowest" c.db
expect 0 "another winner" "$DCSIM" validate c.db --split
says out "^all +$slowest +1 +275\.0 %" "the one that was faster"
says out 'is the same in 0 of 1 \[0, 79 %\]' "another winner"
# A third turn far off moves no median of all, and the spread.
cp b.db g.db
ns=$(sqlite3 g.db "SELECT CAST(avg(time_ns) AS INTEGER) FROM split_run WHERE policy = 'cap'")
sqlite3 g.db "UPDATE split_run SET turn = 2 * turn WHERE policy = 'cap';
    INSERT INTO split_run VALUES ('grid', 4096, 4, 'cap', 3, $ns, 1, 1, 1, 1), ('grid', 4096, 4, 'cap', 5, 1000000000000, 1, 1, 1, 1),
        ('grid', 4096, 4, 'cap', 7, 1, 1, 1, 1, 1)"
expect 0 "turns far off" "$DCSIM" validate g.db --split
says out '^all +cap +1 +25\.0 % ' "turns far off"
# Another program by one policy, which no other program has: listed, without a winner.
cp b.db d.db
sqlite3 d.db "INSERT INTO split_run VALUES ('paths', 65536, 4, 'split-even', 0, 1000000, 1, 1, 1, 1)"
expect 0 "a policy of one program" "$DCSIM" validate d.db --split
says out '^all +split-even +1 ' "a policy of one program"
says out '^all +cap +1 ' "the others"
says out 'off in the mean of 3,' "one turn is beside no other"
# Two programs: all points of grid 25 % off, the only one of paths as far as it is.
expect 0 "two programs" "$DCSIM" validate d.db --split --csv d.csv
read -r mean around < <(awk -F, '$1 == "paths" { e = $9 / $6 - 1; e = e < 0 ? -e : e; printf "%.1f %.1f", 25 + (100 * e - 25) / 4,
    12.7062 * (e > 0.25 ? 100 * e - 25 : 25 - 100 * e) / 2 }' d.csv)
says out "^all +all +4 +$mean % +$around " "an interval over two worlds"
says out "^Interval over programs: \+- $around\.$" "an interval over two programs"
says out 'is the same in 1 of 1' "a program with one policy has no winner"
sqlite3 d.db "DELETE FROM split_run WHERE program = 'grid'"
expect 0 "one policy" "$DCSIM" validate d.db --split
says out 'Nothing was divided by two policies' "one policy"
# Tables of real requests: CAP twice as fast as Quick without a doubt, and as fast as Split, which cannot be told.
cp b.db h.db
sqlite3 h.db "DELETE FROM split_run; WITH t(turn, about) AS (VALUES (0, 90), (1, 100), (2, 110))
    INSERT INTO split_run SELECT 'grid', 4096, 4, policy, turn, about * factor, 1, 1, 1, 1 FROM t, (SELECT 'cap' AS policy, 10000 AS factor
        UNION SELECT 'split-quick', 20000 UNION SELECT 'split-even', 10100)"
expect 0 "tables of real requests" "$SOURCE_DIR/plots/wang_real.py" h.db
says out '^\| grid \| \+100 % \[\+59 %, \+151 %\]; \(\+1 % \[-20 %, \+27 %\]\) \|$' "gains, with intervals"
says out '^\| grid \| 4 \| [0-9.]+ \| [0-9.]+ \| - \| 2 \| 1\.01 \| 1 \|$' "medians"
expect 1 "no profile" "$SOURCE_DIR/plots/wang_real.py" "$SOURCE_DIR/README.md"
says err 'README.md: is no profile as a database: dcsim profile build NAME FILE.db makes one' "no profile"
# A program whose name has what CSV has between fields.
cp b.db f.db
for table in split_program split_time split_run; do
    sqlite3 f.db "UPDATE $table SET program = 'grid, \"fine\"' WHERE program = 'grid'"
done
expect 0 "a name with a comma" "$DCSIM" validate f.db --split --csv f.csv
read -r fields names < <(python3 -c 'import csv; rows = list(csv.DictReader(open("f.csv", newline="")))
print(len(rows), *{(r["program"], r["iterations"], None in r) for r in rows})')
[[ $fields == 3 && $names == "('grid, \"fine\"', '4096', False)" ]] || fail "a name with a comma: $fields $names"
# unsafe COLUMN TEXT REFUSAL: in place of a name
unsafe() {
    cp b.db e.db
    sqlite3 e.db "UPDATE split_run SET $1 = '$2' WHERE rowid = (SELECT min(rowid) FROM split_run)"
    expect 2 "$1 $2" "$DCSIM" validate e.db --split
    says err "$3" "$1 $2"
}
unsafe policy 'cap","passes":"keep' 'the name of a policy'
unsafe policy 'none' 'the name of a policy'
unsafe program 'grid","name":"grid' 'has no divisible program "grid","name":"grid": it has'
expect 2 "--split and others" "$DCSIM" validate b.db --split --worst 3
says err 'goes with --csv alone' "--split and others"
expect 2 "--driven and --split" "$DCSIM" validate --driven b.db --split
expect 0 "the shipped profile" "$DCSIM" profile show nvidia-h200-host
says out 'requests on CPU and GPU +2772$' "all that was measured"
finish
