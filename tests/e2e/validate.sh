#!/bin/bash
# dcsim validate on the command line.
#
# Pins, on a made-up profile whose co-runs can be worked out by hand: what is predicted of pairs and triples on
# partitions, of processes under MPS (applications' kernels, blocks that spin, pauses) and of live requests, under MPS and on
# partitions, all without contention; with it, how many launches are slowed by more than was measured; the errors and the
# worst cases; which half is read; what is left out; that it is the same every time; that rows that do not fit together are
# refused, and profiles of CPUs alone; that no file is replaced. How good the model is is not pinned.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

"$DCSIM" profile build "$SOURCE_DIR/tests/data/profile-measured.sql" fresh.db || fail "build"
cp fresh.db with.db
for table in $(sqlite3 fresh.db "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'contention%'"); do
    sqlite3 fresh.db "DELETE FROM $table" || fail "planting"
done
# Grids that are not known fill whatever they get: alone on 8 SMs work takes 4 ms and layer 9 ms, on 4 twice that.
cp fresh.db p.db
side() { # CORUN SIDE APPLICATION SIZE KERNEL SMS PERCENT SOLO_NS NS
    echo "INSERT INTO corun_side VALUES ($1, $2, '$3', $4, '$5', $6, $7, $8, $8.0, 9, 9, 0, $9, $9.0, 1.0, 1, $9, 'rse', 1400, 'warm');"
}
corun() { # ID KIND MECHANISM HALF
    echo "INSERT INTO corun VALUES ($1, '$2', '$3', '$4', 0, 5, NULL, NULL);"
}
{
    echo "BEGIN; DELETE FROM corun; DELETE FROM corun_side; DELETE FROM live_request; UPDATE kernel_shape SET blocks = NULL;"
    corun 10 pair green dev
    side 10 0 service 4 layer 4 NULL 18000000 36000000
    side 10 1 job 100 work 4 NULL 8000000 8000000
    corun 11 pair green test
    side 11 0 service 4 layer 4 NULL 18000000 72000000
    side 11 1 job 100 work 4 NULL 8000000 8000000
    corun 12 triple green dev
    for i in 0 1 2; do side 12 $i job 100 work 2 NULL 16000000 20000000; done
    corun 13 pair green dev
    side 13 0 service 4 layer 4 NULL 18000000 36000000
    side 13 1 job 100 nothing 4 NULL 8000000 8000000
    corun 14 pair green dev
    side 14 0 service 4 layer 4 NULL 18000000 36000000
    side 14 1 job 50 work 4 NULL 8000000 8000000
    corun 15 pair mps dev
    side 15 0 service 4 layer 4 50 18000000 36000000
    side 15 1 job 100 work 4 50 8000000 8000000
    corun 20 oversubscription mps dev
    side 20 0 job 100 work 8 100 4000000 13000000
    side 20 1 service 4 layer 8 100 9000000 26000000
    corun 21 oversubscription mps dev
    side 21 0 job 100 work 4 50 8000000 10000000
    side 21 1 service 4 layer 4 50 18000000 18000000
    corun 22 oversubscription mps dev
    side 22 0 spin 50000 spin_16x1024 8 100 50000 550000
    side 22 1 spin 500000 spin_16x1024 8 100 500000 1100000
    corun 23 oversubscription mps dev
    side 23 0 spin 50000 spin_16x1024_pause_700us 8 100 50000 700000
    side 23 1 spin 500000 spin_16x1024 8 100 500000 525000
    corun 24 oversubscription mps dev
    side 24 0 spin 50000 spin_16x1024 8 100 50000 100000
    side 24 1 spin 533333 spin_16x1024 4 50 1066666 1066666
    echo "INSERT INTO live_request VALUES (1, 'service', 0, 0, 0, 13000000), (1, 'service', 1, 101500000, 101500000, 114000000),"
    echo "  (1, 'batch', 0, 0, 0, 8750000), (2, 'service', 0, 0, 0, 23150000), (2, 'batch', 0, 0, 0, 8000000);"
    echo "INSERT INTO live VALUES (2, 'service', 4, 'job', 100, 'priority', 100, 50, 0.5, 1000000000, 'dev', 20000000, 8000000); COMMIT;"
} | sqlite3 p.db || fail "planting"

