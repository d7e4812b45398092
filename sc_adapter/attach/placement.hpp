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

/* What was found, for the summary. */
struct placed {
    std::size_t ports = 0;
    std::size_t links = 0;
    std::vector<std::string> unobserved; /* a sentence each */
};

/* Called once, when all bindings are complete and before the model makes its first call. */
placed place_observers(recorder &rec);

} // namespace attach
} // namespace ftr

#endif
