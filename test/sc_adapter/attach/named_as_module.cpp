// Modules that record streams with their own names, above the names of their sockets. With the
// argument `all` the module above them has a stream, too; with `none` no module has one.
#include "memory_target.hpp"

#include <memory>
#include <string>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <ftr/systemc.hpp>

namespace
{

using sc_core::SC_NS;
using sc_core::sc_time;

std::string mode;

struct own_stream {
    explicit own_stream(const char *name) : stream(name, "example"), step(stream, "step", "number")
    {
    }
    ftr::stream stream;
    ftr::generator<unsigned> step;
};

struct initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<initiator> socket;
    std::unique_ptr<own_stream> own;
    unsigned calls;

    SC_HAS_PROCESS(initiator);
    initiator(const sc_core::sc_module_name &name, bool records, unsigned count)
        : sc_module(name), socket("isock"), calls(count)
    {
        if (records)
            own.reset(new own_stream(this->name()));
        SC_THREAD(run);
    }
    void run()
    {
        for (unsigned i = 0; i < calls; ++i) {
            tlm::tlm_generic_payload trans;
            unsigned char data = 0;
            trans.set_read();
            trans.set_address(i);
            trans.set_data_ptr(&data);
            trans.set_data_length(1);
            trans.set_streaming_width(1);
            sc_time delay(1, SC_NS);
            const sc_time begin = sc_core::sc_time_stamp();
            socket->b_transport(trans, delay);
            wait(delay);
            if (own)
                own->step.record(begin, sc_core::sc_time_stamp(), i);
        }
    }
};

struct platform : sc_core::sc_module {
    std::unique_ptr<own_stream> own;
    initiator cpu{"cpu", mode != "none", 5};
    initiator dma{"dma", false, 3};
    memory_target ram{"ram", "tsock"};
    memory_target rom{"rom", "tsock"};
    explicit platform(const sc_core::sc_module_name &name) : sc_module(name)
    {
        if (mode == "all")
            own.reset(new own_stream(this->name()));
        cpu.socket.bind(ram.socket);
        dma.socket.bind(rom.socket);
    }
};

} // namespace

int sc_main(int argc, char **argv)
{
    mode = argc > 1 ? argv[1] : "";
    const platform top("top");
    sc_core::sc_start();
    return 0;
}
