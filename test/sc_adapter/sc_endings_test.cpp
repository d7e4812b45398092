// A model that ends in the way chosen by the first argument; sc_adapter_test.py checks the
// remaining files. With a second argument, the model opens flight recorders itself, and records to
// the first of them.
#include <ftr/systemc.hpp>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>

#include <unistd.h>

int sc_main(int argc, char **argv)
{
    const std::string how = argc > 1 ? argv[1] : "";
    const bool opens_own = argc > 2;
    ftr::options flight;
    flight.mode = FTR_MODE_FLIGHT;
    std::unique_ptr<ftr::recorder> own, other;
    if (opens_own) {
        own = std::make_unique<ftr::recorder>("own.ftr", flight);
        other = std::make_unique<ftr::recorder>("other.ftr", flight);
    }
    ftr::stream stream(opens_own ? *own : ftr::recorder::standard(), "model");
    ftr::generator<int> generator(stream, "step", "number");
    for (int i = 0; i < 10; ++i) {
        auto tx = generator.begin();
        sc_core::sc_start(10, sc_core::SC_NS);
        tx.put<0>(i);
        tx.end();
        if (i != 5)
            continue;
        if (how == "error") {
            sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_DISPLAY);
            SC_REPORT_ERROR("test", "an error that the model goes on after");
        } else if (how == "warning") {
            SC_REPORT_WARNING("test", "a warning");
        } else if (how == "fatal") {
            SC_REPORT_FATAL("test", "the end");
        } else if (how == "terminated") {
            std::raise(SIGTERM);
        } else if (how == "_exit") {
            _exit(0);
        }
    }
    return how == "status" ? 3 : 0;
}
