/* The messages of the adapter, and the end of a simulation that must not continue unrecorded. */
#include "messages.hpp"

#include <ftr/detail/plain_text.h>

#include <cstdio>
#include <cstdlib>

#include <systemc>

namespace ftr
{
namespace detail
{

namespace
{

/* Paths and names cannot act on the terminal. */
std::string plain(const std::string &message)
{
    std::string text(FTR_PLAIN_ESCAPE_SIZE * message.size(), '\0');
    text.resize(ftr_plain_text(message.data(), message.size(), &text[0]));
    return text;
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
    /* sc_main() has begun if SystemC has its arguments. */
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

} // namespace detail
} // namespace ftr
