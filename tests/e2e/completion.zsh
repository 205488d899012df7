# completion.zsh _DCSIM WORD...: what zsh would be given for the last word, a line each.
compset() { : }
compadd() {
    while [[ $1 != -- ]]; do shift; done
    print -rl -- "${@:2}"
}
fpath=(${1:h})
autoload -U _dcsim
words=("${@:2}") CURRENT=$(($# - 1))
_dcsim
