/* Finds the state that the copies of the adapter in one process share. */
#include "adapter_process.hpp"

#include <dlfcn.h>

namespace ftr
{
namespace detail
{

bool is_attach_plugin = false;

ftr_process *shared_process()
{
    static auto *const process =
        static_cast<ftr_process *>(dlsym(RTLD_DEFAULT, FTR_PROCESS_SYMBOL));
    return process;
}

bool is_beside_plugin()
{
    const ftr_process *const process = shared_process();
    return !is_attach_plugin && process && __atomic_load_n(&process->attached, __ATOMIC_ACQUIRE);
}

bool has_other_copy_opened()
{
    const ftr_process *const process = shared_process();
    return process && __atomic_load_n(&process->made_by, __ATOMIC_ACQUIRE);
}

} // namespace detail
} // namespace ftr
