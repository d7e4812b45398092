# shellcheck shell=bash
# The model of the page.
cp block.cpp.1 model.cpp
