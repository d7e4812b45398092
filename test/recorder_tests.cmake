# The recorder: each of its parts alone, and the files that it writes.
foreach(
  name
  chunk_writer_test
  decimal_test
  default_recorder_test
  dictionary_test
  discarded_ids_test
  environment_test
  glob_test
  path_pattern_test
  recorder_attributes_test
  recorder_filter_test
  recorder_floats_test
  recorder_fork_test
  recorder_keep_test
  recorder_life_test
  recorder_limits_test
  recorder_misuse_test
  recorder_misuse_values_test
  recorder_output_test
  recorder_relations_test
  recorder_signals_test
  recorder_space_test
  recorder_texts_test
  recorder_time_test
  recorder_transactions_test
  recorder_words_test
  run_claim_test
  shared_process_test
  time_and_size_test
  stream_names_test)
  ftr_add_recorder_test(${name} ${name}.cpp)
endforeach()
# Its variable is looked up by name.
set_target_properties(shared_process_test PROPERTIES ENABLE_EXPORTS ON)
ftr_add_recorder_test(recorder_buffers_test recorder_buffers_test.cpp LABELS threads)
ftr_add_recorder_test(recorder_buffer_sinks_test recorder_buffer_sinks_test.cpp LABELS threads)
ftr_add_recorder_test(recorder_first_touch_test recorder_first_touch_test.cpp LABELS threads)
ftr_add_recorder_test(recorder_flight_test recorder_flight_test.cpp LABELS threads COST 10)
ftr_add_recorder_test(observed_calls_test observed_calls_test.cpp LABELS threads)
ftr_add_recorder_test(recorder_misuse_text_test recorder_misuse_text_test.cpp LABELS threads)
ftr_add_recorder_test(recorder_threads_test recorder_threads_test.cpp LABELS threads)
ftr_add_recorder_test(recorder_helper_test recorder_helper_test.cpp LABELS threads COST 10)
target_link_options(recorder_helper_test PRIVATE -Wl,--wrap=write)
ftr_add_recorder_test(recorder_host_test recorder_host_test.cpp LABELS threads)
ftr_add_recorder_test(recorder_pauses_test recorder_pauses_test.cpp LABELS threads)
target_link_options(recorder_pauses_test PRIVATE -Wl,--wrap=pthread_mutex_lock -Wl,--wrap=pthread_cond_timedwait)
ftr_add_recorder_test(recorder_signal_at_close_test recorder_signal_at_close_test.cpp LABELS threads)
target_link_options(recorder_signal_at_close_test PRIVATE -Wl,--wrap=ftr_trace_close_gate)
ftr_add_recorder_test(recorder_supply_test recorder_supply_test.cpp LABELS threads)
foreach(function pthread_mutex_lock pthread_mutex_unlock pthread_cond_timedwait pthread_cond_broadcast fallocate pwrite)
  target_link_options(recorder_supply_test PRIVATE -Wl,--wrap=${function})
endforeach()
# Under memcheck, the inline calls read no bytes beside a text.
find_program(FTR_VALGRIND valgrind)
if(FTR_VALGRIND AND NOT FTR_SANITIZE)
  add_executable(exact_texts_program exact_texts_program.c)
  target_link_libraries(exact_texts_program PRIVATE ftr_shared ftr_warnings)
  add_test(NAME recorder_texts_under_memcheck
           COMMAND ${FTR_VALGRIND} -q --error-exitcode=9 $<TARGET_FILE:exact_texts_program>
                   ${CMAKE_CURRENT_BINARY_DIR}/exact_texts.ftr)
endif()
add_executable(pthread_exit_program pthread_exit_program.c)
target_link_libraries(pthread_exit_program PRIVATE ftr_static ftr_warnings)
add_dependencies(recorder_host_test pthread_exit_program)
ftr_add_recorder_test(journal_test journal_test.cpp COST 10)
ftr_add_recorder_test(journal_lock_test journal_lock_test.cpp)
target_link_options(journal_lock_test PRIVATE -Wl,--wrap=nanosleep)
ftr_add_recorder_test(journal_damage_test journal_damage_test.cpp)
ftr_add_recorder_test(killed_early_test killed_early_test.cpp LABELS threads COST 10)
ftr_add_recorder_test(killed_threads_test killed_threads_test.cpp LABELS threads COST 10)

