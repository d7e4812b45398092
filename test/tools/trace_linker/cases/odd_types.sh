# Complex numbers, vectors, bit fields and packed structs: the function and the trace get the
# correct values.
cp "$PROGRAMS"/odd_types* .
$CC $CFLAGS -w -Wno-psabi -g -O1 -c odd_types.c odd_types_main.c
printf '[tracer]\nname = odd\ninclude = ftr.ini\ntrace = odd_*\n' >t.ini
$CC $CFLAGS -o plain odd_types.o odd_types_main.o && ./plain
$FTR_LD -f '-w -Wno-psabi' -C t.ini -- -o odd odd_types.o odd_types_main.o
FTR_TRACE=t.ftr ./odd && $CALLS t.ftr
echo "-- by the debug information of an older version"
$CC $CFLAGS -w -Wno-psabi -gdwarf-4 -gstrict-dwarf -O1 -c odd_types.c odd_types_main.c
$FTR_LD -f '-w -Wno-psabi' -C t.ini -- -o odd odd_types.o odd_types_main.o
FTR_TRACE=t4.ftr ./odd | cmp - <(./plain) && $CALLS t4.ftr | diff <($CALLS t.ftr) -
echo "-- named"
sed -i 's/trace = .*/trace = odd_wide/' t.ini
$FTR_LD -f '-w -Wno-psabi' -C t.ini -- -o odd odd_types.o odd_types_main.o 2>errors
echo $?
grep '^error: t.ini' errors >&2
