# shellcheck shell=bash
# Two nights of three runs; tonight's DMA engine is slower.
# shellcheck disable=SC2046 # a list of options
cc -o make_traces "$HERE/make_traces.c" $(pkg-config --cflags --libs ftr)
mkdir last tonight
./make_traces last/boot.ftr last/dma.ftr last/irq.ftr tonight/boot.ftr tonight/dma.ftr tonight/irq.ftr
ftr summary last/*.ftr -o last.fts
cp block.text.2 rules.txt
# an instrumented prototype
printf '#!/bin/sh\nexec "%s" 17\n' "$BUILD/bin/night_prototype" >vp
chmod +x vp
