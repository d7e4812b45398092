#!/bin/sh
# Makes the traced program whose dumps fuzz_trace_buffer reads: make_traced_program.sh CC FTR_LD SOURCES OUTPUT
set -eu
cc=$1 ftr_ld=$2 sources=$3 output=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/t.ini" <<'INI'
[tracer]
name = buffer
include = rtld-trace-buffer.ini
options = all
defines = size
trace = shape_flags, shape_color, shape_move, control_factorial, control_recurse
traces = with
[with]
generator = trace-buffer-generator
[all]
gen-enables = global-on
gen-triggers = global-on
[size]
define = "#define RTLD_TRACE_BUFFER_SIZE 1320"
INI
objects=
for source in buffer_main shapes control control_deeper; do
    "$cc" -g -I "$sources" -c "$sources/$source.c" -o "$folder/$source.o"
    objects="$objects $folder/$source.o"
done
# shellcheck disable=SC2086
"$ftr_ld" -C "$folder/t.ini" -- -o "$output" $objects
