// Records at the time resolution given as argument (`100 ps`) and prints the simulated begin and
// end of each transaction in femtoseconds. Static objects record before main(), so that the model's
// sc_set_time_resolution() fails if any of them uses sc_time.
#include <ftr/systemc.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace
{

ftr::stream before_main("before.main");
ftr::generator<ftr::at_begin<sc_core::sc_time>> from_static(before_main, "static", "from");
ftr::transaction open_since_before_main = from_static.begin();

__extension__ typedef unsigned __int128 wide;
wide resolution_fs;

std::string decimal(wide value)
{
    std::string digits;
    do {
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
        value /= 10;
    } while (value != 0);
    return digits;
}

void expect(const char *name, wide begin_fs, wide end_fs)
{
    std::printf("expect %s %s %s\n", name, decimal(begin_fs).c_str(), decimal(end_fs).c_str());
}

wide in_fs(const sc_core::sc_time &time)
{
    return time.value() * resolution_fs;
}

struct model : sc_core::sc_module {
    SC_HAS_PROCESS(model);
    explicit model(const sc_core::sc_module_name &name)
        : sc_core::sc_module(name), stream_("model"), generator_(stream_, "waits", "from")
    {
        SC_THREAD(run);
    }

    void run()
    {
        using sc_core::sc_time;
        const sc_time step = sc_time::from_value(7);
        wait(step);
        auto now = generator_.begin(sc_core::sc_time_stamp());
        wait(step);
        now.end();
        expect("now", 7 * resolution_fs, 14 * resolution_fs);

        /* With annotated delays: begins and ends around a time in the future. */
        const sc_time ahead = sc_core::sc_time_stamp() + sc_time::from_value(1000);
        auto delayed = generator_.begin_at(ahead, ahead);
        delayed.end_at(ahead + step);
        expect("delayed", 1014 * resolution_fs, 1021 * resolution_fs);

        /* In the past, and in one call. */
        generator_.record(step, sc_core::sc_time_stamp(), step);
        expect("past", 7 * resolution_fs, 14 * resolution_fs);

        /* More than a double can express. */
        const std::uint64_t odd = (std::uint64_t(1) << 53) + 1;
        const sc_time late = sc_time::from_value(odd);
        wait(late - sc_core::sc_time_stamp());
        auto beyond = generator_.begin(late);
        wait(step);
        beyond.end();
        expect("beyond", odd * resolution_fs, (odd + 7) * resolution_fs);
        expect("kernel", in_fs(late), in_fs(sc_core::sc_time_stamp()));
        generator_.record(late, sc_core::sc_time_stamp(), late);
    }

    ftr::stream stream_;
    ftr::generator<ftr::at_begin<sc_core::sc_time>> generator_;
};

} // namespace

int sc_main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const double size = std::atof(argv[1]);
    const std::string unit = argv[2];
    const char *const units[] = {"fs", "ps", "ns", "us", "ms", "s"};
    resolution_fs = static_cast<wide>(size);
    int index = 0;
    for (; units[index] != unit; ++index)
        resolution_fs *= 1000;
    sc_core::sc_set_time_resolution(size, static_cast<sc_core::sc_time_unit>(index));

    model top("top");
    auto during_elaboration = from_static.begin();
    sc_core::sc_start();
    during_elaboration.end();
    expect("elaboration", 0, in_fs(sc_core::sc_time_stamp()));
    open_since_before_main.end();
    expect("static", 0, in_fs(sc_core::sc_time_stamp()));
    return 0;
}
