# Functions with their signatures, and reasons why others cannot be wrapped.
$CC $CFLAGS -g -c "$PROGRAMS/shapes.c"
$CC $CFLAGS -c "$PROGRAMS/control.c"
$FTR_LD --list shapes.o control.o
