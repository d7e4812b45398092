/* Maps the functions of C to the member functions that call them. */
#include "call_names.hpp"

#include <cstddef>
#include <cstring>

namespace ftr
{
namespace detail
{

namespace
{

struct named_call {
    const char *prefix; /* of the names in C */
    const char *name;
};

/* Failed definitions are reported by report_failure(). */
constexpr named_call reported_elsewhere[] = {{"ftr_stream_define", ""},
                                             {"ftr_generator_define", ""},
                                             {"ftr_relation_define", ""},
                                             {"ftr_text_define", ""}};

template <std::size_t Count> const char *find(const named_call (&names)[Count], const char *call)
{
    for (const named_call &named : names) {
        if (std::strncmp(call, named.prefix, std::strlen(named.prefix)) == 0)
            return named.name;
    }
    return nullptr;
}

} // namespace

const char *name_in_systemc(const char *call)
{
    static constexpr named_call names[] = {{"ftr_tx_begin", "begin()"},
                                           {"ftr_tx_put_", "put()"},
                                           {"ftr_tx_end", "end()"},
                                           {"ftr_tx_record", "record()"},
                                           {"ftr_tx_event", "event()"},
                                           {"ftr_relation_put", "relation::put()"},
                                           {"ftr_recorder_flush", "flush()"},
                                           {"ftr_recorder_set_recording", "set_recording()"},
                                           {"ftr_recorder_close", "close()"},
                                           {"ftr_recorder_get_statistics", "statistics()"},
                                           {"ftr_recorder_trigger", "trigger()"}};
    const char *const found = find(names, call);
    return found ? found : find(reported_elsewhere, call);
}

const char *name_in_lwtr(const char *call)
{
    static constexpr named_call names[] = {{"ftr_tx_begin", "begin_tx()"},
                                           {"ftr_tx_put_", "record_attribute()"},
                                           {"ftr_tx_end", "end_tx()"},
                                           {"ftr_relation_put", "add_relation()"}};
    const char *const found = find(names, call);
    return found ? found : find(reported_elsewhere, call);
}

} // namespace detail
} // namespace ftr
