#!/bin/bash
# Completion of both programs for bash and zsh: what a word may become, for commands, options, keys, policies, profiles, formats and
# files. The functions run as the shells call them, without a terminal; how a shell shows the words is its own.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck disable=SC2153
mkdir bin configs && ln -s "$DCSIM" bin/dcsim && ln -s "$(dirname "$DCSIM")/calibrate/dcsim-calibrate" bin/dcsim-calibrate
PATH=$PWD/bin:$PATH
touch configs/one.json configs/two.json configs/note.txt results.db mine.so x.sql

# shellcheck source=completion/dcsim.bash
. "$SOURCE_DIR/completion/dcsim.bash"
bash_words() { # bash_words WORD...: what the last of them may become
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    if [[ $1 == dcsim ]]; then _dcsim; else _dcsim_calibrate; fi
    printf '%s\n' "${COMPREPLY[@]}" | sort >found
}
completes() { # completes EXPECTED WORD...: these are among what is found; "=" before: they are all of it
    local expected=$1 exact=0 word
    shift
    if [[ $expected == =* ]]; then exact=1 expected=${expected#=}; fi
    "${shell}_words" "$@"
    checks=$((checks + 1))
    for word in $expected; do
        grep -qFx -- "$word" found || fail "$shell: $*: no $word in: $(paste -sd ' ' found | cut -c 1-200)"
    done
    ((exact)) || return
    [[ $(grep -c . found) -eq $(wc -w <<<"$expected") ]] || fail "$shell: $*: $(paste -sd ' ' found | cut -c 1-200)"
}

try() {
    shell=$1
    completes '=run help capacity check-policy compare explain export merge profile report trace train validate' dcsim ''
    completes '=report' dcsim rep
    completes '=--config' dcsim --conf
    completes '--output --set --jobs --list --version' dcsim run --
    completes '=' dcsim run --basel
    completes '--baseline --metric --delta' dcsim compare results.db --
    completes '--sla --vary' dcsim capacity configs/one.json --
    completes '=policies profiles params schema applications' dcsim --list ''
    completes '=explain export' dcsim help ex
    completes '=build split show lint diff' dcsim profile ''
    completes '=import nodes lint fit formats' dcsim trace ''
    completes '=import nodes lint fit formats' dcsim help trace ''
    completes '--class --curves' dcsim trace fit x.db --c
    completes '=openb-2023' dcsim trace import openb
    completes '=quadro-p1000' dcsim profile show quadro
    completes '=nvidia-h100 nvidia-h100-programs nvidia-h100-residency nvidia-h200 nvidia-h200-host nvidia-h200-programs nvidia-h200-residency' dcsim validate nvid
    completes '=configs/one.json configs/two.json' dcsim run configs/
    completes '=configs/one.json configs/two.json' dcsim --config configs/
    completes '=results.db' dcsim report res
    completes '=mine.so' dcsim run configs/one.json --policy mi
    completes '=mine.so' dcsim check-policy mi
    completes '=dcsim-calibrate' dcsim run configs/one.json --drive dcs
    completes '=bin' dcsim run configs/one.json --drive bi
    completes '=--driven' dcsim validate --dri
    completes '=results.db' dcsim validate --driven res
    completes '=nvidia-h100 nvidia-h100-programs nvidia-h100-residency nvidia-h200 nvidia-h200-host nvidia-h200-programs nvidia-h200-residency' dcsim validate --driven results.db --profile nv
    completes 'policy.name= cluster.devices= workload.trem[0].load= seed=' dcsim run x --set ''
    completes '=policy.name=' dcsim run x --set policy.n
    completes '=mps-even mps-priority' dcsim run x --set "${equals[@]/NAME/policy.name}" mps
    completes '=whole spatial cpu divisible sm' dcsim run x --set "${equals[@]/NAME/sharing.model}" ''
    completes '=hyperexponential' dcsim run x --set "${equals[@]/NAME/workload.services[0].arrivals.process}" hyp
    completes '=true false' dcsim --set "${equals[@]/NAME/outputs.jobs}" ''
    completes 'list check all cpu export merge' dcsim-calibrate ''
    completes '=export' dcsim-calibrate ex
    completes '=--minutes' dcsim-calibrate cpu --min
    completes '=--default-size-only' dcsim-calibrate all --def
    completes '=--no-fit' dcsim-calibrate all --no-
    completes '=check' dcsim-calibrate cpu ''
    completes '=regex' dcsim-calibrate cpu --app reg
    completes '=results.db' dcsim-calibrate merge res
    completes '=' dcsim-calibrate cpu --minutes ''
    completes '=nvidia-h100 nvidia-h100-programs nvidia-h100-residency nvidia-h200 nvidia-h200-host nvidia-h200-programs nvidia-h200-residency' dcsim --set "${equals[@]/NAME/profile}" nv
}
# bash breaks a word at "=", zsh does not.
equals=(NAME '=')
try bash
if command -v zsh >/dev/null; then
    zsh_words() {
        local line=("$@")
        if [[ ${line[-2]} == '=' ]]; then line=("${line[@]:0:$#-3}" "${line[-3]}=${line[-1]}"); fi
        zsh -f "$SOURCE_DIR/tests/e2e/completion.zsh" "$SOURCE_DIR/completion/_dcsim" "${line[@]}" | sort >found
    }
    try zsh
else
    echo "zsh is missing: its part is skipped"
fi
finish
