#!/bin/sh
# outside_pkg_config.sh PROGRAM ROOT LIBDIR VERSION: the same programs, compiled and linked with the
# installation in ROOT, with flags from pkg-config only.
set -eu
here=$(dirname "$0")
# shellcheck source=test/package/recorded_file.sh
. "$here/recorded_file.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PKG_CONFIG_PATH="$2/$3/pkgconfig"

case $1 in
record)
    package=ftr
    compile="$CC -std=c11 $here/outside/record.c"
    ;;
record_systemc)
    package=ftr-systemc
    compile="$CXX -std=c++17 $here/outside/record_systemc.cpp"
    ;;
esac
version=$(pkg-config --modversion "$package")
[ "$version" = "$4" ] || {
    echo "$package.pc is of version $version" >&2
    exit 1
}

# Flags are lists of words.
# shellcheck disable=SC2046,SC2086
$compile -o "$work/$1" $(pkg-config --cflags --libs "$package")
LD_LIBRARY_PATH="$2/$3" "$work/$1" "$work/shared.ftr" "$4"
check_recorded_file "$work/shared.ftr"

if [ "$package" = ftr ]; then
    # shellcheck disable=SC2046,SC2086
    $compile -static -o "$work/$1_static" $(pkg-config --static --cflags --libs "$package")
    "$work/$1_static" "$work/static.ftr" "$4"
    check_recorded_file "$work/static.ftr"
fi
