// The other translation unit of sc_lifetime_test.cpp: it uses the default recorder, too, and has a
// recorder of its own in a static object.
#include "sc_lifetime_other.hpp"

#include <ftr/systemc.hpp>

namespace
{

ftr::stream static_stream("there");
ftr::generator<> static_generator(static_stream, "other");
ftr::transaction static_transaction = static_generator.begin();

ftr::recorder static_recorder("static.ftr");
ftr::generator<> of_static_recorder(ftr::stream(static_recorder, "static"), "own");
ftr::transaction open_in_static_recorder = of_static_recorder.begin();

struct last_words {
    ~last_words()
    {
        static_generator.begin();
        of_static_recorder.begin();
    }
};
last_words constructed_last;

} // namespace

void other_unit_records()
{
    static_generator.begin().put("from", "elsewhere");
    of_static_recorder.begin();
}
