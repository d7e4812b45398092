/* The messages of the adapter, the names of calls in them, and the end of a simulation that must
 * not continue unrecorded. */
#include "messages.hpp"

#include <ftr/detail/plain_text.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <systemc>

namespace ftr
{
namespace detail
{

namespace
{

/* Returns @p message with escaped control characters, which a terminal would interpret in paths and
 * names. */
std::string plain(const std::string &message)
{
    std::string text(FTR_PLAIN_ESCAPE_SIZE * message.size(), '\0');
    text.resize(ftr_plain_text(message.data(), message.size(), &text[0]));
    return text;
}

struct named_call {
    const char *prefix; /* of the names of the C functions */
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

void say(ftr_severity severity, const std::string &message)
{
    const char *const word = severity == FTR_SEVERITY_ERROR     ? "error: "
                             : severity == FTR_SEVERITY_WARNING ? "warning: "
                                                                : "";
    /* Printed by a single call, so that the lines of several threads are not mixed. */
    std::fprintf(stderr, "ftr: %s%s\n", word, plain(message).c_str());
}

void end_simulation(const std::string &message, bool is_simulation_thread)
{
    /* SystemC has the arguments of the program as soon as sc_main() has begun. */
    const bool is_in_main = sc_core::sc_curr_simcontext && sc_core::sc_argc() > 0;
    if (is_in_main && is_simulation_thread) {
        SC_REPORT_ERROR("/ftr/recording", plain(message).c_str());
        return;
    }
    say(FTR_SEVERITY_ERROR, message);
    if (is_in_main)
        std::exit(EXIT_FAILURE);
    /* Static objects are under construction, so exit() could destroy unfinished ones. */
    std::fflush(nullptr);
    std::_Exit(EXIT_FAILURE);
}

const char *name_in_systemc(const char *call)
{
    static constexpr named_call names[] = {{"ftr_tx_begin", "begin()"},
                                           {"ftr_tx_put_", "put()"},
                                           {"ftr_tx_end", "end()"},
                                           {"ftr_tx_record", "record()"},
                                           {"ftr_tx_event", "event()"},
                                           {"ftr_tx_find_events", "event()"},
                                           {"ftr_events_define", "events"},
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
