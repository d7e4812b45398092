#!/bin/sh
# Configures a project outside against a SystemC other than the one that the adapter was built for: the component
# systemc is refused with both versions named, and the C library is still found. Arguments: the installed tree, its
# library folder, version.
set -eu

root=$1
libdir=$2
version=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# All that CMake reads of a kernel: the version in a header, the standard in the library's symbols.
mkdir -p "$work/kernel/include/sysc/kernel" "$work/kernel/lib"
printf '#define SC_VERSION_%s %s\n' MAJOR 2 MINOR 2 PATCH 9 >"$work/kernel/include/sysc/kernel/sc_ver.h"
echo 'sc_api_version_2_2_9_cxx201103L' >"$work/kernel/lib/libsystemc.so"

configure() {
    cmake -S "$here/outside" -B "$work/$1" -DPROGRAM="$1" -DVERSION="$version" -DSYSTEMC_HOME="$work/kernel" \
        -DCMAKE_PREFIX_PATH="$root/$libdir/cmake" >"$work/said" 2>&1
}

configure record || { cat "$work/said"; exit 1; }
if configure record_systemc; then
    echo "the other SystemC was accepted"
    exit 1
fi
said=$(tr -s ' \n' ' ' <"$work/said")
case $said in
*"built for SystemC "[0-9]*"but SystemC 2.2.9 for C++ standard 201103 was found"*) ;;
*)
    echo "$said"
    exit 1
    ;;
esac
