#!/bin/sh
# outside_cmake.sh PROGRAM ROOT LIBDIR VERSION: the separate project finds the package installed in
# ROOT with find_package, and its programs, shared and static, record.
set -eu
here=$(dirname "$0")
# shellcheck source=test/package/recorded_file.sh
. "$here/recorded_file.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake -S "$here/outside" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DPROGRAM="$1" -DVERSION="$4" \
    -DCMAKE_PREFIX_PATH="$2" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
cmake --build "$work/build"
for program in "$1" "$1_static"; do
    "$work/build/$program" "$work/$program.ftr" "$4"
    check_recorded_file "$work/$program.ftr"
done
