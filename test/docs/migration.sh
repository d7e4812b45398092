# shellcheck shell=bash
# The prototype of the page is an example.
mkdir bin
cp "$BUILD/bin/riscv_platform" bin/
PATH=$PWD/bin:$PATH
after()
{
    "$SOURCE/test/support/ftr_decode.py" check accesses.ftr
}
