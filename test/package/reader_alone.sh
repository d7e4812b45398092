#!/bin/sh
# reader_alone.sh CC INCLUDE: reader.h and parser.h compile alone and declare no function of the recorder.
set -eu
for header in reader parser; do
    declared=$(printf '#include <ftr/%s.h>\n' "$header" | "$1" -std=c11 -I"$2" -E -P -x c -)
    echo "$declared" | grep -q "ftr_$header" || {
        echo "$header.h declares nothing" >&2
        exit 1
    }
    found=$(echo "$declared" | grep -oE '\bftr_(recorder|tx|stream_define|generator_define|relation_put)\w*' | sort -u)
    [ -z "$found" ] || {
        echo "$header.h declares of the recorder: $found" >&2
        exit 1
    }
done
