#!/bin/sh
# Builds the traced program for the dumps of fuzz_trace_buffer: make_traced_program.sh CC FTR_LD
# SOURCES OUTPUT
set -eu
cc=$1 ftr_ld=$2 sources=$3 output=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
objects=
for source in buffer_main shapes control control_deeper; do
    "$cc" -g -I "$sources" -c "$sources/$source.c" -o "$folder/$source.o"
    objects="$objects $folder/$source.o"
done
# shellcheck disable=SC2086
"$ftr_ld" -C "$sources/buffer.ini" -- -o "$output" $objects
