# shellcheck shell=bash
# A run, two runs that differ, and a night of three runs with rules.
# shellcheck disable=SC2046 # a list of options
cc -o make_traces "$HERE/make_traces.c" $(pkg-config --cflags --libs ftr)
mkdir tonight
./make_traces run.ftr golden.ftr tonight.ftr tonight/boot.ftr tonight/dma.ftr tonight/irq.ftr
echo 'top.dma.*  p99 <= 14 ns' >rules.txt
ftr summary golden.ftr -o earlier.fts
ftr history add nights.fth earlier.fts
after()
{
    grep -q 'id="manifest"' run.html && grep -q '"kind":' night.html && grep -q '"kind":' diff.html
}
