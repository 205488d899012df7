#!/bin/bash
# check.sh NAME... [-- OPTION...]: builds applications for the CPU and runs them (check.c has the options;
# without any: --shuffle --twice). NAME is a file of calibrate/apps/ without .cu, or --all.
#
# ASAN=1 adds AddressSanitizer and UBSan; CXX and CC choose the compiler; BUILD_DIR keeps what is
# built for the next time (default: a folder in /tmp of this user and tree).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
names=()
while [[ $# -gt 0 && $1 != -- ]]; do
    names+=("$1")
    shift
done
options=("${@:2}")
[[ ${#options[@]} -gt 0 ]] || options=(--shuffle --twice)
[[ ${#names[@]} -gt 0 ]] || { sed -n '2,6s/^# //p' "$0"; exit 2; }
if [[ ${names[0]} == --all ]]; then
    names=()
    for file in "$root"/calibrate/apps/*.cu; do
        names+=("$(basename "$file" .cu)")
    done
fi

compile_cxx=${CXX:-g++}
compile_c=${CC:-gcc}
flags=(-O2 -g1 -I"$here/include" -I"$root" -I"$root/src" -I"$here" -DCAL_EMULATED -D_GNU_SOURCE
       -Wall -Wextra -Wno-unknown-pragmas -Wno-missing-field-initializers -ffp-contract=off)
kind=plain
if [[ ${ASAN:-0} == 1 ]]; then
    kind=asan
    flags+=("-fsanitize=address,undefined" -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # g++ leaves named sections alone unless told: shared memory lies in one.
    "$compile_cxx" --version | grep -q -i clang || flags+=(-fsanitize-sections=cal_shared)
fi
build=${BUILD_DIR:-/tmp/cuda_cpu-$(id -u)-$(echo "$root" | cksum | cut -d' ' -f1)}/$kind-$(basename "$compile_cxx")
mkdir -p "$build"

# newer FILE OTHER...: FILE is there and none of the others has changed since.
newer() {
    local file=$1 other
    [[ -e $file ]] || return 1
    shift
    for other in "$@"; do
        [[ $file -nt $other ]] || return 1
    done
}

# translated FROM TO OBJECT: one .cu file, by way of C++.
translated() {
    "$here/translate.sh" "$1" "$2"
    "$compile_cxx" -std=c++17 "${flags[@]}" -I"$(dirname "$1")" -c "$2" -o "$3"
}

headers=("$here"/include/*.h "$here"/*.h "$root"/calibrate/app/*.h "$root"/calibrate/app/*.cuh)
shared=("$root/calibrate/app/app_support.cu" "$root"/calibrate/app/dnn_*.cu) # what applications link with
common=("$here"/*.cpp "$here/check.c" "${shared[@]}" "$root/calibrate/app/app_error.c"
        "$root"/src/des/{base,utf8}.c "$here/translate.sh" "$here/check.sh")
(
    flock 9
    if ! newer "$build/common.a" "${headers[@]}" "${common[@]}"; then
        for file in emulator fiber runtime; do
            "$compile_cxx" -std=c++17 "${flags[@]}" -O3 -c "$here/$file.cpp" -o "$build/$file.o"
        done
        "$compile_c" -std=gnu11 "${flags[@]}" -c "$here/check.c" -o "$build/check.o"
        "$compile_c" -std=gnu11 "${flags[@]}" -c "$root/calibrate/app/app_error.c" -o "$build/app_error.o"
        for file in base utf8; do
            "$compile_c" -std=gnu11 "${flags[@]}" -c "$root/src/des/$file.c" -o "$build/$file.o"
        done
        objects=("$build"/{emulator,fiber,runtime,app_error,base,utf8}.o)
        for file in "${shared[@]}"; do
            object=$build/$(basename "$file" .cu)
            translated "$file" "$object.cpp" "$object.o"
            objects+=("$object.o")
        done
        rm -f "$build/common.a"
        ar rc "$build/common.a" "${objects[@]}"
    fi
) 9>"$build/lock"

failed=()
for name in "${names[@]}"; do
    source=$root/calibrate/apps/$name.cu
    [[ -e $source ]] || { echo "check.sh: there is no $source" >&2; exit 2; }
    ok=true
    if ! newer "$build/$name.o" "${headers[@]}" "$source" "$root"/calibrate/apps/*.{cuh,h} "$here/translate.sh"; then
        printf '#include "calibrate/app/app.h"\nextern const struct cal_app cal_app_%s;\n%s\n' "${name//-/_}" \
               "const struct cal_app *const cal_apps[] = {&cal_app_${name//-/_}, NULL};" \
               >"$build/table-$name.c"
        "$compile_c" -std=gnu11 "${flags[@]}" -c "$build/table-$name.c" -o "$build/table-$name.o" &&
            translated "$source" "$build/$name.cpp" "$build/$name.o" || ok=false
    fi
    if $ok && ! newer "$build/app-$name" "$build/common.a" "$build/$name.o"; then
        "$compile_cxx" "${flags[@]}" "$build/check.o" "$build/table-$name.o" "$build/$name.o" \
            "$build/common.a" -lm -lpthread -o "$build/app-$name" || ok=false
    fi
    $ok || { echo "$name: does not compile"; failed+=("$name"); continue; }
    "$build/app-$name" "${options[@]}" || failed+=("$name")
done
[[ ${#failed[@]} -eq 0 ]] || { echo "failed: ${failed[*]}"; exit 1; }
