#!/bin/bash
# calibrate/fit/fit_contention.py on a made-up world of three kernels whose contention is known.
#
# Pins: fitted to co-runs with producers, it predicts pairs and triples of that world within 5 %; rows of a
# half for judging, pairs at other sizes and co-runs of a low clock are not read; the same profile gives the same rows whatever model it held before; how far measurements reach is the most in what was fitted;
# a step of sensitivity that failed is named, and how many co-runs are beside producers that held the program's SMs; the times of a kernel in clusters of blocks count by the wave; a kernel of which only a request was beside producers is predicted as well, also when it is added to a profile whose other rows are kept; study_ceiling.py finds for how much of a launch meters press; the tables are those of the schema; what cannot be fitted is refused and stays as it was. How well real
# kernels are predicted is not pinned.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
export OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1

find_numpy
fit=("$python" "$SOURCE_DIR/calibrate/fit/fit_contention.py" --starts 2)
world=("$python" "$SOURCE_DIR/tests/e2e/contention_world.py")
rows() { # of kernels that were measured
    sqlite3 "$1" "SELECT * FROM contention_resource; SELECT * FROM contention_hinge;
        SELECT * FROM contention_kernel WHERE source NOT LIKE 'like %';
        SELECT w.* FROM contention_weight w JOIN contention_kernel k USING (application, size, kernel, sms, resource)
            WHERE k.source NOT LIKE 'like %';
        SELECT 'range', * FROM contention_range"
}

"$DCSIM" profile build "$SOURCE_DIR/tests/data/profile-measured.sql" plain.db || fail "build"
"${world[@]}" plant plain.db || fail "planting"
# The highest clock is 1400 MHz: 1330 is just high enough, 1329 is not.
sqlite3 plain.db "UPDATE corun_side SET clock_mhz = 1330 WHERE corun = 1 AND side = 1"
cp plain.db unfitted.db
sqlite3 plain.db "INSERT INTO step VALUES('sensitivity/job/0/16/coarse', 'sensitivity', 'failed', 'too' || char(10) || 'unlike', 1.0),
    ('sensitivity-l2/job/0/16/fine', 'sensitivity-l2', 'failed', 'too long', 1.0),
    ('solo/job/0/coarse', 'solo', 'failed', 'too long', 1.0)"
cp plain.db trap.db
"${world[@]}" trap trap.db || fail "planting the trap"
sqlite3 trap.db "UPDATE corun_side SET clock_mhz = 1329 WHERE side = 1 AND
        corun = (SELECT max(id) FROM corun WHERE kind = 'sensitivity');
    UPDATE corun SET half = NULL WHERE id = (SELECT max(id) FROM corun WHERE kind = 'sensitivity')"

# One beside a producer that had all the SMs that the program left, one that left some to nobody.
sqlite3 trap.db "UPDATE corun SET mechanism = 'mps' WHERE id IN (1, 2);
    UPDATE corun_side SET percent = CASE WHEN corun = 2 AND side = 1 THEN 42 ELSE 50 END WHERE corun IN (1, 2)"

# --- the fit ---
expect 0 "fit beside a trap" "${fit[@]}" trap.db
says out '^kernels +648 ' "errors of kernels"
says out '^producers as meters +72 ' "errors of meters"
says out '^trap.db: 9 points of 3 kernels fitted, 0 of 0 inferred; 1 co-runs of a low clock left out$' "what was fitted"
says out "^1 co-runs of recorded programs are beside producers that held SMs of the program's: .*; run contend again$" "a producer that held SMs"
[[ -s err ]] && fail "progress, but not on a terminal"
expect 0 "held-out slow-downs within 5 %" "${world[@]}" judge trap.db
rows trap.db >first
says first "^job\|100\|work\|64\|dram\|0\.[0-9]+\|fitted to 64 sensitivity and 8 meter co-runs at 64 SMs$" "source of a row"
# A kernel without sensitivity; what an earlier fit left.
sqlite3 plain.db "UPDATE contention_kernel SET pressure = 0.9;
    INSERT INTO kernel_counters(application, size, kernel, l2, duration_ns, dram_read_bytes, l2_bytes)
        VALUES ('service', 4, 'in', 'warm', 1000000, 40000000.0, 30000000.0)"
