# Tests of the SystemC adapter: small programs with one elaboration each, run by sc_adapter_test.py.
function(ftr_add_sc_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE ftr::systemc ftr_warnings Threads::Threads)
  ftr_compile_as_test(${name} ${test_level})
  # Default visibility, because SystemC's library calls sc_main().
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET default)
endfunction()

ftr_add_sc_program(sc_values_test sc_values_test.cpp)
# SystemC shifts negative numbers in its own headers.
target_compile_options(sc_values_test PRIVATE -fno-sanitize=shift)
ftr_add_sc_program(sc_resolution_test sc_resolution_test.cpp)
ftr_add_sc_program(sc_recording_test sc_recording_test.cpp)
ftr_add_sc_program(sc_endings_test sc_endings_test.cpp)
# Static objects of several units are constructed in the order of linking.
ftr_add_sc_program(sc_lifetime_test sc_lifetime_test.cpp sc_lifetime_other.cpp)
ftr_add_sc_program(sc_lifetime_reversed_test sc_lifetime_other.cpp sc_lifetime_test.cpp)

find_program(FTR_SYSTEM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
foreach(group Values Resolution Lifetime Recording Messages Endings Example)
  add_test(NAME sc_adapter.${group}
           COMMAND ${FTR_SYSTEM_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/sc_adapter_test.py
                   ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${group})
endforeach()

# Users' code also compiles as C++14, although SystemC's library requires its own standard for
# linking.
set(header_flags -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Werror -xc++
                 -I${PROJECT_SOURCE_DIR}/include ${SYSTEMC_CFLAGS})
ftr_add_sc_program(sc_containers_test sc_containers_test.cpp)
add_test(NAME sc_containers
         COMMAND ${FTR_SYSTEM_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/sc_containers_test.py ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
                 ${CMAKE_CURRENT_SOURCE_DIR}/sc_containers_test.cpp ${CMAKE_CXX_COMPILER} -std=c++17 ${header_flags})
# GCC finds uninitialized values only in optimized code, and at each level in other places.
foreach(level 1 2)
  add_test(NAME sc_containers.O${level}
           COMMAND ${CMAKE_CXX_COMPILER} -std=c++17 -O${level} -Wall -Wextra -Werror -I${CMAKE_CURRENT_SOURCE_DIR}
                   -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_BINARY_DIR}/include ${SYSTEMC_CFLAGS} -c -o /dev/null
                   ${CMAKE_CURRENT_SOURCE_DIR}/sc_containers_test.cpp)
endforeach()
foreach(program sc_values_test sc_recording_test)
  add_test(NAME ${program}.cxx14
           COMMAND ${CMAKE_CXX_COMPILER} -std=c++14 ${header_flags}
                   ${CMAKE_CURRENT_SOURCE_DIR}/${program}.cpp)
endforeach()

add_subdirectory(attach)
add_subdirectory(kernels)
add_subdirectory(compat)
