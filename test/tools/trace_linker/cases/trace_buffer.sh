# A linear buffer of the first calls and a ring of the last calls, converted; and invalid dumps.
cp "$PROGRAMS"/*.[ch] "$PROGRAMS"/buffer.ini .
$CC $CFLAGS -g -c buffer_main.c shapes.c control.c control_deeper.c
objects="buffer_main.o shapes.o control.o control_deeper.o"
$FTR_LD -C buffer.ini -- -o once $objects
./once once.dump && $CONVERT once once.dump once.ftr && $CALLS once.ftr | sed 's/thread_[0-9]*/thread/'
./once once.dump 50 && $CONVERT once once.dump once.ftr
tail -c +33 once.dump >bare.dump
$CONVERT once bare.dump once.ftr
sed 's/1320"/1320", "#define RTLD_TRACE_BUFFER_RING 1"/' buffer.ini >ring.ini
$FTR_LD -C ring.ini -- -no-pie -o ring $objects
for rounds in 1 2 3 50 51; do
    ./ring ring.dump $rounds && $CONVERT ring ring.dump ring.ftr && $CALLS ring.ftr | grep shape_flags | tail -1
done
tail -c +33 ring.dump >bare.dump
$CONVERT ring bare.dump ring.ftr
head -c 1000 ring.dump >short.dump
$CONVERT ring short.dump ring.ftr
head -c 400 /dev/zero | tr '\0' '\377' >noise.dump
$CONVERT once noise.dump once.ftr
$CONVERT shapes.o once.dump once.ftr
$CONVERT buffer.ini once.dump once.ftr
strip once && $CONVERT once once.dump once.ftr
echo "-- the command"
$FTR_LD -C buffer.ini -- -o once $objects
./once once.dump
$FTR convert --input-format trace-buffer --program once -o tool.ftr once.dump && $CALLS tool.ftr | grep -c '('
$FTR convert --input-format trace-buffer -o tool.ftr once.dump
convert="$FTR convert --input-format trace-buffer --program once --force"
$convert -o tool.ftr - <once.dump && $CALLS tool.ftr | grep -c '('
cat once.dump | $convert -o tool.ftr - && $CALLS tool.ftr | grep -c '('
echo "-- a damaged buffer: the records before the damage are converted"
cp once.dump damaged.dump
second=$((32 + (($(od -An -tu4 -j32 -N4 once.dump) >> 16 & 0x3fff) + 3) / 4 * 4))
printf '\377\377\377\377' | dd of=damaged.dump bs=1 seek=$second conv=notrunc status=none
$convert -o tool.ftr damaged.dump
echo "status $?"
$CALLS tool.ftr | grep -c '('
head -c 300 once.dump >cut.dump
$convert -o tool.ftr cut.dump
echo "status $?"
$CALLS tool.ftr | grep -c '('
echo "-- nothing is converted"
rm tool.ftr
for dump in noise none; do
    $convert -o tool.ftr $dump.dump
    echo "status $?"
done
ls tool.ftr
$FTR convert --input-format none -o tool.ftr once.dump
