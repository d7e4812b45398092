#!/bin/sh
# include_by_path.sh SOURCE_DIR: private headers are included by name without path, so that a room's
# include paths determine its dependencies; public headers are included as <ftr/...>.
set -eu
cd "$1"
set --
for room in include base cbor lz4wrap reader figures recorder exchange tools sc_adapter; do
    set -- "$@" $room
done

if grep -rnE '^ *# *include +("[^"]*/|<\.)' --include='*.[ch]' --include='*.[ch]pp' "$@"; then
    exit 1
fi
bare=$(grep -rhE '^ *# *include +"[a-z0-9_]+\.h' "$@" | wc -l)
echo "$bare headers included by bare name in: $*"
[ "$bare" -gt 0 ]
