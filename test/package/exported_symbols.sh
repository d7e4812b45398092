#!/bin/sh
# exported_symbols.sh LIBDIR: the shared libraries there export only symbols with their own prefix,
# and each has a soname. The symbols that libftr uses are bound when it is loaded.
set -eu

libraries=0
wrong=0
complain() {
    echo "$1" >&2
    wrong=1
}

for library in "$1"/lib*.so; do # except the plug-ins, which are loaded by path
    name=$(basename "$library")
    libraries=$((libraries + 1))
    # C: ftr_*. C++: namespace ftr, and the type information and tables of its classes.
    foreign=$(nm --dynamic --defined-only --format=posix "$library" | cut -d ' ' -f 1 |
        grep -Ev '^(ftr_[a-z0-9_]+|_Z(T[VTIS]|GV)?N?K?3ftr.*)$') || true
    # Functions that it intercepts.
    [ "$name" != libftr_attach.so ] || foreign=$(echo "$foreign" |
        grep -Ev '^_ZN7sc_core17sc_report_handler11[sg]et_handlerE') || true
    [ -z "$foreign" ] || complain "$name exports: $foreign"
    nm --dynamic --defined-only "$library" | grep -q ftr || complain "$name exports nothing of ours"
    readelf --dynamic --wide "$library" | grep -q "SONAME.*\[$name" ||
        complain "$name has no soname, or another's"
done

[ -e "$1/libftr.so" ] || complain "libftr.so is not installed"
readelf --dynamic --wide "$1/libftr.so" | grep -q BIND_NOW || complain "libftr.so binds symbols at their first use"
echo "$libraries libraries"
exit $wrong
