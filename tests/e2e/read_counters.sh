#!/bin/bash
# calibrate/fit/read_counters.py, the script.
#
# Pins, on a made-up recording: counters of the kernels of a request, copies left out; refusals, which change nothing.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
script=$SOURCE_DIR/calibrate/fit/read_counters.py

{
    sed 's/^PRAGMA.*//' "$SOURCE_DIR/src/models/profile/profile_schema_2.sql"
    position=0
    for kernel in "copy_to_device_64 copy" "gemm_8x128 gemm" "fill_4 fill" "tanh_8x128 tanh"; do
        echo "INSERT INTO recorded_launch VALUES ('net', 1, 'whole', 8, $((position++)), '${kernel% *}', '${kernel#* }', 1, 1, 1, 1, 0, NULL, 100, 1, 1, 0, NULL);"
    done
} | sqlite3 p.db || fail "planting"
columns='"ID","Kernel Name","gpu__time_duration.sum","dram__bytes_read.sum","lts__t_sector_hit_rate.pct"'
printf '==PROF== x\n%s\n"","","ns","byte","%%"\n"0","void ns::gemm<(int)4>(float*)","11,000","2,048","50"\n' "$columns" >ncu.csv
expect 0 "counters" "$script" p.db net=ncu.csv
sqlite3 p.db "SELECT kernel, duration_ns, dram_read_bytes, l2_hit_fraction, l2_bytes FROM kernel_counters" >out
says out '^gemm_8x128\|11000\|2048\.0\|0\.5\|$' "counters"

before=$(sqlite3 p.db .dump | sha256sum)
sed -i 's/ns::gemm/ns::conv/' ncu.csv
refused 'ncu.csv: 0: expected gemm_8x128, found void ns::conv' "another kernel" "$script" p.db net=ncu.csv
sed 's/"ns"/"us"/' ncu.csv >us.csv
refused 'us.csv: column gpu__time_duration.sum is in us: expected base units' "other units" "$script" p.db net=us.csv
refused 'the profile has no recorded program .nut.' "another program" "$script" p.db nut=ncu.csv
[[ $(sqlite3 p.db .dump | sha256sum) == "$before" ]] || fail "what was refused changed the profile"
finish
