# Completion of dcsim and dcsim-calibrate for bash. The programs themselves are asked which commands, options, keys,
# policies, profiles, measurements and formats of traces there are, so that nothing is listed here.

# "Usage: dcsim trace lint ..." and the lines below it: the words that stand behind "dcsim WORD...".
_dcsim_words() { # _dcsim_words DCSIM WORD...
    local dcsim=$1
    shift
    "$dcsim" help "$@" 2>/dev/null | sed -nE "s/^(Usage:|      ) dcsim ${*:+$* }([a-z][a-z-]*)( .*)?\$/\2/p" | sort -u
}

# Of the program without a command the first lines are about the commands.
_dcsim_options() { # _dcsim_options DCSIM WORD...
    local dcsim=$1
    shift
    "$dcsim" help "$@" 2>/dev/null | if [[ ${1:-run} == run ]]; then sed -n '/^  --/,$p'; else cat; fi |
        grep -oE -- '--[a-z][a-z-]+' | sort -u
}

# Of rows "| `cluster.router` | choice | `"random"` | `"round_robin"`, `"random"` | ..." of the reference.
# shellcheck disable=SC2016
_dcsim_keys() { echo policy.name= && "$1" --list params | cut -d '|' -f 2 | sed -n 's/\[\]/[0]/g; s/^ `//; s/` $/=/p' | sort -u; }
_dcsim_choices() { # _dcsim_choices DCSIM KEY
    case $2 in
    policy.name) "$1" --list policies | sed -nE 's/^([a-z][^ ]*) .*/\1/p' ;;
    profile | *.profile) "$1" --list profiles ;;
    *) "$1" --list params | awk -F '|' -v key=" \`${2//\[[0-9]*\]/[]}\` " '$2 == key {
            if ($3 ~ /boolean/) print "true false"
            else if ($5 ~ /"/) { gsub(/[`",]/, " ", $5); print $5 } }' ;;
    esac
}

_dcsim_files() { # _dcsim_files SUFFIX
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$word"; compgen -f -X "!*.$1" -- "$word")
}
_dcsim_take() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }

_dcsim_argument() {
    case "${line[*]:1:2}" in
    run* | capacity*) _dcsim_files json ;;
    check-policy*) _dcsim_files so ;;
    compare* | explain* | export* | merge* | report* | 'trace fit') _dcsim_files db ;;
    'profile show' | 'profile lint' | 'profile diff' | train* | validate*)
        _dcsim_take "$("$dcsim" --list profiles)"
        _dcsim_files db
        ;;
    'profile build') _dcsim_files sql ;;
    'trace import' | 'trace lint') ((${#line[@]} == 3)) && _dcsim_take "$("$dcsim" trace formats | sed -nE 's/^([a-z][^ ]*) .*/\1/p')" ;;
    esac
}

_dcsim() {
    local words=("${COMP_WORDS[@]:0:COMP_CWORD}") word=${COMP_WORDS[COMP_CWORD]} dcsim=${COMP_WORDS[0]} w
    local line=() before # line: the command's words so far, without options
    COMPREPLY=()
    for w in "${words[@]}"; do [[ $w == [-=]* ]] || line+=("$w"); done
    # bash breaks "--set policy.name=os" at "=".
    if [[ $word == '=' ]]; then words+=('=') word=''; fi
    before=${words[-1]}
    case $before in
    =) _dcsim_take "$(_dcsim_choices "$dcsim" "${words[-2]}")" ;;
    --set | --vary | --key)
        _dcsim_take "$(_dcsim_keys "$dcsim")"
        [[ $before == --key ]] && COMPREPLY=("${COMPREPLY[@]%=}")
        compopt -o nospace 2>/dev/null
        ;;
    --list) _dcsim_take 'policies profiles params schema applications' ;;
    --half) _dcsim_take 'dev test test2 test3' ;;
    --config) _dcsim_files json ;;
    --policy) _dcsim_files so ;;
    --profile) _dcsim_take "$("$dcsim" --list profiles)" && _dcsim_files db ;;
    --drive)
        _dcsim_take dcsim-calibrate
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
        ;;
    --output | -o | --timeline | --csv) _dcsim_files '*' ;;
    --seed | --jobs | --shard | --request) ;;
    *)
        if [[ $word == -* ]]; then
            _dcsim_take "$(_dcsim_options "$dcsim" "${line[@]:1:2}")"
        elif ((${#line[@]} == 1)); then
            _dcsim_take "$(_dcsim_words "$dcsim")"
        elif [[ ${line[1]} == help ]]; then
            _dcsim_take "$(_dcsim_words "$dcsim" "${line[@]:2}")"
        else
            ((${#line[@]} == 2)) && _dcsim_take "$(_dcsim_words "$dcsim" "${line[1]}")"
            ((${#COMPREPLY[@]} > 0)) || _dcsim_argument
        fi
        ;;
    esac
}
complete -F _dcsim dcsim

# Names at the left of what `list` prints under headings. The measurements of CPUs are no commands.
_dcsim_calibrate_names() { # _dcsim_calibrate_names PROGRAM REGEX
    "$1" list 2>/dev/null | awk -v heading="$2" '/^[A-Z]/ { on = $0 ~ heading } on && /^[a-z]/ { print $1 }'
}
_dcsim_calibrate_commands() {
    "$1" --help | sed -nE 's/^(Usage:|      ) dcsim-calibrate ([a-z]+).*/\2/p'
    _dcsim_calibrate_names "$1" '^Measurements$'
}

_dcsim_calibrate() {
    local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]}
    COMPREPLY=()
    case ${COMP_WORDS[COMP_CWORD - 1]} in
    --app | --from) _dcsim_take "$(_dcsim_calibrate_names "$program" '^Applications|^Programs')" ;;
    --only) _dcsim_take "$(_dcsim_calibrate_names "$program" '^Measurements$')" ;;
    --output) _dcsim_files db ;;
    --name | --minutes | --seed | --cores | --seconds | --device | --clock-floor | --patience) ;;
    *)
        if [[ $word == -* ]]; then
            _dcsim_take "$("$program" --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)"
        elif ((COMP_CWORD == 1)); then
            _dcsim_take "$(_dcsim_calibrate_commands "$program")"
        elif [[ ${COMP_WORDS[1]} == cpu ]]; then
            _dcsim_take check
        elif [[ ${COMP_WORDS[1]} == export || ${COMP_WORDS[1]} == merge ]]; then
            _dcsim_files db
        fi
        ;;
    esac
}
complete -F _dcsim_calibrate dcsim-calibrate