# predicted ID SIDE WHAT MEASURED MODEL ALONE
predicted() {
    says p.csv "^[a-z]+,\"[^\"]*\",$1,$2,\"$3\",\"[^\"]+\",$4\.0,$5\.0,$5\.0,$6\.0$" "$1/$2 $3"
}

# --- what is predicted ---
expect 0 "validate" "$DCSIM" validate p.db --csv p.csv
cp out table
predicted 10 0 launch 36000000 18000000 18000000
predicted 10 1 launch 8000000 8000000 8000000
predicted 12 2 launch 20000000 16000000 16000000
# Each waits for the other, whose launch was before.
predicted 20 0 launch 13000000 13000000 4000000
predicted 20 1 launch 26000000 13000000 9000000
predicted 21 0 launch 10000000 8000000 8000000
predicted 21 1 launch 18000000 18000000 18000000
predicted 22 0 launch 550000 550000 50000
predicted 22 1 launch 1100000 550000 500000
# Of two long launches the short one comes into the second, 200 us after its begin, and waits for its end.
predicted 23 0 launch 700000 350000 50000
# The long one leaves 4 SMs to the short one, on which that takes two waves instead of one, but when it ends the
# short one has all 8 until its own end.
says p.csv '^shared,"spin 100/50",24,0,.*,100000\.0,9[5-9][0-9]{3}\.[0-9],' "24/0 launch"
says p.csv '^shared,"spin 100/50",24,1,.*,1066666\.0,10[6-9][0-9]{4}\.[0-9],' "24/1 launch"
# The first layer waits from 1 to 4 ms, the second from 102.5 to 105 ms; work that is launched at 4 ms ends at 17 ms.
predicted 1 0 "service, run, mean" 12750000 12750000 10000000
predicted 1 0 "service, response, p95" 12975000 12975000 10000000
predicted 1 1 "batch, run, mean" 8750000 4375000 4000000
# All of the service takes twice as long as in the profile. Its layer has 4 SMs from 2 to 8 ms, where it takes
# 2 * 18 * 20 / 19 ms (requests take 20 ms there, their kernels 19), and then 8.
predicted 2 0 "service, run, mean" 23150000 23150000 20000000
predicted 2 1 "batch, run, p95" 8000000 8000000 8000000
[[ $(wc -l <p.csv) -eq 28 ]] || fail "$(wc -l <p.csv) lines of CSV"

# --- a file that is there is left alone; one that cannot be written whole is not there ---
cp p.csv kept.csv
refused '^dcsim: p.csv: exists already; remove it or name another file$' "a file that is there" \
    "$DCSIM" validate p.db --csv p.csv
cmp -s p.csv kept.csv || fail "a file that is there: it was changed"
limited() { (ulimit -f 1; trap '' XFSZ; exec "$@"); }
refused '^dcsim: big.csv: cannot write: File too large$' "too large" limited "$DCSIM" validate p.db --csv big.csv

# --- the tables ---
says table '^The model of a shared device against profile measured, half dev$' "head"
says table 'Partitions: .*: n = 2 runs$' "partitions"
says table '^left out: 2 \(the profile does not know' "unknown kernel, other size"
says table '^left out: 1 \(the device was shared in another way' "a pair under MPS"
says table '^all +model +5 +22\.00 +20\.00 +44\.00 +50\.00$' "errors of all partitions"
says table '^pair 4\+4 +model +2 +25\.00 +25\.00 +47\.50 +50\.00$' "errors of pairs"
says table '^pair, all +model +2 +25\.00 ' "errors of all pairs"
says table '^triple 2\+2\+2 +model +3 +20\.00 ' "errors of triples"
says table 'MPS: .*: n = 5 runs$' "MPS"
says table '^pair 50/50 +model +2 +10\.00 ' "errors under MPS"
says table '^spin 100/100 +model +2 +25\.00 ' "errors of spinning blocks"
says table '^arrival 100/100 +model +2 ' "errors of arrivals"
says table 'Live: .*: n = 2 runs$' "live"
says table '^service, run, mean +model +2 +0\.00 ' "errors of live requests"
says table '^ +alone +2 +17\.59 ' "live requests alone"
says table '^1 +12\.750 +12\.750 +12\.750 +12\.750 +8\.750 +4\.375  service \(100 %\) beside job \(100 %\), load 0\.5$' "the live run"
says table '^ +50\.00 +18\.0000 +36\.0000  10/0 service layer@4 beside job work@4$' "the worst"

