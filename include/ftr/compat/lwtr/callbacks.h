/** @file
 *  Callbacks that users register, with the names of LWTR4SC. Included by <lwtr/lwtr.h>. */
#ifndef FTR_COMPAT_LWTR_CALLBACKS_H
#define FTR_COMPAT_LWTR_CALLBACKS_H

#include <cstdint>
#include <map>
#include <utility>

namespace lwtr
{

enum callback_reason { CREATE, DELETE, SUSPEND, RESUME, BEGIN, END };

namespace detail
{

/** True after any callback was registered. Only then, values are converted for callbacks. */
template <class Unused = void> struct __attribute__((visibility("default"))) any_callback {
    static bool is_registered;
};
template <class Unused> bool any_callback<Unused>::is_registered = false;

/** The registered functions of one kind, called in the order of registration. */
template <class Function> class callbacks
{
  public:
    std::uint64_t add(Function function)
    {
        any_callback<>::is_registered = true;
        functions_.emplace(next_, std::move(function));
        return next_++;
    }
    void remove(std::uint64_t id) { functions_.erase(id); }
    template <class... Arguments> void call(const Arguments &...arguments) const
    {
        for (const auto &each : functions_)
            each.second(arguments...);
    }

  private:
    std::map<std::uint64_t, Function> functions_;
    std::uint64_t next_ = 0;
};

/** Returns the callbacks of the process. They are never destroyed, because databases may be static
 * objects. */
template <class Function> __attribute__((visibility("default"))) callbacks<Function> &callbacks_of()
{
    static auto *const all = new callbacks<Function>;
    return *all;
}

} // namespace detail
} // namespace lwtr

#endif
