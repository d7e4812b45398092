/* The plug-in: what happens when in the life of a prototype that is recorded without its knowledge.
 * Observers are placed when elaboration ends, before the model's own code runs at that stage. */
#include <memory>

#include <unistd.h>

#include "../messages.hpp"
#include "kernel_access.hpp"
#include "placement.hpp"

namespace ftr
{
namespace attach
{

namespace
{

class attachment : public hidden_module
{
  private:
    void end_of_elaboration() override
    {
        recorder &rec = recorder::standard();
        if (!rec.is_open())
            return;
        placed_ = place_observers(rec);
    }

    placed placed_;
};

__attribute__((constructor)) void attach()
{
    new attachment; // the kernel's for as long as the process lives
}

} // namespace

} // namespace attach
} // namespace ftr