# --- programs: requests whole, of which the host launches the kernels ---
# Work takes 4 ms on 8 SMs. The host launches it 1 ms after the request's begin; that becomes 4 ms, for a request alone
# took 8 ms. So each of two works while the other's host is at it, and neither slows the other. Where requests
# took 3 ms alone, there is nothing but kernels, and they wait for each other.
cp fresh.db programs.db
for table in recorded recorded_launch corun_tail; do
    sed -n "/^CREATE TABLE $table(/,/;/p" "$SOURCE_DIR/src/models/profile/profile_schema_2.sql"
done | sqlite3 programs.db || fail "tables of programs"
{
    echo "DELETE FROM corun; DELETE FROM corun_side; DELETE FROM live_request; DELETE FROM live; UPDATE kernel_shape SET blocks = NULL;"
    echo "INSERT INTO recorded VALUES ('job', 100, 'whole', 8, 100, 'job', 'request', 9, 0, 0, 9, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0);"
    echo "INSERT INTO recorded_launch VALUES ('job', 100, 'whole', 8, 0, 'work', 'work', 1, 1, 1, 1, 0, NULL, 4000000, 1, 1, 1000000, NULL);"
    corun 1 programs mps dev
    for i in 0 1; do
        side 1 $i job 100 request 8 100 8000000 8500000
        echo "INSERT INTO corun_tail VALUES (1, $i, 9000000, 8800000);"
    done
    corun 2 programs mps dev
    for i in 0 1; do side 2 $i job 100 request 8 100 3000000 6000000; done
    corun 3 programs mps test
    for i in 0 1; do side 3 $i job 100 request 8 100 3000000 6000000; done
} | sqlite3 programs.db || fail "planting programs"
expect 0 "programs" "$DCSIM" validate programs.db --csv programs.csv
says out '^Programs: .*: n = 2 runs$' "programs"
grep -q "not judged" out && fail "programs were judged"
for row in '1,0,"mean","job request@8 beside job request@8",8500000.0,8000000.0,8000000.0,8000000.0' \
    '1,1,"p95","job request@8 beside job request@8",9000000.0,8800000.0,8800000.0,8800000.0' \
    '2,1,"mean","job request@8 beside job request@8",6000000.0,6000000.0,6000000.0,3000000.0'; do
    says programs.csv "^programs,\"2 programs, (mean|p95)\",$row$" "$row"
done
sqlite3 programs.db "DELETE FROM corun_tail; UPDATE corun SET kind = 'pair', mechanism = 'green' WHERE kind = 'programs';
    UPDATE corun_side SET kernel = 'work', sms = 4 WHERE kernel = 'request'"
expect 0 "never judged" "$DCSIM" validate programs.db
says out '^Recorded programs, not judged in this half: job$' "never judged"

# --- by name ---
mkdir named
mv p.db named/
expect 0 "by name" env DCSIM_PROFILES=named "$DCSIM" validate p
cmp -s out table || fail "the tables differ by name"
refused 'no profile "q" .*nearest there is "p"' "another name" env DCSIM_PROFILES=named "$DCSIM" validate q
mv named/p.db . || fail "moving back"

# --- again, and the options ---
expect 0 "again" "$DCSIM" validate p.db
cmp -s out table || fail "the tables differ the second time"
expect 0 "no worst" "$DCSIM" validate p.db --worst=0
grep -q worst out && fail "--worst 0 lists some"
expect 0 "one worst" "$DCSIM" validate p.db --worst 1
[[ $(grep -cE '  [0-9]+/[0-9] ' out) -eq 3 ]] || fail "--worst 1: not one of each part"
expect 0 "the other half" "$DCSIM" validate p.db --half test
says out 'half test$' "the other half"
says out '^all +model +2 +37\.50 ' "the other half"
grep -q '36\.0000' out && fail "a row of dev in the other half"
says out 'MPS: .*: n = 0 runs$' "nothing under MPS"

# --- blocks of one thread: an SM holds 32 of them, so 8 SMs take 512 in two waves ---
cp p.db thin.db
{
    corun 25 oversubscription mps dev
    side 25 0 spin 50000 spin_512x1 8 100 100000 100000
    side 25 1 spin 50000 spin_1x1 8 100 50000 50000
} | sqlite3 thin.db || fail "planting"
expect 0 "blocks of one thread" "$DCSIM" validate thin.db --csv thin.csv
says thin.csv '^shared,"spin 100/100",25,0,' "blocks of one thread"

