#!/bin/bash
# What cmake decides by what the machine has: for which GPUs dcsim-calibrate is built, and whether a Debian package can be.
#
# Pins: dcsim-calibrate alone needs no library of the simulator but SQLite; the GPUs that nvidia-smi names, each once and
# in order, 9.0 as 90a; without a GPU, without nvidia-smi and where it answers something else, 90a and one message that says how to name another; a list that is given is taken as it is.
# The package is refused before anything is built where dpkg-shlibdeps or file is missing, and the packages are named; the
# preset asks for that. Not whether nvcc knows the GPUs: no nvcc and no GPU is needed here.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
cmake=$(command -v cmake)
mkdir bin

# program NAME LINE...: one in bin, which is all of PATH to cmake.
program() {
    printf '%s\n' '#!/bin/sh' "${@:2}" >"bin/$1"
    chmod +x "bin/$1"
}

# --- GPUs ---
cat >ask.cmake <<END
include($SOURCE_DIR/cmake/cuda_architectures.cmake)
dcsim_cuda_architectures(answer "\${wanted}")
message(NOTICE "answer=\${answer}")
END

# builds_for WANTED ANSWER WHAT
builds_for() {
    PATH=$work/bin expect 0 "$3" "$cmake" "-Dwanted=$1" -P ask.cmake
    says err "^answer=$2\$" "$3"
}

# here STATUS LINE...: what nvidia-smi says.
here() {
    # shellcheck disable=SC2016
    program nvidia-smi '[ "$*" = "--query-gpu=compute_cap --format=csv,noheader" ] || exit 9' \
        "$(printf 'echo "%s"\n' "${@:2}")" "exit $1"
}

builds_for native 90a "no nvidia-smi"
here 0 8.9
builds_for native 89 "one GPU"
says out 'for the GPUs here: 89$' "one GPU"
here 0 12.0 9.0 8.0 12.0
builds_for native '80;90a;120' "four GPUs of three kinds"
builds_for '75;89' '75;89' "a list that is given"
here 0 '[N/A]'
builds_for native 90a "a driver that cannot tell"
here 9 'NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.'
builds_for native 90a "no driver"
says err 'there is no GPU here\. .*-DDCSIM_CUDA_ARCHITECTURES=89$' "no driver: what to do"

# --- dcsim-calibrate alone ---
mkdir packages
cp "$(pkg-config --variable=pcfiledir sqlite3)/sqlite3.pc" packages
alone=(-S "$SOURCE_DIR" -DDCSIM_CUDA=OFF -DCMAKE_BUILD_TYPE=Release)
PKG_CONFIG_LIBDIR=$work/packages expect 0 "the tool alone" "$cmake" "${alone[@]}" -B alone -DDCSIM_SIMULATOR=OFF
PKG_CONFIG_LIBDIR=$work/packages expect 1 "the simulator, without its libraries" "$cmake" "${alone[@]}" -B whole
says err 'required package was not found' "the simulator, without its libraries"

# --- the package ---
cat >pack.cmake <<END
include($SOURCE_DIR/cmake/package_tools.cmake)
END
lacks='missing for a Debian package: apt-get install dpkg-dev file'
PATH=$work/bin expect 1 "no tool of packages" "$cmake" -P pack.cmake
says err "$lacks" "no tool of packages"
program file 'exit 0'
PATH=$work/bin expect 1 "no dpkg-shlibdeps" "$cmake" -P pack.cmake
says err "$lacks" "no dpkg-shlibdeps"
program dpkg-shlibdeps 'exit 0'
PATH=$work/bin expect 0 "both tools" "$cmake" -P pack.cmake
rm bin/file
PATH=$work/bin expect 1 "no file" "$cmake" -P pack.cmake
expect 0 "what the preset asks for" "$cmake" -S "$SOURCE_DIR" --preset package -N
says out 'DCSIM_PACKAGE="ON"' "what the preset asks for"
finish
