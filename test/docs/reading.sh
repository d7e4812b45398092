# shellcheck shell=bash
# Traces with the streams in the page's commands; one of them torn.
# shellcheck disable=SC2046 # a list of options
cc -o make_traces "$HERE/make_traces.c" $(pkg-config --cflags --libs ftr)
./make_traces run.ftr golden.ftr tonight.ftr a.ftr b.ftr platform.ftr
head -c 20000 run.ftr >torn.ftr
