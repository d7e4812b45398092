# shellcheck shell=bash
# The model is that of the page; the prototype is an example that was built without ftr.
cp block.cpp.1 model.cpp
cp block.text.1 rules.txt
cp "$BUILD/bin/riscv_platform" vp
after()
{
    "$SOURCE/test/support/ftr_decode.py" check --werror run.ftr
}
