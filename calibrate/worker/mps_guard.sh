#!/bin/sh
# The guard of a control program of MPS. $1 is the control program, $2 the folder. Asking a daemon
# that hangs would hang too, so that is done in the background; whoever is left at the end is killed,
# if it is still what it was. A process that nobody collects keeps its number: one that lives has a
# command line.
trap '' HUP INT TERM
lives() { [ -n "$(cat "/proc/$1/cmdline" 2>/dev/null)" ]; }
cat >/dev/null
daemon=$(cat "$2/pipe/nvidia-cuda-mps-control.pid" 2>/dev/null)
if [ -e "$2/asked" ]; then
    echo get_server_list | "$1" >"$2/servers" 2>/dev/null &
    sleep 0.2
    echo quit -t 5 | "$1" >/dev/null 2>&1 &
    waited=${daemon:-$!}
    n=0
    while lives "$waited" && [ $n -lt 150 ]; do sleep 0.1; n=$((n + 1)); done
    for p in $daemon $(cat "$2/servers" 2>/dev/null); do
        case $(cat "/proc/$p/comm" 2>/dev/null) in
            nvidia-cuda-mps*) kill -9 "$p" 2>/dev/null ;;
        esac
    done
fi
rm -rf "$2"