expect 0 "fit without the trap" "${fit[@]}" --inferred plain.db
rows plain.db | cmp -s - first || fail "other rows without the halves for judging and a low clock, or after an earlier fit"
says out '^plain.db: 9 points of 3 kernels fitted, 3 of 1 inferred; 0 co-runs of a low clock left out$' "an inferred kernel"
says out '^not measured: sensitivity/job/0/16/coarse: too\?unlike; .*: measure again$' "a step that failed"
says out '^not measured: sensitivity-l2/job/0/16/fine: too long; ' "a step of the other kind that failed"
[[ $(grep -c '^not measured' out) == 2 ]] || fail "other steps are named as failed"
[[ $(sqlite3 plain.db "SELECT DISTINCT source FROM contention_kernel WHERE kernel = 'in'") == "like service layer, job work" ]] ||
    fail "source of an inferred kernel"
[[ $(sqlite3 plain.db "SELECT count(*) FROM contention_range") == 9 ]] || fail "not the range of 9 points"
[[ $(sqlite3 plain.db "SELECT max(abs(r.slowdown / m.most - 1)) < 1e-4 FROM contention_range r JOIN
    (SELECT s.application, s.size, s.kernel, s.sms, max(s.mean_ns / s.solo_mean_ns) AS most FROM corun_side s JOIN corun c ON c.id = s.corun
        WHERE s.side = 0 AND c.kind IN ('sensitivity', 'meter') AND c.half IS NULL GROUP BY 1, 2, 3, 4) m USING (application, size, kernel, sms)") == 1 ]] ||
    fail "the range is not the most that was measured"
for table in resource hinge kernel weight range; do
    built=$(sqlite3 plain.db ".schema contention_$table" | tr -d ' \n')
    schema=$(tr -d ' \n' <"$SOURCE_DIR/src/models/profile/profile_schema_2.sql")
    [[ $schema == *"${built%;}"* ]] || fail "contention_$table is not as in profile_schema_2.sql: $built"
done
# Meters press for 85 % of each launch there: without that they contradict the producers.
expect 0 "how well anything could follow" "$python" "$SOURCE_DIR/calibrate/fit/study_ceiling.py" unfitted.db
says out '^beside a producer, and as meter +72 +[1-9][0-9.]* /' "what meters contradict"
says out '^the same, meters press for a part of launches +72 +0\.[01][0-9] /' "launches with an end"
expect 0 "still a profile" "$DCSIM" profile show plain.db

# --- a kernel in clusters of blocks, which ran in two waves beside every producer and in one alone ---
cp unfitted.db waves.db
sqlite3 waves.db "CREATE TEMP TABLE of AS SELECT corun FROM corun_side WHERE side = 0 AND application = 'job' AND kernel = 'work' AND sms = 64;
    UPDATE corun SET mechanism = 'mps' WHERE id IN of AND kind = 'sensitivity';
    UPDATE corun_side SET mean_ns = 2 * mean_ns WHERE side = 0 AND corun IN of;
    CREATE TABLE kernel_cluster(application, size, kernel, mechanism, sms, cluster_blocks, blocks);
    INSERT INTO kernel_cluster SELECT 'job', size, 'work', 'mps', 64, 8, 64 FROM corun_side WHERE application = 'job' AND kernel = 'work' LIMIT 1"
expect 0 "fit with two waves" "${fit[@]}" waves.db
says out '^of kernels in clusters of blocks that lacked room .*, points: 1, their times over 2\.0[0-9] to 2\.0[0-9]$' "waves"
expect 0 "held-out slow-downs within 5 %, with two waves" "${world[@]}" judge waves.db

# --- kernels in their requests, and kernels that are kept ---
# Of one kernel only what a request tells: its times beside four families, and no meters.
cp unfitted.db request.db
sqlite3 request.db "CREATE TEMP TABLE of AS SELECT corun FROM corun_side WHERE side = 0 AND application = 'service';
    DELETE FROM corun WHERE id IN of AND kind = 'meter' OR id IN of AND id IN (SELECT corun FROM corun_side WHERE side = 1
        AND application NOT IN ('dram-copy', 'gather-64', 'l2-read', 'l2-capacity'));
    UPDATE corun SET kind = 'request', l2_gbs = 0.7 * l2_gbs WHERE id IN of"
cp request.db added.db
expect 0 "fit of a kernel in its request" "${fit[@]}" request.db
says out '^kernels +432 ' "those that were run by themselves"
says out '^kernels fitted afterwards +144 ' "those in requests"
says out '^request.db: 9 points of 3 kernels fitted, ' "both are fitted"
expect 0 "held-out slow-downs within 5 %, of a kernel in its request" "${world[@]}" judge request.db
rows request.db >fitted
says fitted '^service\|4\|layer\|64\|dram\|0\.[0-9]+\|fitted to 48 co-runs in its request at 64 SMs$' "source of its rows"
# Both kinds of one kernel: what it took by itself counts.
cp unfitted.db both.db
sqlite3 both.db "CREATE TEMP TABLE of AS SELECT * FROM corun_side WHERE corun IN
        (SELECT id FROM corun WHERE kind = 'sensitivity') AND corun % 2 = 0;
    INSERT INTO corun SELECT id + 10000, 'request', mechanism, half, draw, overlap_ns, dram_gbs, l2_gbs FROM corun WHERE id IN (SELECT corun FROM of);
    UPDATE of SET corun = corun + 10000, mean_ns = 3 * mean_ns; INSERT INTO corun_side SELECT * FROM of"
expect 0 "fit beside requests of the same kernels" "${fit[@]}" both.db
cmp -s <(rows both.db) first || fail "other rows where kernels were in requests, too"
sqlite3 both.db "DELETE FROM corun WHERE kind <> 'request'; UPDATE corun_side SET mean_ns = mean_ns / 3 WHERE side = 0"
expect 0 "fit of requests alone" "${fit[@]}" both.db
says out '^kernels +288 ' "nothing but requests"
[[ $(sqlite3 both.db "SELECT source FROM contention_resource LIMIT 1") == *' 0 sensitivity and 0 meter co-runs and 288 in requests' ]] ||
    fail "the source of a fit of requests alone"

# The application is added to a profile that was fitted without it.
sqlite3 added.db "CREATE TABLE put_off AS SELECT * FROM corun WHERE kind = 'request'; DELETE FROM corun WHERE kind = 'request'"
expect 0 "fit without it" "${fit[@]}" added.db
rows added.db >before
sqlite3 added.db "INSERT INTO corun SELECT * FROM put_off; DROP TABLE put_off"
expect 0 "fit of what was added" "${fit[@]}" --keep added.db
says out '^added.db: 9 points of 3 kernels fitted \(6 kept\), ' "what was kept"
rows added.db >after
grep -vE '^(dram|l2)\||^(range\|)?service' after >kept
grep -vE '^(dram|l2)\|' before | cmp -s - kept || fail "rows that are kept are others"
expect 0 "held-out slow-downs within 5 %, of a kernel that was added" "${world[@]}" judge added.db
cp unfitted.db none.db
sqlite3 none.db "DELETE FROM contention_kernel"
# The fit of one application leaves all rows of the others, guessed ones too, and those of its own are new.
sqlite3 added.db "UPDATE contention_kernel SET pressure = 0.5 WHERE application = 'service';
    INSERT INTO contention_kernel VALUES ('job', 100, 'guessed', 64, 'dram', 0.25, 'like job work')"
expect 0 "fit of one application" "${fit[@]}" --inferred --app 'serv*' added.db
rows added.db | cmp -s - after || fail "not the rows of an application that was fitted again"
[[ $(sqlite3 added.db "SELECT count(*), sum(pressure) FROM contention_kernel WHERE kernel = 'guessed'") == '1|0.25' ]] ||
    fail "a guess of another application is not kept"
# One that has both kinds is fitted to what it took by itself; what the fit does not know is left out, and said.
cp added.db mixed.db
sqlite3 mixed.db "CREATE TEMP TABLE of AS SELECT corun FROM corun_side WHERE side = 0 AND application = 'service';
    UPDATE corun SET kind = 'sensitivity' WHERE id IN of;
    INSERT INTO corun SELECT id + 10000, 'request', mechanism, half, draw, overlap_ns, dram_gbs, l2_gbs FROM corun WHERE id IN of;
    CREATE TEMP TABLE sides AS SELECT * FROM corun_side WHERE corun IN of;
    UPDATE sides SET corun = corun + 10000, mean_ns = 3 * mean_ns; INSERT INTO corun_side SELECT * FROM sides;
    UPDATE corun_side SET sms = 104 WHERE side = 1 AND corun = (SELECT min(id) FROM corun WHERE id IN of)"
expect 0 "fit of one application with both kinds" "${fit[@]}" --app service mixed.db
says out '^kernels fitted afterwards +143 ' "both kinds"
says out '^1 co-runs are left out, beside producers on numbers of SMs or at levels that .*, of: service$' "an unknown producer"
expect 0 "held-out slow-downs within 5 %, of one with both kinds" "${world[@]}" judge mixed.db
# All that is kept was measured in requests alone.
sqlite3 mixed.db "DELETE FROM corun WHERE id >= 10000 OR kind = 'meter'; UPDATE corun SET kind = 'request';
    UPDATE corun_side SET sms = 100 WHERE side = 1 AND sms = 104"
expect 0 "fit beside kept requests" "${fit[@]}" --app service mixed.db
says out '\(6 kept\)' "kept requests"
refused '--app nobody: the profile has no such application$' "nobody" "${fit[@]}" --app service,nobody mixed.db
refused '--app : the profile has no such application$' "no name" "${fit[@]}" --app '' mixed.db
sqlite3 mixed.db "DELETE FROM corun"
refused 'no co-runs of the kernels that were fitted before: is the evidence' "no evidence" "${fit[@]}" --app service mixed.db
for change in "contention_weight SET position = 7" "contention_kernel SET pressure = 'high'" "contention_kernel SET application = NULL" "contention_kernel SET size = 'big'"; do
    cp added.db broken.db
    sqlite3 broken.db "CREATE TABLE w AS SELECT * FROM contention_weight; DROP TABLE contention_weight; ALTER TABLE w RENAME TO contention_weight;
        CREATE TABLE k AS SELECT * FROM contention_kernel; DROP TABLE contention_kernel; ALTER TABLE k RENAME TO contention_kernel;
        UPDATE $change WHERE rowid = 1"
    refused 'broken.db: contention_(kernel|weight)' "$change" "${fit[@]}" --app service broken.db
done
expect 0 "fit of all, by name" "${fit[@]}" --app '*' request.db
rows request.db | cmp -s - fitted || fail "no other application has rows: the fit is of all"
refused 'no kernel was fitted before: fit without it first$' "nothing to keep" "${fit[@]}" --keep none.db
sqlite3 added.db "UPDATE contention_hinge SET level = 5 WHERE level = 4"
refused 'contention_hinge has other levels than this fit' "other hinges" "${fit[@]}" --keep added.db

# --- refused ---
# broken REGEX WHAT SQL: a copy of the unfitted profile, changed by SQL, is refused and stays as it is.
broken() {
    local before
    cp unfitted.db broken.db
    sqlite3 broken.db "$3"
    before=$(sha256sum <broken.db)
    refused "$1" "$2" "${fit[@]}" broken.db
    [[ $(sha256sum <broken.db) == "$before" ]] || fail "$2: the profile was changed"
}
refused 'nothing.db: no such file$' "no file" "${fit[@]}" nothing.db
cp "$SOURCE_DIR/tests/data/profile-measured.sql" text.sql
refused 'not a database; .* dcsim profile build' "SQL text" "${fit[@]}" text.sql
head -c 5000 unfitted.db >cut.db
refused 'cut.db: .*malformed' "cut off" "${fit[@]}" cut.db
broken 'no table corun_side; is it a profile' "no tables" "DROP TABLE corun_side"
broken "no co-runs of the kinds 'sensitivity' and 'request'" "nothing to fit" "DELETE FROM corun WHERE kind = 'sensitivity'"
broken "no co-runs of the kinds 'sensitivity' and 'request'" "only a half 'test'" "UPDATE corun SET half = 'test'"
broken "overhead: no row of 'l2_read'" "no ceiling" "DELETE FROM overhead WHERE what = 'l2_read'"
broken "corun 1: no producer is called 'stream'" "another producer" "UPDATE corun_side SET application = 'stream' WHERE side = 1"
broken "corun 3: mean_ns: expected a number above 0, found 'long'" "text" "UPDATE corun_side SET mean_ns = 'long' WHERE corun = 3"
broken 'corun 3: solo_mean_ns: expected a number above 0, found 0.0' "no time" "UPDATE corun_side SET solo_mean_ns = 0 WHERE corun = 3"
broken 'contention_weight is a view; remove it' "a view" "DROP TABLE contention_weight; CREATE VIEW contention_weight AS SELECT 1"
# A version of the file format that SQLite only reads is read-only to root, too.
cp unfitted.db old.db
printf '\003' | dd of=old.db bs=1 seek=18 conv=notrunc status=none
refused 'attempt to write a readonly database' "read-only" "${fit[@]}" old.db
expect 2 "no profile" "${fit[@]}"
says err '^usage: ' "no profile"
expect 0 "help" "${fit[@]}" --help
says out '^ +--inferred ' "help"
finish
