#!/bin/sh
# manual_pages.sh DIRECTORY: every manual page is free of warnings, and none is missing. The pages
# intentionally have no date.
set -eu
command -v mandoc >/dev/null || exit 77
wrong=0
for page in "$1"/man*/*; do
    said=$(mandoc -T lint -W warning "$page" | grep -v "missing date" || true)
    [ -z "$said" ] || {
        echo "$said"
        wrong=1
    }
done
for page in man1/ftr.1 man1/ftr-ld.1 man7/ftr-environment.7; do
    [ -s "$1/$page" ] || {
        echo "$page is not installed"
        wrong=1
    }
done
exit $wrong
