# shellcheck shell=bash
# A trace from the epoch that the page trims to, and traces of babeltrace's own format.
# shellcheck disable=SC2046 # a list of options
cc -o make_traces "$HERE/make_traces.c" $(pkg-config --cflags --libs ftr)
./make_traces run.ftr
for trace in lttng-trace kernel-trace ust-trace; do
    ftr convert --to ctf -o $trace run.ftr
done
