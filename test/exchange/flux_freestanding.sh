#!/bin/sh
# flux_freestanding.sh COMPILER NM SOURCE_DIR OUT_DIR: the flux emitter compiles for a small target
# without a C library, and needs only functions that the compiler itself calls.
set -eu
compiler=$1 nm=$2 source=$3 out=$4
mkdir -p "$out"
for unit in flux_buffer flux_definitions flux_samples; do
    "$compiler" -mcpu=cortex-m3 -mthumb -std=c11 -Os -ffreestanding -nostdinc \
        -isystem "$("$compiler" -print-file-name=include)" -I"$source/include" -Wall -Wextra -Werror \
        -c "$source/exchange/flux/$unit.c" -o "$out/$unit.o"
done
needed=$("$nm" -u "$out"/*.o | sed -n 's/^ *U //p' | sort -u |
    grep -vE '^(ftr_flux_|__aeabi_|memcpy$|memset$)' || true)
if [ -n "$needed" ]; then
    echo "the emitter needs: $needed"
    exit 1
fi
"$nm" -g --defined-only "$out"/*.o | grep -q ' T ftr_flux_put_struct$'
