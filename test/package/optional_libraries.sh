#!/bin/sh
# optional_libraries.sh CMAKE MODULES: an optional library that is installed is found, and is not found with
# -DFTR_OPTIONAL_LIBRARIES=OFF, also in a folder that was configured before. liblz4 is the library here, because the
# tests of ftr require it.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.20)
project(probe LANGUAGES C)
find_package(PkgConfig REQUIRED)
include($2/ftr_optional_libraries.cmake)
ftr_find_optional(PROBE liblz4)
message(STATUS "found: \${PROBE_FOUND}")
END
expect() {
    "$1" -S "$work" -B "$work/build" "$2" >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
    grep -qx -- "-- found: $3" "$work/log" || { echo "$2, but not: found: $3" && cat "$work/log" && exit 1; }
}
expect "$1" -DFTR_OPTIONAL_LIBRARIES=ON 1
expect "$1" -DFTR_OPTIONAL_LIBRARIES=OFF FALSE
expect "$1" -DFTR_OPTIONAL_LIBRARIES=ON 1
