/** @file
 *  Records transactions of a SystemC model, as RAII over <ftr/recorder.h>. docs/systemc.md is the
 *  guide; in short:
 *
 *      ftr::stream stream{"top.bus", "tlm"};
 *      ftr::generator<ftr::at_begin<uint64_t>, ftr::at_end<tlm::tlm_response_status>> read{
 *          stream, "read", "address", "response"};
 *      ...
 *      auto tx = read.begin(address);
 *      wait(10, SC_NS);
 *      tx.end(status);
 *
 *  Nothing here needs a recorder to exist: streams of the default recorder cost a test and a branch
 *  a call when FTR_TRACE is unset, and streams, generators and transactions may be destroyed before
 *  or after their recorder. A call without a time takes the simulation's and belongs on the
 *  simulation's thread; all others may be made on any. Statuses may be ignored: the recorder counts
 *  misuse and tells of failure.
 *
 *  The header asks for C++14; SystemC's library often asks for more. */
#ifndef FTR_SYSTEMC_HPP
#define FTR_SYSTEMC_HPP

#include <ftr/systemc_recorder.hpp>
#include <ftr/systemc_values.hpp>
#include <ftr/systemc_fields.hpp>
#include <ftr/systemc_transaction.hpp>

#endif
