# Output of the command line options; exit statuses as in the original.
$FTR_LD --help | head -2; echo "help ${PIPESTATUS[0]}"
$FTR_LD -V | sed "s, [0-9.]*$, VERSION,"; echo "version ${PIPESTATUS[0]}"
$FTR_LD --bad >/dev/null 2>&1; echo "bad option $?"
$FTR_LD main.o; echo "no -- $?"
$FTR_LD -C none.ini -- main.o; echo "no configuration $?"
$FTR_LD -- main.o; echo "no --config $?"
echo '[tracer]' >t.ini
printf 'name = t\ninclude = ftr.ini\ntrace = f\n' >>t.ini
$FTR_LD -C t.ini --; echo "no link command line $?"
$FTR_LD -C t.ini -- none.o; echo "no input $?"
$FTR_LD --list; echo "nothing to list $?"
