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

/* The result, for the summary. */
struct placed {
    std::size_t ports = 0;
    std::size_t links = 0;
    std::vector<std::string> unobserved; /* one sentence for each */
};

/* Must be called once, after all bindings are complete and before the first call of the model. */
placed place_observers(recorder &rec);

} // namespace attach
} // namespace ftr

#endif
