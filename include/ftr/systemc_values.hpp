/** @file
 *  How values of C++, SystemC and TLM-2.0 types are recorded (docs/format.md, "C++ and SystemC
 *  types"), and ftr::value_traits to specialise for further types. Included by <ftr/systemc.hpp>.
 */
#ifndef FTR_SYSTEMC_VALUES_HPP
#define FTR_SYSTEMC_VALUES_HPP

#include <ftr/detail/systemc_datatypes.hpp>
#include <ftr/detail/value_traits.hpp>
#ifdef SC_INCLUDE_FX
#include <ftr/detail/systemc_fixed_point.hpp>
#endif

#endif
