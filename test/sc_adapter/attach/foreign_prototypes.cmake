# Prototypes by other authors: the TLM-2.0 examples of SystemC, if installed (Debian's
# libsystemc-doc), compiled in place.
find_path(
  FTR_TLM_EXAMPLES lt/src/lt_top.cpp
  PATHS /usr/share/doc/libsystemc/examples/tlm
  DOC "SystemC's TLM-2.0 examples")
if(NOT FTR_TLM_EXAMPLES)
  message(STATUS "SystemC's TLM-2.0 examples are not found: no test attaches to them")
  return()
endif()

file(GLOB sources ${FTR_TLM_EXAMPLES}/common/src/*.cpp)
add_library(ftr_tlm_examples STATIC ${sources})
target_include_directories(ftr_tlm_examples SYSTEM PUBLIC ${FTR_TLM_EXAMPLES}/common/include)
target_link_libraries(ftr_tlm_examples PUBLIC ftr_systemc_kernel)
# Their warnings and their speed do not matter. SystemC is compiled once for all of them, so their
# options must be equal.
target_compile_options(ftr_tlm_examples PUBLIC -w -O0)
set(alike CXX_VISIBILITY_PRESET default POSITION_INDEPENDENT_CODE OFF)
set_target_properties(ftr_tlm_examples PROPERTIES ${alike})
target_precompile_headers(ftr_tlm_examples PRIVATE <systemc> <tlm> <tlm_utils/simple_initiator_socket.h>
                          <tlm_utils/simple_target_socket.h>)
foreach(
  name
  at_1_phase
  at_2_phase
  at_4_phase
  at_extension_optional
  at_mixed_targets
  at_ooo
  lt
  lt_dmi
  lt_extension_mandatory
  lt_mixed_endian
  lt_temporal_decouple)
  file(GLOB sources ${FTR_TLM_EXAMPLES}/${name}/src/*.cpp)
  add_executable(example_${name} ${sources})
  target_include_directories(example_${name} PRIVATE ${FTR_TLM_EXAMPLES}/${name}/include)
  target_link_libraries(example_${name} PRIVATE ftr_tlm_examples Threads::Threads)
  target_precompile_headers(example_${name} REUSE_FROM ftr_tlm_examples)
  set_target_properties(
    example_${name}
    PROPERTIES ${alike}
               CXX_CLANG_TIDY ""
               OUTPUT_NAME ${name}
               RUNTIME_OUTPUT_DIRECTORY ${prototypes}/examples)
endforeach()

add_test(NAME attach.Foreign
         COMMAND ${FTR_SYSTEM_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/foreign_test.py
                 ${prototypes}/examples $<TARGET_FILE:ftr_attach> $<TARGET_FILE:ftr_tool>)
set_tests_properties(attach.Foreign protocol.Recorded protocol.Silence
                     PROPERTIES ENVIRONMENT FTR_TLM_EXAMPLES=${FTR_TLM_EXAMPLES})
