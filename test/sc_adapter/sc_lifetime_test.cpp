// Handles that outlive their recorder, and recorders that outlive their handles. The first argument
// selects the test; sc_lifetime_other.cpp has static objects of another translation unit, which the
// two link orders construct before or after those of this one.
#include "sc_lifetime_other.hpp"

#include <ftr/systemc.hpp>

#include <cstdlib>
#include <string>

namespace
{

/* Records after all other static objects of this unit are destroyed; if this unit is constructed
 * first, also after the default recorder was closed. */
struct last_words {
    ~last_words();
};
last_words constructed_first;

ftr::stream static_stream("here");
ftr::generator<int> static_generator(static_stream, "static", "number");
ftr::transaction static_transaction = static_generator.begin();
ftr::transaction &immortal = *new ftr::transaction(static_generator.begin());

last_words::~last_words()
{
    auto late = static_generator.begin();
    late.put<0>(1);
    late.end();
    static_generator.record(sc_core::SC_ZERO_TIME, sc_core::SC_ZERO_TIME, 2);
    static_generator.event(late, 3);
    immortal.put("too late", true);
    immortal.end();
    ftr::stream another("after the end");
    ftr::generator<> none(another, "none");
    none.begin();
}

void outlive_own_recorder(const std::string &path)
{
    ftr::stream stream;
    ftr::generator<int> generator;
    ftr::generator<int>::transaction open;
    ftr::relation relation;
    ftr_tx recorded;
    {
        ftr::recorder recorder(path);
        stream = ftr::stream(recorder, "own");
        generator = ftr::generator<int>(stream, "own", "number");
        relation = ftr::relation(recorder, "after");
        recorded = generator.record(sc_core::SC_ZERO_TIME, sc_core::SC_ZERO_TIME, 1);
        open = generator.begin();
        open.put<0>(2);
    }
    open.put<0>(3);
    relation.put(recorded, open);
    open.end();
    generator.begin().put<0>(4);
    ftr::generator<> late(stream, "late");
    late.begin();
}

void close_twice(const std::string &path)
{
    ftr::recorder recorder(path);
    ftr::generator<int> generator(ftr::stream(recorder, "twice"), "generator", "number");
    generator.begin().put<0>(1);
    if (recorder.close() != FTR_OK || recorder.close() != FTR_ERR_CLOSED)
        sc_core::sc_abort();
    recorder.set_recording(true);
    generator.begin().put<0>(2);
}

} // namespace

int sc_main(int argc, char **argv)
{
    const std::string what = argc > 1 ? argv[1] : "";
    other_unit_records();
    if (what == "own")
        outlive_own_recorder("own.ftr");
    else if (what == "twice")
        close_twice("twice.ftr");
    else if (what == "standard")
        ftr::recorder::standard().close();
    else if (what == "exit")
        std::exit(3);
    sc_core::sc_start(1, sc_core::SC_NS);
    static_generator.begin().put<0>(10);
    return 0;
}