expect 0 "for later" "$DCSIM" validate p.db --csv before.csv

# --- contention ---
expect 0 "with contention" "$DCSIM" validate "$SOURCE_DIR/tests/data/profile-measured.sql" --csv c.csv
[[ $(grep -c '^partitions' c.csv) -eq 2 ]] || fail "one pair"
grep '^partitions' c.csv | awk -F, '{ if ($(NF - 2) <= $NF) exit 1 }' || fail "contention slows nothing"

# --- live requests on partitions: a part of their own; without contention each takes what it takes there alone ---
cp p.db parts.db
{
    echo "CREATE TABLE live_partition(id, service, service_size, service_sms, batch, batch_size, batch_sms, load,"
    echo "  duration_ns, half, service_solo_ns, batch_solo_ns, service_solo_clock_mhz, batch_solo_clock_mhz, clock_mhz);"
    echo "CREATE TABLE live_partition_request(live, role, request, arrival_ns, begin_ns, end_ns);"
    echo "INSERT INTO live_partition VALUES (1, 'service', 4, 3, 'job', 100, 5, 0.6, 1000000000, 'dev', 20000000, 8000000, 1, 1, 1),"
    echo "  (2, 'service', 4, 3, 'job', 100, 5, 0.6, 1000000000, 'test', 20000000, 8000000, 1, 1, 1);"
    # The second arrives while the first runs, and waits.
    echo "INSERT INTO live_partition_request VALUES (1, 'service', 0, 0, 0, 25000000), (1, 'service', 1, 5000000, 25000000, 50000000),"
    echo "  (1, 'batch', 0, 0, 0, 10000000), (1, 'batch', 1, 10000000, 10000000, 20000000),"
    echo "  (2, 'service', 0, 0, 0, 40000000), (2, 'batch', 0, 0, 0, 10000000);"
} | sqlite3 parts.db || fail "planting"
rm -f p.csv
expect 0 "live requests on partitions" "$DCSIM" validate parts.db --csv p.csv
cp out parts.out
on_partitions() { # SIDE WHAT MEASURED MODEL
    says p.csv "^live-partitions,\"$2\",1,$1,\"$2\",\"service \(3 SMs\) beside job \(5 SMs\), load 0\.6\",$3\.0,$4\.0,$4\.0,$4\.0$" "on partitions: $2"
}
on_partitions 0 "service, response, mean" 35000000 27500000
on_partitions 0 "service, run, mean" 25000000 20000000
on_partitions 0 "service, run, p95" 25000000 20000000
on_partitions 1 "batch, run, mean" 10000000 8000000
says parts.out 'Live on partitions: .*: n = 1 run$' "live requests on partitions"
says parts.out '^1 +35\.000 +27\.500 +25\.000 +20\.000 +10\.000 +8\.000  service \(3 SMs\) beside' "the live run on partitions"
[[ $(grep -c '^live-partitions,' p.csv) -eq 6 ]] || fail "numbers of a live run on partitions"
grep -v '^live-partitions,' p.csv | cmp -s - before.csv || fail "live requests on partitions change other parts"
rm -f p.csv
expect 0 "their other half" "$DCSIM" validate parts.db --half test --csv p.csv
[[ $(grep -c '^live-partitions,.*,40000000\.0,' p.csv) -gt 0 ]] || fail "live requests on partitions of the other half"
sqlite3 parts.db "DELETE FROM corun; DELETE FROM corun_side; DELETE FROM live; DELETE FROM live_request;"
expect 0 "nothing else" "$DCSIM" validate parts.db
says out 'Live: .*: n = 0 runs$' "none under MPS"
# broken DATABASE REGEX WHAT SQL: refused once the SQL has run on it
broken() {
    cp "$1" broken.db
    sqlite3 broken.db "$4" || fail "planting: $3"
    refused "$2" "$3" "$DCSIM" validate broken.db
    rm broken.db
}
broken parts.db 'live_partition: of 1: expected partitions of no more SMs' "too many SMs on two partitions" "UPDATE live_partition SET batch_sms = 6"
broken parts.db 'live_partition.service_sms: row 1' "a partition of nothing" "UPDATE live_partition SET service_sms = 0"
broken parts.db 'live_partition_request: of 1: expected requests of both' "no batch on its partition" "DELETE FROM live_partition_request WHERE role = 'batch'"
# With contention they slow each other.
"$DCSIM" profile build "$SOURCE_DIR/tests/data/profile-measured.sql" pressed.db || fail "build"
sqlite3 parts.db ".dump live_partition" ".dump live_partition_request" | sqlite3 pressed.db || fail "planting"
rm -f p.csv
expect 0 "live requests on partitions that press" "$DCSIM" validate pressed.db --csv p.csv
grep '^live-partitions,.*run, mean' p.csv | awk -F, '{ if ($(NF - 2) <= $(NF - 1)) exit 1 }' || fail "contention slows no live request on a partition"

