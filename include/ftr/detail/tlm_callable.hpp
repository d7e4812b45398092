/** @file
 *  A reference to a callable object of any type. */
#ifndef FTR_TLM_CALLABLE_HPP
#define FTR_TLM_CALLABLE_HPP

namespace ftr
{
namespace detail
{

template <class Signature> class tlm_callable;

/** Refers to a callable object, which must live as long as this reference. */
template <class Result, class... Arguments> class tlm_callable<Result(Arguments...)>
{
  public:
    template <class Object>
    explicit tlm_callable(const Object &object)
        : object_(&object), call_([](const void *of, Arguments... arguments) -> Result {
              return (*static_cast<const Object *>(of))(arguments...);
          })
    {
    }
    Result operator()(Arguments... arguments) const { return call_(object_, arguments...); }

  private:
    const void *object_;
    Result (*call_)(const void *of, Arguments... arguments);
};

} // namespace detail
} // namespace ftr

#endif
