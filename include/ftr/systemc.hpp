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
 *  All objects work without a recorder. If nothing is recorded, a call costs a test and a branch.
 *  Streams, generators and transactions may be destroyed before or after their recorder. A call
 *  without a time uses the simulation's time and must be made on the simulation's thread; all other
 *  calls may be made on any thread. Returned statuses may be ignored, because the recorder counts
 *  misuse and reports failures.
 *
 *  The header requires C++14. The SystemC library often requires a later standard. */
#ifndef FTR_SYSTEMC_HPP
#define FTR_SYSTEMC_HPP

#include <ftr/systemc_recorder.hpp>
#include <ftr/systemc_values.hpp>
#include <ftr/systemc_fields.hpp>
#include <ftr/systemc_transaction.hpp>
#include <ftr/systemc_generator.hpp>

#endif
