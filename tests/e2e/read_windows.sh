#!/bin/bash
# calibrate/fit/read_windows.py, the script.
#
# Pins, on a made-up recording: rows by kernel of what a recorded program did beside a producer, the place of another function on
# fewer SMs counted to the kernel that it stands for, short kernels and copies left out; the producer as a meter, for kernels
# are most of a request; rows of programs with their 95th percentiles, and that a half is replaced and another one stays; counters;
# refusals, which change nothing.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
script=$SOURCE_DIR/calibrate/fit/read_windows.py

{
    sed 's/^PRAGMA.*//' "$SOURCE_DIR/src/models/profile/profile_schema_2.sql"
    launch() { # MECHANISM SMS POSITION KERNEL FUNCTION NS
        echo "INSERT INTO recorded_launch VALUES ('net', 1, '$1', $2, $3, '$4', '$5', 1, 1, 1, 1, 0, NULL, $6, 1, 1, 0, NULL);"
    }
    for part in "whole', 8, 100" "mps', 4, 50"; do
        echo "INSERT INTO recorded VALUES ('net', 1, '$part, 'net', 'request', 9, 0, 0, 9, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0);"
    done
    launch whole 8 0 copy_to_device_64 copy 100
    launch whole 8 1 gemm_8x128 gemm 10000
    launch whole 8 2 fill_4 fill 100
    launch whole 8 3 tanh_8x128 tanh 2000
    launch mps 4 0 copy_to_device_64 copy 100
    launch mps 4 1 fill_4 fill 100
    launch mps 4 2 other_4x128 other 20000
    launch mps 4 3 fill_4 fill 100
    launch mps 4 4 tanh_8x128 tanh 4000
    echo "DROP TABLE corun_tail;"
} | sqlite3 p.db || fail "planting"
window() { echo "{\"kind\": \"$1\", \"begin\": 0, \"end\": 100, \"clients\": [\"net-50-rec\"]${2:-}}"; }
did() { # WINDOW SCALE-OF-OTHER TOOK...
    local IFS=,
    echo "{\"window\": $1, \"client\": \"net-50-rec\", \"took\": [${*:3}], \"places\": [[\"C1\", 0, 0, 0, 0, 64, 100, 100], \
[\"M\", 0, 0, 0, 0, 4, 100, 100], [\"K\", 1, 4, 128, 1, 0, 0, $((20000 * $2))], [\"M\", 0, 0, 0, 0, 4, 100, 100], [\"K\", 2, 8, 128, 1, 0, 0, 4000]]}"
}
{
    window alone
    echo '{"kind": "producer", "clients": [], "begin": 0, "end": 100, "family": "l2-read", "level": 11, "percent": 50,
        "made": ["made", "l2-read", "11", "4", "20", "1000", "0", "8"]}' | tr -d '\n'
    echo
    window beside ', "family": "l2-read", "level": 11, "percent": 50, "made": ["made", "l2-read", "11", "4", "10", "1000", "0", "8"]'
    echo '{"kind": "pair", "begin": 0, "end": 100, "clients": ["net-50-rec", "net-100-rec"]}'
    echo '{"kind": "alone", "turn": 0, "begin": 0, "end": 100, "clients": ["net-100-rec"]}'
    did 0 1 24000 24000 24000 24000
    did 2 3 64000 64000
    did 3 1 30000 34000
    did 3 1 13000 15000 | sed 's/net-50/net-100/'
    did 4 1 12000 | sed 's/net-50/net-100/'
} >w.json

expect 0 "a file" "$script" p.db w.json
rows() { sqlite3 p.db "SELECT kind, half, side, application, kernel, s.sms, percent, round(solo_mean_ns), round(mean_ns) FROM corun c
    JOIN corun_side s ON s.corun = c.id ORDER BY c.id, side"; }
rows >rows.txt
# The fill before the other function is counted to the matrix product that both stand for.
says rows.txt '^sensitivity\|\|0\|net\|gemm_8x128\|4\|50\|20100\.0\|60100\.0$' "the slow-down of a kernel"
says rows.txt '^sensitivity\|\|0\|net\|tanh_8x128\|4\|50\|4000\.0\|4000\.0$' "another kernel"
grep -q 'fill\|copy' rows.txt && fail "a copy or a fill has rows"
says rows.txt '^meter\|\|1\|l2-read\|producer\|4\|50\|50\.0\|100\.0$' "the producer as a meter"
says rows.txt '^programs\|dev\|1\|net\|request\|8\|100\|12000\.0\|14000\.0$' "requests beside others"
sqlite3 p.db "SELECT t.p95_ns, solo_p95_ns FROM corun_tail t WHERE side = 0" >out
says out '^33800\|24000$' "95th percentiles"

# --- again: the same rows; another half stays ---
expect 0 "again" "$script" p.db w.json
rows | cmp -s - rows.txt || fail "again: other rows"
expect 0 "another half" "$script" p.db --half test --alone w.json w.json
[[ $(sqlite3 p.db "SELECT count(*) FROM corun WHERE kind = 'programs'") == 2 ]] || fail "another half: not two co-runs"
[[ $(sqlite3 p.db "SELECT count(*) FROM corun WHERE kind = 'sensitivity'") == 2 ]] || fail "another half: sensitivity"

# --- counters ---
columns='"ID","Kernel Name","gpu__time_duration.sum","dram__bytes_read.sum","lts__t_sector_hit_rate.pct"'
printf '==PROF== x\n%s\n"","","ns","byte","%%"\n"0","void ns::gemm<(int)4>(float*)","11,000","2,048","50"\n' "$columns" >ncu.csv
expect 0 "counters" "$script" p.db --counters net=ncu.csv
sqlite3 p.db "SELECT kernel, duration_ns, dram_read_bytes, l2_hit_fraction, l2_bytes FROM kernel_counters" >out
says out '^gemm_8x128\|11000\|2048\.0\|0\.5\|$' "counters"

# --- refusals ---
before=$(sqlite3 p.db .dump | sha256sum)
sed -i 's/ns::gemm/ns::conv/' ncu.csv
refused 'ncu.csv: 0: expected gemm_8x128, found void ns::conv' "another kernel" "$script" p.db --counters net=ncu.csv
refused 'the profile has no recorded program .nut.' "another program" "$script" p.db --counters nut=ncu.csv
sed 's/net-50/net-25/' w.json >other.json
refused 'net-25-rec: the profile has no such program at that percentage; record it first' "a percentage" "$script" p.db other.json
echo '{"kind": ' >>w.json
refused 'w.json:11: .*expected a window' "no JSON" "$script" p.db w.json
[[ $(sqlite3 p.db .dump | sha256sum) == "$before" ]] || fail "what was refused changed the profile"
finish
