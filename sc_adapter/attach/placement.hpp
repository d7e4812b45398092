/* Places observers on every base-protocol socket of an elaborated model. */
#ifndef FTR_PLACEMENT_HPP
#define FTR_PLACEMENT_HPP

#include <cstddef>
#include <string>
#include <vector>

#include <ftr/tlm.hpp>

namespace ftr
{
namespace attach
{

/* The names of a link and of its innermost target socket. */
struct link_target {
    std::string link;
    std::string target;
};

/* The result of place_observers(): numbers for the summary. */
struct placed {
    std::size_t bound = 0;    /* initiator sockets with a binding, of any protocol */
    std::size_t observed = 0; /* bound initiator sockets with all their calls observed */
    std::size_t unbound = 0;
    std::size_t links = 0;
    std::vector<link_target> targets; /* targets of the links that may be recorded */
    /* one sentence for each socket that is not completely observed */
    std::vector<std::string> unobserved;
};

/* Must be called once, after all bindings are complete and before the first call of the model. */
placed place_observers(recorder &rec);

} // namespace attach
} // namespace ftr

#endif