# --- a kernel of another size: a part of its own, and it contends as the same kernel of the default size ---
cp p.db sized.db
{
    corun 30 sized-pair green dev
    side 30 0 job 100 work 4 NULL 8000000 10000000
    side 30 1 service 8 layer 4 NULL 36000000 45000000
    corun 31 sized-pair green dev
    side 31 0 job 100 work 4 NULL 8000000 10000000
    side 31 1 service 7 layer 4 NULL 36000000 45000000
} | sqlite3 sized.db || fail "planting"
rm -f p.csv
expect 0 "a pair at another size" "$DCSIM" validate sized.db --csv p.csv
says out 'Pairs at other sizes: .*: n = 1 run$' "pairs at other sizes"
says out '^left out: 1 \(the profile does not know' "a size that was not measured"
says out '^above-1, all +model +1 +20\.00 ' "errors of the larger one"
says out '^beside 4\+4 +model +1 +20\.00 ' "errors beside it"
grep '^sizes,' p.csv >sizes.csv
[[ $(wc -l <sizes.csv) -eq 2 ]] || fail "sides of pairs at other sizes"
grep -v '^sizes,' p.csv | cmp -s - before.csv || fail "a pair at another size changes other parts"
"$DCSIM" profile build "$SOURCE_DIR/tests/data/profile-measured.sql" presses.db || fail "build"
{
    corun 30 pair green dev
    side 30 0 job 100 work 4 NULL 8000000 10000000
    side 30 1 service 4 layer 4 NULL 36000000 45000000
    corun 31 sized-pair green dev
    side 31 0 job 100 work 4 NULL 8000000 10000000
    side 31 1 service 8 layer 4 NULL 36000000 45000000
} | sqlite3 presses.db || fail "planting"
rm -f p.csv
expect 0 "both sizes" "$DCSIM" validate presses.db --csv p.csv
for side in 0 1; do
    of() { grep -E "^[a-z]+,\"[^\"]*\",$1,$side," p.csv | awk -F, '{ print $(NF - 2), $NF }'; }
    [[ $(of 30) == "$(of 31)" ]] || fail "another size contends otherwise: $(of 30), $(of 31)"
    of 31 | awk '{ exit !($1 > $2) }' || fail "another size is not slowed"
done

# --- refused ---
refused 'has nothing that ran together in the half "test"' "no test half" "$DCSIM" validate fresh.db --half test
for half in test2 test3; do
    refused "has nothing that ran together in the half \"$half\"" "$half" "$DCSIM" validate fresh.db --half $half
done
for option in "" --fusion --slowdown; do
    # shellcheck disable=SC2086  # an option, or none
    refused 'xeon-e5-2650v4: device: is of a CPU alone, .* name the profile of a GPU' "a CPU, $option" "$DCSIM" validate xeon-e5-2650v4 $option
    # shellcheck disable=SC2086
    refused 'xeon-host: device: is of a CPU alone' "a measured CPU, $option" "$DCSIM" validate xeon-host $option
