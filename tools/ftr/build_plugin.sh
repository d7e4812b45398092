#!/bin/bash
# Builds the plug-in of `ftr attach` for a SystemC kernel, from the installed sources.
#
#     build-plugin.sh FTR [OPTION...]
#
# `ftr build-plugin` calls this script; the options are in the help text of this command
# (tools/ftr/installed_program.c). The plug-in is compiled for the C++ standard of the kernel's library. For an earlier
# standard than C++17, it is compiled as C++17 with SystemC's interface for that earlier standard.
set -euo pipefail

# Folders of the installation, relative to its prefix. The build replaces the names between the @ signs.
libdir=@CMAKE_INSTALL_LIBDIR@
includedir=@CMAKE_INSTALL_INCLUDEDIR@
datadir=@CMAKE_INSTALL_DATADIR@

ftr=$1
shift
prefix=$(dirname "$(dirname "$ftr")")
sources=$prefix/$datadir/ftr/plugin

# plain TEXT...: prints a line in which control characters, and characters that change the direction of text, are `?`.
plain() {
    printf '%s\n' "$*" | LC_ALL=C sed \
        's/[\x01-\x1f\x7f]\|\xc2[\x80-\x9f]\|\xd8\x9c\|\xe2\x80[\x8e\x8f\xa8-\xae]\|\xe2\x81[\xa6-\xa9]/?/g'
}

fail() {
    plain "ftr: build-plugin: $*" >&2
    exit 2
}

systemc=${SYSTEMC_HOME-} output="" archive="" cxx=${CXX:-c++} jobs=$(nproc)
while [ $# -gt 0 ]; do
    if [[ " -o --output --systemc --cxx --jobs " == *" $1 "* ]]; then
        [ $# -gt 1 ] || fail "option '$1' needs a value"
        set -- "$1=$2" "${@:3}"
    fi
    case $1 in
    --systemc=*) systemc=${1#*=} ;;
    -o=* | --output=*) output=${1#*=} ;;
    --archive) archive=yes ;;
    --cxx=*) cxx=${1#*=} ;;
    --jobs=*) jobs=${1#*=} ;;
    *) fail "unknown option '$1'; 'ftr help build-plugin' lists the options" ;;
    esac
    shift
done
[[ $jobs =~ ^[1-9][0-9]{0,3}$ ]] || fail "--jobs: '$jobs' is not a number from 1 to 9999"
[ -n "$systemc" ] || fail "no SystemC: --systemc DIR is missing, and SYSTEMC_HOME is not set"
[ -d "$sources" ] || fail "the sources of the plug-in are not installed: $sources does not exist"
[ -r "$prefix/$libdir/libftr.a" ] || fail "$prefix/$libdir/libftr.a is not installed"
command -v "$cxx" >/dev/null || fail "the compiler '$cxx' is not found; choose one with --cxx or CXX"

# ---- the kernel -----------------------------------------------------------------------------------------------------

header=$systemc/include/sysc/kernel/sc_ver.h
[ -r "$header" ] || fail "'$systemc' is not an installation of SystemC: $header does not exist"
library=""
for folder in lib lib64 lib-linux64 lib-linuxaarch64 lib-linux "lib/$(uname -m)-linux-gnu"; do
    for name in libsystemc.so libsystemc.a; do
        [ -n "$library" ] || [ ! -r "$systemc/$folder/$name" ] || library=$systemc/$folder/$name
    done
done
[ -n "$library" ] || fail "'$systemc' has no libsystemc.so or libsystemc.a in lib, lib64 or lib-linux64"

# The kernel has a class that is named after its version and its C++ standard.
class=$(grep --text --only-matching --extended-regexp --max-count=1 'sc_api_version_[0-9_]+cxx[0-9]+L' "$library") ||
    fail "$library is not a SystemC library: it has no sc_api_version"
