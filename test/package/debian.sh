#!/bin/bash
# debian.sh BUILD README DECODER: the Debian packages of the build install into an empty root, serve the example of the
# README, and are removed without a trace; the archive runs in another folder.
set -euo pipefail
build=$1 readme=$2 decoder=$3
if [ "$(id -u)" -ne 0 ] || ! command -v dpkg-deb dpkg-shlibdeps >/dev/null; then
    echo "dpkg and the rights of root are needed"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
complain() {
    echo "$*" >&2
    exit 1
}

make_packages() {
    cpack --config "$build/CPackConfig.cmake" -B "$work/packages" -G "$1" >"$work/cpack.log" 2>&1 ||
        complain "$(cat "$work/cpack.log")"
}

# record_example PREFIX FLAG...: builds the model of the README with the flags, and compares its transactions.
record_example() {
    local prefix=$1
    shift
    # shellcheck disable=SC2016 # a fence of Markdown
    sed -n '/^```cpp/,/^```/p' "$readme" | sed '/^```/d' >"$work/model.cpp"
    "${CXX:-g++}" -std=c++17 "$work/model.cpp" -o "$work/model" "$@"
    rm -f "$work/run.ftr"
    LD_LIBRARY_PATH=$prefix/lib FTR_TRACE=$work/run.ftr "$work/model" >/dev/null 2>&1
    "$decoder" check "$work/run.ftr"
    "$prefix/bin/ftr" dump "$work/run.ftr" >"$work/dumped"
    sed -n '/^    \$ ftr dump run.ftr/,/^$/p' "$readme" | sed '1d; /^$/d; s/^    //' >"$work/expected"
    [ -s "$work/expected" ]
    diff "$work/expected" "$work/dumped"
    if [ -e "$build/libexec/ftr/ftr-sql" ]; then
        [ "$("$prefix/bin/ftr" sql --csv --no-header "$work/run.ftr" 'SELECT count(*) FROM tx')" = 6 ] ||
            complain "ftr sql does not run"
    fi
}

# attach_model PREFIX: records the calls of a prototype that was built without ftr.
attach_model() {
    "$1/bin/ftr" attach --strict -o "$work/attached.ftr" -- "$build/bin/riscv_platform" >/dev/null
    "$decoder" check "$work/attached.ftr"
}

# ---- Debian packages ------------------------------------------------------------------------------------------------

make_packages DEB
root=$work/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
: >"$root/var/lib/dpkg/status"
# The scripts of the packages call ldconfig, which the empty root does not have.
in_root() {
    dpkg --root="$root" --log="$work/dpkg.log" --force-depends --force-script-chrootless "$@" >"$work/dpkg.out" 2>&1 ||
        complain "$(cat "$work/dpkg.out")"
}
in_root --install "$work"/packages/*.deb
for package in libftr libftr-dev ftr-tools ftr-attach; do
    [ "$(dpkg-query --admindir="$root/var/lib/dpkg" --show --showformat='${db:Status-Status}' $package)" = installed ] ||
        complain "$package is not installed"
done

# The packages depend on each other in the same version, and on the libraries that their programs load. grep reads the
# whole output: with -q it would end early, and pipefail would report the program that writes.
for package in libftr-dev ftr-tools ftr-attach; do
    dpkg-deb --field "$work/packages/$package"_*.deb Depends | grep 'libftr (= \|ftr-tools (= ' >/dev/null ||
        complain "$package does not depend on the others"
done
dpkg-deb --field "$work"/packages/libftr-dev_*.deb Depends | grep 'libsystemc-dev' >/dev/null ||
    complain "the headers of libftr-dev include those of SystemC, on which it does not depend"
dpkg-deb --field "$work"/packages/ftr-tools_*.deb Depends | grep 'liblz4-1' >/dev/null || complain "no dependencies of programs"
if [ -e "$build/libexec/ftr/ftr-sql" ]; then
    dpkg-deb --field "$work"/packages/ftr-tools_*.deb Depends | grep 'libsqlite3-0' >/dev/null ||
        complain "ftr-tools does not depend on the library of ftr sql"
fi

PKG_CONFIG_PATH=$root/usr/lib/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # The flags are words.
record_example "$root/usr" $(pkg-config --cflags --libs ftr-systemc)
attach_model "$root/usr"
# A plug-in for the user's own kernel.
: >"$root/usr/lib/ftr_attach-9.9.9-cxx201703.so"
in_root --purge ftr-attach ftr-tools libftr-dev libftr
left=$(find "$root" -mindepth 1 -not -path "$root/var/lib/dpkg*" -not -path "$root/var" -not -path "$root/var/lib")
[ -z "$left" ] || complain "after the removal: $left"

# ---- the archive ----------------------------------------------------------------------------------------------------

make_packages TGZ
mkdir -p "$work/tools/ftr"
tar -xf "$work"/packages/ftr-*.tar.gz -C "$work/tools/ftr"
mv "$work"/tools/ftr/ftr-* "$work/tools/ftr/moved"
prefix=$work/tools/ftr/moved
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
# shellcheck disable=SC2046 # The flags are words.
record_example "$prefix" $(pkg-config --cflags --libs ftr-systemc)
attach_model "$prefix"
# Without LD_LIBRARY_PATH, libftr_systemc.so finds libftr.so beside itself; no other folder is searched.
ldd "$prefix/lib/libftr_systemc.so" | grep "libftr.so.* => $prefix/lib/libftr.so" >/dev/null ||
    complain "libftr.so is not found"
find "$prefix" -type f \( -name '*.so*' -o -path '*/bin/*' \) | while read -r file; do
    searched=$(readelf -d "$file" 2>/dev/null | sed -n 's/.*R\(UN\)\?PATH.*\[\(.*\)\]/\2/p')
    # shellcheck disable=SC2016 # the dynamic linker's word
    [ -z "$searched" ] || [ "$searched" = '$ORIGIN' ] || complain "$file searches $searched"
done

# The versions that the README states are those that the files need.
for library in GLIBC GLIBCXX; do
    needed=$(find "$prefix" -type f \( -name '*.so*' -o -path '*/bin/*' \) -exec objdump -T {} + 2>/dev/null |
        grep -oE "\b${library}_[0-9.]+" | sort -uV | tail -n 1)
    echo "needs $needed"
    stated=$(grep -oE "\b${library}_[0-9.]+" "$readme" | head -n 1)
    [ "$(printf '%s\n' "$needed" "$stated" | sort -V | tail -n 1)" = "$stated" ] ||
        complain "README.md states $stated, but the files need $needed"
done
