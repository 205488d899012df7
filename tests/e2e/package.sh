#!/bin/bash
# The Debian package, installed on a bare Debian 12 in a folder: what it depends on is named, it is whole without the
# source tree, and it leaves nothing behind. The checks themselves are package_checks.sh, which runs there. Needs
# root, debootstrap and Debian's archive; DCSIM_PACKAGE_REQUIRED=1 makes their lack a failure.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
mirror=${DCSIM_DEBIAN_MIRROR:-http://deb.debian.org/debian}

skip() {
    echo "skipped: $1"
    [[ ${DCSIM_PACKAGE_REQUIRED:-} == 1 ]] && exit 1
    exit 77
}
[[ $(id -u) -eq 0 ]] || skip "making a root needs root"
for tool in debootstrap dpkg-shlibdeps unshare; do
    command -v $tool >/dev/null || skip "$tool is missing"
done

# Kept between runs, as the tests' own build is.
build=$BINARY_DIR/package
rm -f "$build"/dcsim_*.deb
build() {
    cmake -S "$SOURCE_DIR" --preset package -B "$build" && cmake --build "$build" --target package --parallel "$(nproc)"
}
if ! build >build.log 2>&1; then
    tail -20 build.log
    fail "the package cannot be built"
    finish
fi
deb=$(echo "$build"/dcsim_*.deb)
dpkg-deb --info "$deb"
for needed in libc6 libgsl27 libsqlite3-0 zlib1g libnettle8 libsvm3; do
    dpkg-deb --field "$deb" Depends | grep -qw "$needed" || fail "the package does not depend on $needed"
done
dpkg-deb --contents "$deb" | awk '{ print $6 }' >contents
if grep -vE '^\./(usr/(bin|include|lib|share)/|usr/$|$)' contents; then fail "the package has files in such places"; fi
# Debian's rules for pages, changelog and copyright.
for packed in man/man1/dcsim.1 man/man1/dcsim-calibrate.1 doc/dcsim/changelog; do
    grep -qx "./usr/share/$packed.gz" contents || fail "$packed is not compressed"
done
dpkg-deb --fsys-tarfile "$deb" | tar -xO ./usr/share/doc/dcsim/changelog.gz | zcat >changelog
says changelog "^dcsim \\($(dpkg-deb --field "$deb" Version)\\) unstable; urgency=medium$" "Debian's changelog"
# What is left of lintian's errors asks for an address of the maintainers.
if command -v lintian >/dev/null; then
    lintian --allow-root --tag-display-limit 0 "$deb" >lintian.out 2>&1
    if grep '^[EW]:' lintian.out | grep -v 'malformed-contact\|bogus-mail-host'; then fail "lintian finds more than it did"; fi
fi
# What the program was built in is nobody's business, and would be found before what is installed.
dpkg-deb --fsys-tarfile "$deb" | tar -xO ./usr/bin/dcsim >installed
grep -qaF "$SOURCE_DIR/" installed && fail "the program knows where its sources lay"

# DCSIM_BARE_ROOT: a bare root that is there already; it is copied.
if [[ -n ${DCSIM_BARE_ROOT:-} ]]; then
    cp -a "$DCSIM_BARE_ROOT" root
else
    debootstrap --variant=minbase bookworm root "$mirror" >debootstrap.log 2>&1 || {
        tail -3 debootstrap.log
        skip "debootstrap failed"
    }
fi
cp "$deb" root/tmp/dcsim.deb
cp "$SOURCE_DIR/tests/e2e/package_checks.sh" root/tmp/
# A summary that the installed program has to print, to the byte, and the formats of profiles that are shipped.
"$DCSIM" --config "$SOURCE_DIR/configs/quickstart.json" --set replications=2 >root/tmp/expected.txt || fail "no summary to compare with"
"$DCSIM" --list profiles >root/tmp/profiles.txt
cp /etc/resolv.conf root/etc/resolv.conf
# Mounts go with the namespace.
# shellcheck disable=SC2016
unshare --mount --fork bash -c '
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
    exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        bash /tmp/package_checks.sh' - "$work/root" || fail "the checks on the bare system failed"
checks=$((checks + 10))
finish
