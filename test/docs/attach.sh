# shellcheck shell=bash
# The prototype of the page is an example: as a program, and as the object that the page links
# again. A test prototype has non-blocking accesses.
cp "$BUILD/bin/riscv_platform" vp
mkdir bin
cp vp bin/riscv_platform
cp "$BUILD/bin/prototypes/approximately_timed" bin/
PATH=$PWD/bin:$PATH
# shellcheck disable=SC2086 # a list of objects
ld -r -o vp.o $PROTOTYPE_OBJECTS
printf 'regression:\n\t./vp --its --arguments\n' >Makefile
# The page's compiler finds installations in /usr/local without this.
export LIBRARY_PATH=$ROOT/$LIBDIR
after()
{
    for trace in linked.ftr shared.ftr sound.ftr; do
        "$SOURCE/test/support/ftr_decode.py" check "$trace"
        count=$(ftr dump --stream 'cpu.data' "$trace" | grep -c 'cpu.data ')
        [ "$count" = 43 ] || {
            echo "$trace has $count accesses of cpu.data, not 43"
            exit 1
        }
    done
}
