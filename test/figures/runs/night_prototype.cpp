// An invented system on a chip, instrumented with streams and generators: three processors and a
// display share a memory with open rows and refresh; a DMA engine has several bursts open.
//
//     night_prototype SEED [slow=PERCENT] [silent] [die]
//
// `slow` adds to the latency of each load, with `silent` the display fetches nothing, and with
// `die` the program kills itself in the middle.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <ftr/systemc.hpp>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

namespace
{

struct settings {
    unsigned seed = 1, slow = 0;
    bool silent = false, die = false;
} set;

sc_core::sc_time unit, end_of_run; // set when the resolution is

sc_core::sc_time between(std::mt19937 &random, unsigned least, unsigned most)
{
    return unit * std::uniform_int_distribution<unsigned>(least, most)(random);
}

struct memory : sc_core::sc_module {
    ftr::stream stream{"soc.dram", "memory"};
    ftr::generator<ftr::at_begin<unsigned>> refresh{stream, "refresh", "rank"};
    ftr::generator<ftr::at_begin<uint64_t>, ftr::at_begin<unsigned>, ftr::at_end<bool>> access{
        stream, "access", "address", "length", "row_hit"};
    sc_core::sc_mutex busy;
    uint64_t rows[8] = {};

    SC_CTOR(memory) { SC_THREAD(refresh_rows); }

    void serve(uint64_t address, unsigned length, std::mt19937 &random)
    {
        busy.lock();
        auto one = access.begin(address, length);
        uint64_t &open = rows[address >> 8 & 7];
        const bool hit = open == address >> 11;
        open = address >> 11;
        wait(between(random, hit ? 180 : 420, hit ? 230 : 510));
        one.end(hit);
        busy.unlock();
    }

    void refresh_rows()
    {
        for (unsigned n = 0;; n++) {
            wait(7800, sc_core::SC_NS);
            busy.lock();
            auto one = refresh.begin(n % 2);
            wait(110, sc_core::SC_NS);
            one.end();
            busy.unlock();
        }
    }
};

struct processor : sc_core::sc_module {
    ftr::stream stream;
    ftr::generator<ftr::at_begin<uint64_t>, ftr::at_begin<unsigned>, ftr::at_end<std::string>> load{
        stream, "load", "address", "data_length", "status"};
    ftr::generator<ftr::at_begin<uint64_t>, ftr::at_begin<unsigned>> store{
        stream, "store", "address", "data_length"};
    memory &ram;
    std::mt19937 random;

    SC_HAS_PROCESS(processor);
    processor(const sc_core::sc_module_name &name, memory &of, unsigned seed)
        : sc_module(name), stream(std::string("soc.") + sc_module::name() + ".data", "cpu"),
          ram(of), random(seed)
    {
        SC_THREAD(run);
    }

    void run()
    {
        while (sc_core::sc_time_stamp() < end_of_run) {
            const uint64_t address = random() % 65536 * 8;
            wait(between(random, 100, 2200));
            if (random() % 4 == 0) {
                auto one = store.begin(address, 8u);
                ram.serve(address, 8, random);
                one.end();
                continue;
            }
            auto one = load.begin(address, 64u);
            const sc_core::sc_time begin = sc_core::sc_time_stamp();
            ram.serve(address, 64, random);
            wait((sc_core::sc_time_stamp() - begin) * (set.slow / 100.0) + unit * 20);
            one.end(random() % 90 == 0 ? "TLM_ADDRESS_ERROR_RESPONSE" : "TLM_OK_RESPONSE");
        }
    }
};

struct engines : sc_core::sc_module {
    ftr::stream channel{"soc.dma.channel", "dma"};
    ftr::generator<ftr::at_begin<unsigned>, ftr::at_begin<unsigned>> burst{channel, "burst",
                                                                           "bytes", "channel"};
    ftr::stream display{"soc.display", "video"};
    ftr::generator<ftr::at_begin<unsigned>> line{display, "line", "size"};
    ftr::stream interrupt{"soc.irq", "irq"};
    ftr::generator<> raise{interrupt, "raise"};
    std::mt19937 random;

    SC_HAS_PROCESS(engines);
    engines(const sc_core::sc_module_name &name, unsigned seed) : sc_module(name), random(seed)
    {
        for (unsigned i = 0; i < 4; i++)
            sc_core::sc_spawn([this, i] { move(i); });
        SC_THREAD(show);
        SC_THREAD(interrupted);
    }

    void move(unsigned number)
    {
        while (sc_core::sc_time_stamp() < end_of_run) {
            const unsigned bytes = 64u << random() % 5;
            auto one = burst.begin(bytes, number);
            wait(between(random, 1000, 1400) + unit * (bytes / 4));
            one.end();
            wait(between(random, 0, 1500));
        }
    }

    void show()
    {
        while (!set.silent && sc_core::sc_time_stamp() < end_of_run) {
            auto one = line.begin(1280u);
            wait(between(random, 3000, 3300));
            one.end();
            wait(400, sc_core::SC_NS);
        }
    }

    void interrupted()
    {
        while (sc_core::sc_time_stamp() < end_of_run) {
            wait(between(random, 9000, 60000));
            raise.record(sc_core::sc_time_stamp(), sc_core::sc_time_stamp());
            if (set.die && sc_core::sc_time_stamp() > end_of_run / 2)
                std::raise(SIGKILL);
        }
    }
};

} // namespace

int sc_main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (std::strncmp(argv[i], "slow=", 5) == 0)
            set.slow = static_cast<unsigned>(std::atoi(argv[i] + 5));
        else if (std::strcmp(argv[i], "silent") == 0)
            set.silent = true;
        else if (std::strcmp(argv[i], "die") == 0)
            set.die = true;
        else
            set.seed = static_cast<unsigned>(std::atoi(argv[i]));
    }
    sc_core::sc_set_time_resolution(100, sc_core::SC_PS);
    unit = sc_core::sc_time(100, sc_core::SC_PS);
    end_of_run = sc_core::sc_time(60, sc_core::SC_US);
    memory ram("dram");
    processor cpu0("cpu0", ram, set.seed * 7 + 1), cpu1("cpu1", ram, set.seed * 7 + 2),
        cpu2("cpu2", ram, set.seed * 7 + 3);
    engines others("engines", set.seed * 7 + 4);
    sc_core::sc_start(end_of_run + end_of_run / 20);
    return 0;
}
