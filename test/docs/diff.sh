# shellcheck shell=bash
# Two runs that differ, and two directories of them.
# shellcheck disable=SC2046 # a list of options
cc -o make_traces "$HERE/make_traces.c" $(pkg-config --cflags --libs ftr)
mkdir golden tonight
./make_traces golden.ftr tonight.ftr slower.ftr golden/boot.ftr golden/dma.ftr tonight/dma.ftr golden/irq.ftr
cp golden/boot.ftr tonight/
