# shellcheck shell=bash
# The example of the page, compiled as on the page; a project with a Makefile that only links with
# CC.
cp "$SOURCE"/tools/trace_linker/example/*.[ch] "$SOURCE/tools/trace_linker/example/firmware.ini" .
cc -g -O1 -fno-inline -c bus.c firmware.c heap.c scheduler.c task_state.c uart_driver.c
cp firmware.ini trace.ini
cat >Makefile <<'MAKE'
objects = bus.o firmware.o heap.o scheduler.o task_state.o uart_driver.o
linked: $(objects)
	$(CC) -o $@ $(objects)
MAKE
after()
{
    FTR_TRACE=linked.ftr ./linked
    for trace in firmware.ftr linked.ftr; do
        "$SOURCE/test/tools/trace_linker/print_calls.py" "$trace" | grep -q 'uart_send(.*text=hello'
    done
}
