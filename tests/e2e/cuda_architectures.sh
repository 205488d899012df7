#!/bin/bash
# For which GPUs dcsim-calibrate is built.
#
# Pins: those that nvidia-smi names, each once and in order, 9.0 as 90a; without a GPU, without nvidia-smi and where it
# answers something else, 90a and one message that says how to name another; a list that is given is taken as it is.
# Not whether nvcc knows them: no nvcc and no GPU is needed here.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

cat >ask.cmake <<END
include($SOURCE_DIR/cmake/cuda_architectures.cmake)
dcsim_cuda_architectures(answer "\${wanted}")
message(NOTICE "answer=\${answer}")
END
cmake=$(command -v cmake)

# builds_for WANTED ANSWER WHAT: nvidia-smi is what lies in bin, if anything.
builds_for() {
    PATH=$work/bin:/usr/bin:/bin expect 0 "$3" "$cmake" "-Dwanted=$1" -P ask.cmake
    says err "^answer=$2\$" "$3"
}

# here STATUS LINE...: what nvidia-smi says.
here() {
    local status=$1
    shift
    mkdir -p bin
    printf '#!/bin/sh\n[ "$*" = "--query-gpu=compute_cap --format=csv,noheader" ] || exit 9\n' >bin/nvidia-smi
    printf 'echo "%s"\n' "$@" >>bin/nvidia-smi
    echo "exit $status" >>bin/nvidia-smi
    chmod +x bin/nvidia-smi
}

[[ -x /usr/bin/nvidia-smi ]] || builds_for native 90a "no nvidia-smi"
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
finish
