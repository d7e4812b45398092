// Handles that are destroyed at different moments of a simulation; destroyed_test.py compares the
// transactions in the trace.
//
//     sc_destroyed_test stop|pause|continue
#include <ftr/systemc.hpp>

#include <memory>
#include <string>

namespace
{

struct device : sc_core::sc_module {
    ftr::stream stream{"device"};
    ftr::generator<> scoped{stream, "scoped"}, served{stream, "served"}, never{stream, "never"};
    ftr::transaction irq;
    std::string how;

    SC_HAS_PROCESS(device);
    device(const sc_core::sc_module_name &name, std::string ending)
        : sc_module(name), how(std::move(ending))
    {
        SC_THREAD(run);
    }

    void run()
    {
        {
            auto one = scoped.begin();
            wait(10, sc_core::SC_NS);
        }                    // ends at 10 ns
        irq = never.begin(); // nobody serves it
        wait(10, sc_core::SC_NS);
        if (how == "stop")
            sc_core::sc_stop();
        wait(1000, sc_core::SC_NS);
        auto late = scoped.begin();
        wait(10, sc_core::SC_NS);
    }
};

} // namespace

int sc_main(int, char **argv)
{
    const std::string how = argv[1];
    device of("device", how);
    auto paused = std::make_unique<ftr::transaction>(of.served.begin());
    sc_core::sc_start(50, sc_core::SC_NS);
    if (how != "stop")
        paused.reset(); // at 50 ns, between two calls of sc_start()
    if (how == "continue")
        sc_core::sc_start(2, sc_core::SC_US);
    return 0;
}
