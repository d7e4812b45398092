/* The smallest model: one module with one thread, which runs the caller's function. */
#include <systemc>

#include "workload.h"

namespace
{

class model : public sc_core::sc_module
{
  public:
    model(const sc_core::sc_module_name &name, const std::function<int()> &body)
        : sc_core::sc_module(name), body_(body)
    {
        SC_HAS_PROCESS(model);
        SC_THREAD(run);
        set_stack_size(4 << 20);
    }

    int result = 0;

  private:
    void run()
    {
        result = body_();
        sc_core::sc_stop();
    }

    const std::function<int()> &body_;
};

} // namespace

int simulate(const std::function<int()> &body)
{
    model top("top", body);
    sc_core::sc_start();
    return top.result;
}