done
refused 'has nothing that ran together in the half "dev"' "nothing at all" "$DCSIM" validate "$SOURCE_DIR/calibrate/profiles/quadro-p1000.sql"
broken p.db 'corun_side.mean_ns: row [0-9]+: expected a number' "a text for a number" "UPDATE corun_side SET mean_ns = 'long' WHERE corun = 10"
broken p.db 'corun_side: of 10: expected two sides' "a side is missing" "DELETE FROM corun_side WHERE corun = 10 AND side = 1"
broken p.db 'corun_side: of 10: expected its sides at 0' "a gap" "DELETE FROM corun_side WHERE corun = 10 AND side = 0"
broken p.db 'corun_side: of 10: expected partitions' "too many SMs" "UPDATE corun_side SET sms = 5 WHERE corun = 10"
broken p.db 'corun.half: row 1: expected "dev"' "an unknown half" "UPDATE corun SET half = 'third' WHERE id = 10"
broken p.db 'live_request.end_ns: row [0-9]+' "an end before its begin" "UPDATE live_request SET end_ns = 1 WHERE role = 'service' AND request = 1"
broken p.db 'live_request: of 1: expected requests of both' "no batch" "DELETE FROM live_request WHERE role = 'batch'"
broken p.db 'live_request: of 1: expected each request once, in the order' "arrivals out of order" "UPDATE live_request SET request = 2 WHERE role = 'service' AND request = 0"
# The half that is not asked for is not read.
sqlite3 p.db "UPDATE corun_side SET mean_ns = 'long' WHERE corun = 11"
expect 0 "an error in the other half" "$DCSIM" validate p.db
refused 'corun_side.mean_ns' "an error in this half" "$DCSIM" validate p.db --half test
refused '^dcsim: nowhere/x.csv: cannot write: No such file or directory$' "no such folder" "$DCSIM" validate p.db --csv nowhere/x.csv
refused 'no profile "nothing.db"' "no file" "$DCSIM" validate nothing.db
refused 'expected one profile' "no profile" "$DCSIM" validate
refused '--half takes dev, test, test2 or test3' "no such half" "$DCSIM" validate p.db --half both
refused '--worst takes' "no number" "$DCSIM" validate p.db --worst -1
refused 'unknown option' "unknown option" "$DCSIM" validate p.db --force

# --- fused launches: 25 loads of a CUDA kernel that is linear but for one in the middle, and a curve of two
# lines that meet at 100 %, with one point a quarter above ---
refused '--fusion takes no other option' "two kinds" "$DCSIM" validate p.db --fusion --worst 1
cp p.db f.db
sqlite3 f.db "DELETE FROM fused;"
refused 'f.db: fused: has no fused launches; dcsim-calibrate fusion' "nothing fused" "$DCSIM" validate f.db --fusion
sqlite3 f.db "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 25),
    p(i, cuda, ns) AS (SELECT i, CASE i WHEN 13 THEN 1350000 ELSE 100000 * i END,
        CASE WHEN i <= 10 THEN 1000000 + 40000 * i ELSE 400000 + 100000 * i END FROM r)
    INSERT INTO fused SELECT 'conv-4x4', 1, 'job', i, 1, 1, 10 * i, 1000000, cuda, 1, 1, 64, 100, 256, 5, 0,
        CASE i WHEN 20 THEN 1.25 * ns WHEN 13 THEN 1750000 ELSE ns END, ns, 1, 1, 1, 'count', 1, 'warm'
    FROM p;"
[[ $(sqlite3 f.db "SELECT count(*) FROM fused") == 25 ]] || fail "not 25 points"
expect 0 "fused launches" "$DCSIM" validate f.db --fusion
says out '1 ways, of which an SM has room for 1$' "the ways"
says out '^job +20 +0\.19 +0\.19 +3\.70 ' "a kernel that is linear but for one load"
says out '^conv-4x4 +job +1:1 .* 1\.40 +0\.00 +0\.00 +1\.54 +20\.00 ' "the two lines but for one point"

# --- kernels that were never slowed, and are predicted to be ---
cp p.db beyond.db
sqlite3 beyond.db "ATTACH 'with.db' AS w; INSERT INTO contention_resource SELECT * FROM w.contention_resource;
    INSERT INTO contention_hinge SELECT * FROM w.contention_hinge; INSERT INTO contention_kernel SELECT * FROM w.contention_kernel;
    INSERT INTO contention_weight SELECT * FROM w.contention_weight;
    INSERT INTO contention_range SELECT application, size, kernel, sms, CASE application WHEN 'job' THEN 1 ELSE 9 END FROM w.contention_range"
expect 0 "a range" "$DCSIM" validate beyond.db
says out '^predicted slower than ever measured in what was fitted: 4 of 5, by more than a tenth: 4$' "beyond a range"
expect 0 "no range" "$DCSIM" validate p.db
grep -q "ever measured" out && fail "where it is not known how far measurements reach"
expect 0 "help" "$DCSIM" validate --help
says out '^Usage: dcsim validate PROFILE' "help"
finish
