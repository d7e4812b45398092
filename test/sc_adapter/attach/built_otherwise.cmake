# Prototypes built with other options; the recordings must be the same.

# With hidden symbols, SystemC's types have several addresses in one process. Only sc_main() is
# visible, so it is compiled separately.
function(ftr_add_model name type source)
  add_library(${name} ${type} ${source})
  target_compile_definitions(${name} PRIVATE sc_main=model_main)
  target_link_libraries(${name} PRIVATE ftr_systemc_kernel ftr_warnings)
  if(type STREQUAL "SHARED")
    set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET default
                                             LIBRARY_OUTPUT_DIRECTORY ${prototypes})
  endif()
endfunction()
ftr_add_model(loosely_timed_bus_hidden_model OBJECT loosely_timed_bus.cpp)
ftr_add_prototype(loosely_timed_bus_hidden model_main.cpp loosely_timed_bus_hidden_model)

# Models loaded as plug-ins, with a kernel that is already loaded or is loaded with them.
ftr_add_model(loosely_timed_bus_model SHARED loosely_timed_bus.cpp)
ftr_add_model(endings_model SHARED endings.cpp)
ftr_add_prototype(opens_model opens_model.cpp ${CMAKE_DL_LIBS})
target_link_options(opens_model PRIVATE -Wl,--no-as-needed)
add_executable(opens_kernel opens_model.cpp)
target_compile_definitions(opens_kernel PRIVATE OPENS_KERNEL)
target_link_libraries(opens_kernel PRIVATE ftr_warnings ${CMAKE_DL_LIBS})
set_target_properties(opens_kernel PROPERTIES ENABLE_EXPORTS ON
                                              RUNTIME_OUTPUT_DIRECTORY ${prototypes})

# A library with sc_main() for a host, for example Python.
ftr_add_model(loosely_timed_bus_hosted SHARED loosely_timed_bus.cpp)
set_target_properties(loosely_timed_bus_hosted PROPERTIES COMPILE_DEFINITIONS "")

ftr_add_prototype(loosely_timed_bus_lto loosely_timed_bus.cpp)
target_compile_options(loosely_timed_bus_lto PRIVATE -O2 -flto)
target_link_options(loosely_timed_bus_lto PRIVATE -O2 -flto=auto)

# With each installed compiler, independent of the compiler of the rest.
set(builds hidden lto)
foreach(compiler g++ clang++)
  string(TOUPPER FTR_${compiler} variable)
  string(REPLACE "+" "X" variable ${variable})
  find_program(${variable} ${compiler})
  if(${variable} AND TARGET PkgConfig::SYSTEMC AND NOT FTR_SANITIZE)
    set(program ${prototypes}/loosely_timed_bus_${compiler})
    add_custom_command(
      OUTPUT ${program}
      COMMAND ${${variable}} -std=c++17 -O2 ${SYSTEMC_CFLAGS}
              ${CMAKE_CURRENT_SOURCE_DIR}/loosely_timed_bus.cpp -o ${program} ${SYSTEMC_LDFLAGS} -lsystemc
      DEPENDS loosely_timed_bus.cpp
      VERBATIM)
    add_custom_target(loosely_timed_bus_${compiler} ALL DEPENDS ${program})
    list(APPEND builds ${compiler})
  endif()
endforeach()

# AddressSanitizer refuses preloaded libraries, and reports leaks at the end. g++ links its shared runtime.
if(FTR_GXX AND TARGET PkgConfig::SYSTEMC AND NOT FTR_SANITIZE)
  set(program ${prototypes}/loosely_timed_bus_address)
  add_custom_command(
    OUTPUT ${program}
    COMMAND ${FTR_GXX} -std=c++17 -O1 -fsanitize=address ${SYSTEMC_CFLAGS}
            ${CMAKE_CURRENT_SOURCE_DIR}/loosely_timed_bus.cpp -o ${program} ${SYSTEMC_LDFLAGS} -lsystemc
    DEPENDS loosely_timed_bus.cpp
    VERBATIM)
  add_custom_target(loosely_timed_bus_address ALL DEPENDS ${program})
endif()

list(JOIN builds "," builds)
add_test(NAME attach.Builds
         COMMAND ${FTR_SYSTEM_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/builds_test.py ${prototypes}
                 $<TARGET_FILE:ftr_attach> $<TARGET_FILE:ftr_tool>)
set_tests_properties(attach.Builds PROPERTIES ENVIRONMENT FTR_BUILDS=${builds})
