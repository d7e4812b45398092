// Records one transaction of a SystemC simulation to the file given as argument. Exits with 0 on
// success, if the header has the version given as argument.
#include <ftr/systemc.hpp>
#include <ftr/version.h>

#include <systemc>

#include <cstring>

int sc_main(int argc, char **argv)
{
    if (argc != 3 || std::strcmp(argv[2], FTR_VERSION_TEXT) != 0)
        return 2;

    ftr::recorder rec(argv[1]);
    ftr::stream stream(rec, "outside.bus");
    ftr::generator<ftr::at_begin<unsigned>> read(stream, "read", "address");

    auto tx = read.begin(4096U);
    sc_core::sc_start(10, sc_core::SC_NS);
    tx.end();
    return rec.close() == FTR_OK ? 0 : 1;
}
