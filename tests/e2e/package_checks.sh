#!/bin/bash
# What package.sh runs as root on a bare Debian 12, in /tmp: installs /tmp/dcsim.deb with what it depends on, uses it
# as its users do, and removes it.
set -u
cd /tmp || exit 1
failed=0
fail() {
    echo "FAIL: $1"
    failed=1
}
quiet() { "$@" >log 2>&1 || {
    tail -5 log
    fail "$*"
}; }

quiet apt-get update -q
# With what it depends on alone, the program runs.
quiet apt-get install -y -q --no-install-recommends ./dcsim.deb
command -v gcc man gnuplot sqlite3 python3 >/dev/null && fail "the system is not bare"
cmp <(dcsim run /usr/share/dcsim/configs/quickstart.json --set replications=2) expected.txt ||
    fail "quickstart prints something else than where it was built"
cmp <(dcsim --list profiles) profiles.txt || fail "other profiles than where it was built"
while read -r profile; do
    quiet dcsim --list applications --set profile="$profile"
done <profiles.txt
quiet dcsim run /usr/share/dcsim/configs/quickstart.json --quiet --set replications=2 --output results.db
quiet dcsim report results.db -o report.html
quiet dcsim-calibrate --help
[[ -x /usr/share/dcsim/fit/fit_contention.py && -r /usr/share/dcsim/fit/contention_model.py ]] || fail "no fit of contention"
cmp <(dcsim --list schema) /usr/share/dcsim/config.schema.json || fail "the schema is not that of the program"
# Every config that is shipped is understood from where it lies.
while read -r config; do
    quiet dcsim run "$config" --print-config
done < <(find /usr/share/dcsim/configs -name '*.json' ! -path '*/traces/*' ! -name 'replay-*')

# With what its other parts need, so do these.
quiet apt-get install -y -q --no-install-recommends man-db gcc libc6-dev pkg-config bash-completion zsh sqlite3 gnuplot-nox
# shellcheck disable=SC2046
quiet gcc -std=c11 -O2 -fPIC -shared $(pkg-config --cflags dcsim-policy) -o mine.so /usr/share/doc/dcsim/template-policy.c
quiet dcsim check-policy ./mine.so
dcsim run /usr/share/dcsim/configs/quickstart.json --set replications=2 --set policy.name=shortest-first \
    --set 'policy={"name":"shortest-first"}' --policy ./mine.so | grep -q '^quickstart: shortest-first' || fail "the plug-in does not run"
for page in dcsim dcsim-calibrate; do
    man -P cat "$page" 2>/dev/null | grep -q '^SYNOPSIS' || fail "man $page"
done
bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader dcsim; COMP_WORDS=(dcsim --list pro) COMP_CWORD=2
    _dcsim; [[ ${COMPREPLY[*]} == profiles ]]' || fail "bash does not complete"
[[ $(zsh -fc 'autoload -U compinit && compinit -u -D && print ${_comps[dcsim]}') == _dcsim ]] || fail "zsh does not complete"
dcsim run /usr/share/dcsim/configs/trem/fig10.json --quiet --set replications=1 --output fig10.db || fail "fig10"
quiet /usr/share/dcsim/plots/make fig10.db trem-fig10 -o figures
[[ -s figures/trem-fig10.png ]] || fail "no figure"

# It is as it was installed, and nothing is left of it.
quiet dpkg --verify dcsim
[[ -z $(dpkg --verify dcsim) ]] || fail "files of the package have changed"
quiet apt-get purge -y -q dcsim
[[ -z $(find /usr /etc -path '*dcsim*' 2>/dev/null) ]] || fail "left behind: $(find /usr /etc -path '*dcsim*' | head -3)"
exit $failed
