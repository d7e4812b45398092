# The example of the documentation.
$CC $CFLAGS -g -c "$SOURCE"/tools/trace_linker/example/{bus,firmware,heap,scheduler,task_state,uart_driver}.c
$FTR_LD -C "$SOURCE/tools/trace_linker/example/firmware.ini" -- -o firmware *.o
FTR_TRACE=firmware.ftr ./firmware && $CALLS firmware.ftr
