#!/bin/bash
# The same config and seed must give the same results, bit for bit, whatever compiler, optimisation (link-time, too),
# processor features and number of threads. Builds four ways, runs the same experiments five times, compares
# summary and database dump (all tables except wall). The same of predictors that they train.
set -euo pipefail
cd "$(dirname "$0")/.."
work=build/same-bits
mkdir -p $work
rm -f $work/*.txt $work/*.db $work/*.sql

configs=(configs/quickstart.json tests/data/every-feature.json tests/data/shared-green.json
    tests/data/shared-mps.json tests/data/shared-fused.json)
build() {
    cmake -S . -B "$work/$1" -DCMAKE_C_COMPILER="$2" -DCMAKE_BUILD_TYPE=None -DDCSIM_TESTS=OFF \
        -DCMAKE_C_FLAGS="$3" >/dev/null
    cmake --build "$work/$1" --parallel "$(nproc)" --target dcsim >/dev/null
}

# run NAME BINARY THREADS: one text file with everything that must be the same.
run() {
    local config
    rm -f "$work/$1.predictors.db"
    for config in "${configs[@]}"; do
        rm -f "$work/$1.db"
        "$2" --config "$config" --threads "$3" --output "$work/$1.db" --set outputs.requests=true
        sqlite3 "$work/$1.db" .dump | grep -v '^INSERT INTO wall'
    done >"$work/$1.txt"
    "$2" train xeon-e5-2650v4 -o "$work/$1.predictors.db" >>"$work/$1.txt" 2>/dev/null
    sqlite3 "$work/$1.predictors.db" 'SELECT * FROM predictor' >>"$work/$1.txt"
}

build gcc-O0 gcc -O0
build gcc-O3 gcc "-O3 -march=native -flto=auto"
build clang-O2 clang -O2
scripts/build-pgo.sh $work/gcc-pgo >/dev/null
run gcc-O0 $work/gcc-O0/dcsim 1
run gcc-O3 $work/gcc-O3/dcsim 2
run clang-O2 $work/clang-O2/dcsim 3
run gcc-pgo $work/gcc-pgo/dcsim 2
# libm and GSL choose by processor: forbid them FMA and AVX2.
GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX,-AVX512F \
    run no-fma $work/clang-O2/dcsim 1

for name in gcc-O3 clang-O2 gcc-pgo no-fma; do
    if ! cmp $work/gcc-O0.txt $work/$name.txt; then
        echo "results of $name differ from gcc-O0"
        diff $work/gcc-O0.txt $work/$name.txt | head -5
        exit 1
    fi
done
echo "$(wc -l <$work/gcc-O0.txt) lines of results are the same in 5 runs of 4 builds"
