#!/bin/sh
# version_once.sh SOURCE_DIR VERSION: the version is defined in the root CMakeLists.txt and nowhere
# else; CHANGELOG.md names every version.
set -eu
cd "$1"
version=$(printf '%s' "$2" | sed 's/\./\\./g')
found=$(grep -rnE "(^|[^0-9.])$version($|[^0-9.])" . --exclude-dir=build --exclude-dir=.git --exclude-dir=.cache --exclude=CHANGELOG.md)
echo "$found"
[ "$(echo "$found" | wc -l)" -eq 1 ]
echo "$found" | grep -q '^\./CMakeLists.txt:[0-9]*:project('
