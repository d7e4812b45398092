# shellcheck shell=bash
# The model of README.md, linked to the installed libraries; a trace for the socket.
# shellcheck disable=SC2046 # lists of options
cc -o make_traces "$HERE/make_traces.c" $(pkg-config --cflags --libs ftr)
./make_traces run.ftr
cp "$BUILD/bin/pipelined_bus" model
