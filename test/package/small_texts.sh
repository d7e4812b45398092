#!/bin/sh
# small_texts.sh SOURCE CC INCLUDE OPTION...: compiles the calls of the library, and compiles and runs the program without
# them, unless the processor lacks the instructions of an option.
set -eu
source=$1 cc=$2 include=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compile() {
    "$cc" -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror -fno-sanitize-recover=all -I"$include" "$@" "$source"
}
compile "$@" -DFTR_TEST_CALLS -c -o "$folder/calls.o"
compile "$@" -o "$folder/program"
case "$*" in
*-mavx*) grep -qw avx /proc/cpuinfo || exit 77 ;;
esac
"$folder/program"
