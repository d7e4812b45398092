# Every kind of argument and result, and the resulting attribute; errno and results are not changed.
$CC $CFLAGS -g -c "$PROGRAMS"/shapes*.c
cat >t.ini <<'INI'
[tracer]
name = arguments
include = ftr.ini
trace = shape_*
INI
$FTR_LD -C t.ini -- -o shapes shapes.o shapes_main.o
FTR_TRACE=t.ftr ./shapes && $CALLS t.ftr
./shapes # and without a recorder
