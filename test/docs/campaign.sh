# shellcheck shell=bash
# Three nights of three runs; tonight's DMA engine is slower.
# shellcheck disable=SC2046 # a list of options
cc -o make_traces "$HERE/make_traces.c" $(pkg-config --cflags --libs ftr)
mkdir before last tonight
./make_traces before/boot.ftr before/dma.ftr before/irq.ftr
./make_traces last/boot.ftr last/dma.ftr last/irq.ftr tonight/boot.ftr tonight/dma.ftr tonight/irq.ftr
ftr summary before/*.ftr -o before.fts
ftr summary last/*.ftr -o last.fts
# The runs do not tell when they began: a history uses the times of the files.
touch -d '2 days ago' before.fts
touch -d '1 day ago' last.fts
cp block.text.2 rules.txt
# an instrumented prototype
printf '#!/bin/sh\nexec "%s" 17\n' "$BUILD/bin/night_prototype" >vp
chmod +x vp
# what the jobs sent to the server
mkdir store
cp last.fts store/node1.fts
printf '* losses == 0\n' >night.rules
printf 'boot\n' >tests.txt