# The calls that are inline in recorder_inline.h, a second time as functions of the library.
foreach(name recorder_attributes_test recorder_misuse_test recorder_misuse_values_test
             recorder_transactions_test recorder_words_test)
  ftr_add_recorder_test(${name}_out_of_line ${name}.cpp PREFIX OutOfLine.)
  target_compile_definitions(${name}_out_of_line PRIVATE FTR_NO_INLINE)
endforeach()

# Lets a test stop the code below it at each system call (system_steps.hpp).
function(ftr_count_system_steps name)
  target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/test/system_steps.cpp)
  foreach(function open close unlink rename fchmod fsync ftruncate fallocate write pwrite)
    target_link_options(${name} PRIVATE -Wl,--wrap=${function})
  endforeach()
endfunction()

ftr_add_recorder_test(trace_open_test trace_open_test.cpp)
ftr_add_recorder_test(journal_directory_test journal_directory_test.cpp)
ftr_add_recorder_test(left_over_test left_over_test.cpp COST 20)
ftr_count_system_steps(left_over_test)
target_link_options(left_over_test PRIVATE -Wl,--wrap=nanosleep)
ftr_add_recorder_test(killed_rotation_test killed_rotation_test.cpp COST 10)
ftr_count_system_steps(killed_rotation_test)

# Lets a test make allocations and writes of the code below it fail (fault_injection.hpp).
function(ftr_inject_faults name)
  target_sources(${name} PRIVATE fault_injection.cpp)
  foreach(function malloc calloc realloc strdup mmap mprotect fallocate pthread_create write)
    target_link_options(${name} PRIVATE -Wl,--wrap=${function})
  endforeach()
endfunction()

ftr_add_recorder_test(chunk_queue_test chunk_queue_test.cpp LABELS threads)
ftr_inject_faults(chunk_queue_test)
target_link_options(chunk_queue_test PRIVATE -Wl,--wrap=ftr_output_append)
ftr_add_recorder_test(recorder_fault_test recorder_fault_test.cpp)
ftr_inject_faults(recorder_fault_test)
ftr_add_recorder_test(recorder_buffer_faults_test recorder_buffer_faults_test.cpp COST 10)
ftr_inject_faults(recorder_buffer_faults_test)

# Tests of the writer with a helper that compresses chunks in each pass.
add_library(helper_in_each_pass OBJECT helper_in_each_pass.c)
target_link_libraries(helper_in_each_pass PRIVATE ftr_recorder ftr_warnings)
foreach(name recorder_buffers_test recorder_fault_test recorder_flight_test recorder_threads_test)
  ftr_add_recorder_test(${name}_with_helper ${name}.cpp COST 10
                        FILTER *Writer*-*NeverUseAnIdTwice*:*OfTenMillion*)
  target_link_libraries(${name}_with_helper PRIVATE helper_in_each_pass)
  target_link_options(${name}_with_helper PRIVATE -Wl,--wrap=ftr_drain_lanes)
endforeach()
ftr_inject_faults(recorder_fault_test_with_helper)
set_tests_properties(recorder_threads_test_with_helper PROPERTIES LABELS threads)
add_dependencies(ftr_thread_tests recorder_threads_test_with_helper)
ftr_add_recorder_test(journal_place_test journal_place_test.cpp)
ftr_inject_faults(journal_place_test)
ftr_add_recorder_test(recorder_memory_test recorder_memory_test.cpp)
ftr_inject_faults(recorder_memory_test)

# 200 kills of each kind; the ordinary test has a few.
add_test(NAME journal_soak COMMAND journal_test --gtest_filter=*Killed*)
set_tests_properties(journal_soak PROPERTIES ENVIRONMENT FTR_SOAK=1 LABELS soak TIMEOUT 7200)

# 200 kills with threads that share a stream, for each of the settings.
add_test(NAME killed_threads_soak COMMAND killed_threads_test --gtest_filter=*AtAnyInstant*)
set_tests_properties(killed_threads_soak PROPERTIES ENVIRONMENT FTR_SOAK=200 LABELS soak TIMEOUT 7200)
