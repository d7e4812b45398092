# The driver in a prototype: simulated time, a stream of its process, and its bus transactions.
[ -n "${PROTOTYPE:-}" ] || exit 77
FTR_TRACE=t.ftr $PROTOTYPE 2>/dev/null | grep sent && $CALLS t.ftr
$DECODE json t.ftr | grep -o '"time_scale": -[0-9]*\|"uart_open", "begin": [0-9]*, "end": [0-9]*'