class=${class%%$'\n'*}
standard=${class##*cxx}
standard=${standard%L}
number() { sed -n "s/^#define SC_VERSION_$1 *\([0-9]*\).*/\1/p" "$header"; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)
[[ $class == "sc_api_version_${version//./_}_cxx"* ]] ||
    fail "$header is of SystemC $version, but $library is of another version ($class)"

options=()
if [ "$standard" -lt 201703 ]; then
    options=(-std=c++17 "-DSC_CPLUSPLUS=${standard}L")
elif [ "$standard" -lt 201704 ]; then
    options=(-std=c++17)
elif [ "$standard" -le 202002 ]; then
    options=(-std=c++20)
else
    options=(-std=c++2b)
fi

# ---- the destination ------------------------------------------------------------------------------------------------

name=ftr_attach-$version-cxx$standard
if [ -z "$output" ]; then
    output=$prefix/$libdir
    if [ ! -w "$output" ]; then
        [ -n "${XDG_DATA_HOME-}${HOME-}" ] || fail "$output cannot be written, and HOME is not set; use --output DIR"
        ftr_version=$("$ftr" --version)
        output=${XDG_DATA_HOME:-$HOME/.local/share}/ftr/${ftr_version#ftr }
    fi
fi
mkdir -p "$output" || fail "'$output' cannot be created"
[ -w "$output" ] || fail "'$output' cannot be written"

# ---- the build ------------------------------------------------------------------------------------------------------

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
plain "SystemC $version for C++ standard $standard: $library"
plain "compiling with $cxx ${options[*]}"
# Vectorised copies of small structures cost more instructions than they save.
# shellcheck disable=SC2206 # CXXFLAGS is a list of words.
compile=("$cxx" "${options[@]}" -O2 -fno-tree-slp-vectorize -Wfatal-errors -DNDEBUG -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -pthread
    -DSC_DISABLE_API_VERSION_CHECK "-I$sources" "-I$sources/protocol" "-I$sources/attach"
    "-I$prefix/$includedir" "-I$systemc/include" ${CXXFLAGS-})
# compile SOURCE...: compiles one source, unless the compilation of another source has failed before. For the first
# source that fails, prints the messages of the compiler. The exit status after an error is 1: after the exit status
# 255, xargs would not wait for the other compilations.
cat >"$work/compile" <<'END'
work=$1 source=${@: -1}
name=$(basename "$source" .cpp)
[ ! -e "$work/failed" ] || exit 1
if "${@:2:$#-2}" -c "$source" -o "$work/$name.o" 2>"$work/$name.messages"; then
    cat "$work/$name.messages" >&2
else
    if mkdir "$work/failed" 2>/dev/null; then
        cat "$work/$name.messages" >&2
        echo "$source" >"$work/failed/source"
    fi
    exit 1
fi
END
if ! find "$sources" -name '*.cpp' -print0 | sort --zero-terminated |
    xargs --null --max-args=1 --max-procs="$jobs" sh -c 'exec bash "$@" 2>&3' xargs "$work/compile" "$work" \
        "${compile[@]}" 3>&2 2>"$work/xargs"; then
    [ -e "$work/failed/source" ] || cat "$work/xargs" >&2
    source=$(cat "$work/failed/source" 2>/dev/null) || source="the plug-in"
    fail "$source cannot be compiled with $cxx for SystemC $version in '$systemc'; this ftr supports SystemC 2.3.2 to" \
        "3.0.2. Another compiler can be chosen with --cxx or CXX, further options of the compiler with CXXFLAGS"
fi

lz4=-llz4
echo 'int main() {}' >"$work/empty.cpp"
"$cxx" "$work/empty.cpp" -o "$work/empty" $lz4 2>/dev/null || lz4=-l:liblz4.so.1 # without the headers of LZ4
# shellcheck disable=SC2086 # as above
"$cxx" ${CXXFLAGS-} -shared -o "$work/$name.so" "$work"/*.o "-Wl,--version-script=$sources/attach/plugin_exports.map" \
    -Wl,-z,nodelete -Wl,-z,lazy "$prefix/$libdir/libftr.a" $lz4 -pthread || fail "the plug-in cannot be linked"

# put FILE: replaces the installed file in one step, because a prototype may have loaded this file.
put() {
    local temporary=$output/.$1.$$
    if ! cp "$work/$1" "$temporary" || ! mv -f "$temporary" "$output/$1"; then
        rm -f "$temporary"
        fail "'$output/$1' cannot be written"
    fi
    echo "$output/$1"
}
put "$name.so"
if [ -n "$archive" ]; then
    ar rcs "$work/lib$name.a" "$work"/*.o || fail "the archive cannot be written"
    put "lib$name.a"
fi
