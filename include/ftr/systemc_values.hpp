/** @file
 *  Converts values of C++, SystemC and TLM-2.0 types (docs/format.md, "C++ and SystemC types") to
 *  attribute values. ftr::value_traits can be specialised for further types. Included by
 *  <ftr/systemc.hpp>. */
#ifndef FTR_SYSTEMC_VALUES_HPP
#define FTR_SYSTEMC_VALUES_HPP

#include <ftr/detail/container_values.hpp>
#include <ftr/detail/systemc_datatypes.hpp>
#include <ftr/detail/value_traits.hpp>
#ifdef SC_INCLUDE_FX
#include <ftr/detail/systemc_fixed_point.hpp>
#endif

#endif
