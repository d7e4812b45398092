# shellcheck shell=sh
# Sourced. check_recorded_file FILE: the file keeps every rule, and contains the transaction of the
# separate project's programs.
check_recorded_file() {
    decoder=$(dirname "$0")/../support/ftr_decode.py
    "$decoder" check --werror "$1"
    "$decoder" json "$1" | grep -q '"address"' || {
        echo "$1 does not hold the transaction" >&2
        exit 1
    }
}
