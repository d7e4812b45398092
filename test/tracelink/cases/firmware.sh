# The example of the documentation.
$CC $CFLAGS -g -c "$SOURCE"/tracelink/example/{bus,firmware,heap,scheduler,task_state,uart_driver}.c
$FTR_LD -C "$SOURCE/tracelink/example/firmware.ini" -- -o firmware *.o
FTR_TRACE=firmware.ftr ./firmware && $CALLS firmware.ftr
