#!/bin/bash
# Shared by the end-to-end tests: a scratch folder, and checks that say what they expected.
# DCSIM, SOURCE_DIR and BINARY_DIR come from CTest.
set -u
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
checks=0

fail() {
    echo "FAIL: $1"
    failed=1
}

# A name that is written wrongly fails, and does not pass for a check. Runs in a shell of its own, so a file says so.
command_not_found_handle() {
    echo "there is no command $1" | tee -a "$work/.not-found" >&2
    return 127
}

# expect CODE WHAT COMMAND...: runs it, output in out and err, checks the exit code.
expect() {
    local want=$1 what=$2 code
    shift 2
    "$@" >out 2>err </dev/null
    code=$?
    checks=$((checks + 1))
    if [[ $code -ne $want ]]; then
        fail "$what: exit code $code, expected $want"
        sed 's/^/    /' err | head -5
    fi
}

# says FILE REGEX WHAT
says() {
    checks=$((checks + 1))
    grep -qE -- "$2" "$1" && return
    fail "$3: no line matches: $2"
    sed 's/^/    /' "$1" | head -8
}

# Sets python to one that has numpy, or skips the test.
find_numpy() {
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import numpy' 2>/dev/null && return
    done
    echo "skipped: needs numpy (Debian: python3-numpy)"
    exit 77
}

# refused REGEX WHAT COMMAND...: exit code 2, exactly one line on standard error that matches, nothing on
# standard output, no file made.
refused() {
    local regex=$1 what=$2 before after
    shift 2
    before=$(find . ! -name out ! -name err | sort)
    expect 2 "$what" "$@"
    after=$(find . ! -name out ! -name err | sort)
    says err "$regex" "$what"
    [[ $(wc -l <err) -eq 1 ]] || fail "$what: $(wc -l <err) lines on standard error"
    [[ -s out ]] && fail "$what: something on standard output"
    [[ $before == "$after" ]] || fail "$what: left files behind"
    grep -qE 'internal error|ERROR: AddressSanitizer|runtime error' err && fail "$what: internal fault"
}

# A control program of MPS in bin/ that starts a daemon, which does nothing, and ends it.
# shellcheck disable=SC2317 # scripts call it
fake_mps() {
    mkdir -p bin
    cat >bin/nvidia-cuda-mps-control <<'END'
#!/bin/sh
pid=$CUDA_MPS_PIPE_DIRECTORY/nvidia-cuda-mps-control.pid
case $1 in
-d) { "$0" daemon & echo $! >"$pid"; } ;;
daemon) while :; do sleep 0.05; done ;;
*) read -r order; case $order in quit*) kill "$(cat "$pid")"; rm "$pid" ;; esac ;;
esac
END
    chmod +x bin/nvidia-cuda-mps-control
}

# What a container may lack.
knows_caches() { grep -qsE '^[2-9]' /sys/devices/system/cpu/cpu*/cache/index*/level; }
has_terminals() { script -qec true /dev/null </dev/null >/dev/null 2>&1; }

finish() {
    [[ -e $work/.not-found ]] && fail "$(cat "$work/.not-found")"
    echo "$checks checks"
    exit $failed
}
