# Bit fields in a converted trace buffer, by the debug information of three versions: the attributes
# are the values in bit_fields_main.c.
cp "$PROGRAMS"/odd_types.[ch] "$PROGRAMS"/bit_fields_main.c .
cat >buffer.ini <<'END'
[tracer]
name = bits
include = rtld-trace-buffer.ini
options = all
defines = size
traces = with
trace = odd_flags, odd_mixed, odd_with_gap, odd_with_break, odd_gap_and_member, odd_packed_bits, odd_nested
[with]
generator = trace-buffer-generator
[all]
gen-enables = global-on
gen-triggers = global-on
[size]
define = "#define RTLD_TRACE_BUFFER_SIZE 4096"
END
for version in '-gdwarf-5' '-gdwarf-4 -gstrict-dwarf' '-gdwarf-3 -gstrict-dwarf'; do
    echo "-- $version"
    $CC $CFLAGS -w -Wno-psabi $version -O1 -c odd_types.c bit_fields_main.c
    $FTR_LD -f '-w -Wno-psabi' -C buffer.ini -- -o bits odd_types.o bit_fields_main.o
    ./bits bits.dump && $CONVERT bits bits.dump bits.ftr && $CALLS bits.ftr | sed 's/thread_[0-9]*/thread/'
done
