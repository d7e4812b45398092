/** @file
 *  Observers of TLM-2.0 transport interfaces, a module to place between two sockets, and sockets
 *  that record. docs/attach.md shows how to use them, and how to record a prototype without changes
 *  to its source. */
#ifndef FTR_TLM_HPP
#define FTR_TLM_HPP

#include <ftr/tlm_extensions.hpp>
#include <ftr/tlm_link.hpp>
#include <ftr/tlm_observer.hpp>
#include <ftr/tlm_recorder.hpp>

#endif
