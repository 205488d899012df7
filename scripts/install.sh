#!/bin/bash
# Installs what building needs and this machine lacks (Debian, Ubuntu). Arguments: groups, "build" (always),
# "test" (tests and formatting), "full" (everything that .ci/full uses).
set -euo pipefail

packages=(gcc g++ make cmake pkg-config git libgsl-dev libsqlite3-dev zlib1g-dev nettle-dev libsvm-dev)
for group in "$@"; do
    case $group in
    build) ;;
    test) packages+=(libcmocka-dev sqlite3 clang-format python3 python3-numpy python3-jsonschema procps jq) ;;
    full) packages+=(libcmocka-dev sqlite3 jq clang-format clang clang-tidy cppcheck shellcheck valgrind zsh
        mandoc python3 libclang-rt-14-dev munge slurmctld slurmd slurm-client chromium gnuplot-nox
        mkdocs python3-pandas python3-matplotlib debootstrap dpkg-dev file) ;;
    *)
        echo "install.sh: unknown group \"$group\": build, test or full" >&2
        exit 2
        ;;
    esac
done

[[ ${DCSIM_SKIP_INSTALL:-} == 1 ]] && exit 0

if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian or Ubuntu. Install these (Debian's names; docs/install.md has Fedora's):" >&2
    echo "  ${packages[*]}" >&2
    echo "and run the command again with DCSIM_SKIP_INSTALL=1." >&2
    exit 2
fi

missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
        missing+=("$package")
done
((${#missing[@]} == 0)) && exit 0

root=()
if [[ $(id -u) -ne 0 ]]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing: ${missing[*]}. Install them as root, or install sudo." >&2
        exit 2
    fi
    root=(sudo)
fi
echo "Installing: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${root[@]}" apt-get update -q >&2
"${root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
