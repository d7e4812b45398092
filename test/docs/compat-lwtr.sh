# shellcheck shell=bash
# The models of the page.
cp block.cpp.1 model.cpp
cp block.cpp.2 structs.cpp
cp block.cpp.3 scc.cpp
