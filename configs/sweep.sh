# shellcheck shell=bash
# What the scripts study.sh of the folders beside this file share. A script sets `parts`, the names of its parts, and
# `here`, its folder with the configs, and sources this file.
# shellcheck disable=SC2154

# begin_study DEFAULT_DATABASE [ARGUMENT]...: checks the arguments of a script, a part and a database, or ends it.
begin_study() {
    local default=$1
    shift
    if [[ $# -lt 1 || $# -gt 2 || $1 == -* ]]; then
        echo "Usage: $0 ${parts// /|} [DATABASE]        DATABASE: $default if not given" >&2
        exit 2
    fi
    if [[ " $parts " != *" $1 "* ]]; then
        echo "$0: unknown part \"$1\"; parts are ${parts// /, }" >&2
        exit 2
    fi
    dcsim=${DCSIM:-dcsim}
    database=${2:-$default}
}

# sweep CONFIG [KEY=VALUE]...: one sweep, of what the config says but for these keys.
sweep() {
    local config=$1 set=() key
    shift
    for key in "$@"; do set+=(--set "$key"); done
    "$dcsim" --output "$database" --config "$here/$config.json" --set profile="${PROFILE:-nvidia-h200}" \
        --set replications="${REPLICATIONS:-10}" "${set[@]}" >/dev/null
}
