# shellcheck shell=bash
# The model of the page, with the double of SCV that the test compat_scv uses.
cp block.cpp.1 model.cpp
export SCV_HOME=$PWD/scv
mkdir -p scv/lib
ln -s "$SOURCE/test/sc_adapter/compat/scv_double" scv/include
ar cr scv/lib/libscv.a
