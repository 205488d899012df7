#!/bin/bash
# The scripts calibrate/fit/read_counters.py and study_beside.py.
#
# Pins, on a made-up recording: counters of the kernels of a request of the default size, copies left out; refusals, which change nothing.
# Of ranges in which kernels ran together: what is left for a kernel beside a producer, and the sum of two kernels.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
script=$SOURCE_DIR/calibrate/fit/read_counters.py

{
    sed 's/^PRAGMA.*//' "$SOURCE_DIR/src/models/profile/profile_schema_2.sql"
    echo "INSERT INTO subject VALUES ('net', '', '', 'batch', 1, 8, 8);
        INSERT INTO recorded_launch VALUES ('net', 1, 'whole', 8, 0, 'conv_1x128', 'conv', 1, 1, 1, 1, 0, NULL, 100, 1, 1, 0, NULL);"
    position=0
    for kernel in "copy_to_device_64 copy" "gemm_8x128 gemm" "fill_4 fill" "tanh_8x128 tanh"; do
        echo "INSERT INTO recorded_launch VALUES ('net', 8, 'whole', 8, $((position++)), '${kernel% *}', '${kernel#* }', 1, 1, 1, 1, 0, NULL, 100, 1, 1, 0, NULL);"
    done
} | sqlite3 p.db || fail "planting"
columns='"ID","Kernel Name","gpu__time_duration.sum","dram__bytes_read.sum","lts__t_sector_hit_rate.pct"'
printf '==PROF== x\n%s\n"","","ns","byte","%%"\n"0","void ns::gemm<(int)4>(float*)","11,000","2,048","50"\n' "$columns" >ncu.csv
expect 0 "counters" "$script" p.db net=ncu.csv
sqlite3 p.db "SELECT size, kernel, duration_ns, dram_read_bytes, l2_hit_fraction, l2_bytes FROM kernel_counters" >out
says out '^8\|gemm_8x128\|11000\|2048\.0\|0\.5\|$' "counters"

before=$(sqlite3 p.db .dump | sha256sum)
sed -i 's/ns::gemm/ns::conv/' ncu.csv
refused 'ncu.csv: 0: expected gemm_8x128, found void ns::conv' "another kernel" "$script" p.db net=ncu.csv
sed 's/"ns"/"us"/' ncu.csv >us.csv
refused 'us.csv: column gpu__time_duration.sum is in us: expected base units' "other units" "$script" p.db net=us.csv
refused 'the profile has no recorded program .nut.' "another program" "$script" p.db nut=ncu.csv
[[ $(sqlite3 p.db .dump | sha256sum) == "$before" ]] || fail "what was refused changed the profile"
# Four producers alone, a kernel alone and beside them, another one alone, and both. A producer counts 5 in an iteration.
beside=$SOURCE_DIR/calibrate/fit/study_beside.py
{
    for number in 0 1 2 3; do printf 'range\t%d\tproducer\t68\t100\t7\t7\n' $number; done
    printf 'range\t4\tfft\tbutterfly\t64\t10\t2000\t20000\n'
    for number in 5 6 7 8; do printf 'range\t%d\tfft\tbutterfly\t64\t10\t2000\t30000\tproducer\t68\t200\t7\t7\n' $number; done
    printf 'range\t9\tbfs\tvisit\t68\t4\t5000\t20000\nrange\t10\tfft\tbutterfly\t64\t20\t2000\t40000\tbfs\tvisit\t68\t8\t5000\t40000\n'
} >ranges.txt
counts=(500 500 500 500 3000 5500 4000 4000 4000 4000 30000)
{
    printf '==PROF== x\n"ID","a","b","c","d","e","f","g","h","i","Metric Name","Metric Unit","Metric Value"\n'
    for number in "${!counts[@]}"; do printf '"%d","","","","","","","","","","reads","byte","%s"\n' "$number" "${counts[number]}"; done
} >ranges.csv
expect 0 "ranges" "$beside" ranges.txt ranges.csv
says out '^  fft +64 SMs alone: 300 a run$' "a kernel alone"
says out '^  fft +beside dram-copy +1.500 of that, 1.50 times as long$' "what is left beside a producer"
says out '^  fft +beside l2-read +1.000 of that' "the next producer"
says out '^  fft \+ bfs +2.143$' "30000 over 20 times 300 and 8 times 1000"
sed -i '$d' ranges.txt
refused 'ranges.csv: has 11 ranges, and ranges.txt 10' "ranges that are missing" "$beside" ranges.txt ranges.csv
finish
