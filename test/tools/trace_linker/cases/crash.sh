# A traced program that crashes does not lose its calls: the journal contains them, including open
# ones.
cat >lib.c <<'C'
int leaf(int a);
int crash(int a) { return leaf(a) + (a > 2 ? *(volatile int *)0 : 0); }
C
echo 'int leaf(int a) { return a; }' >leaf.c
echo 'int crash(int a); int main(void) { for (int i = 0; i < 9; i++) crash(i); }' >main.c
printf '[tracer]\nname = crash\ninclude = ftr.ini\ntrace = crash, leaf\n' >t.ini
$CC -g -c lib.c leaf.c main.c
$FTR_LD -C t.ini -- -o main main.o lib.o leaf.o
bash -c 'FTR_TRACE=t.ftr ./main; :' 2>/dev/null
$FTR recover --quiet -o saved.ftr t.ftr && $CALLS saved.ftr
