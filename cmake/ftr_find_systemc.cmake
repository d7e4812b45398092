# Defines the target ftr_systemc_kernel for SystemC, and
#
#     FTR_KERNEL_VERSION   version of its headers, as in 2.3.4
#     FTR_KERNEL_STANDARD  C++ standard that its library was built for, as in __cplusplus
#     FTR_KERNEL_LIBRARY   path of its library
#     FTR_KERNEL_INCLUDE   folders of its headers
#
# The user can name a SystemC: with -DSYSTEMC_HOME=DIR, or SYSTEMC_HOME in the environment, an installation of
# Accellera's sources; with -DSystemCLanguage_DIR=DIR, its CMake package. If there is no SystemC at the named place, the
# configuration fails. Without a name, this file searches the CMake package, then pkg-config (Debian's libsystemc-dev).
# Without SystemC, the target is not defined. The installed package includes this file, too; so the target is IMPORTED,
# which keeps it out of the exports of targets that link it.
if(TARGET ftr_systemc_kernel)
  return()
endif()

# ftr_search_systemc_home(<home>): accepts the layouts of configure (lib-linux64) and of CMake.
function(ftr_search_systemc_home home)
  unset(FTR_SYSTEMC_LIBRARY CACHE) # the cached value may belong to another folder
  unset(FTR_SYSTEMC_INCLUDE CACHE)
  find_library(
    FTR_SYSTEMC_LIBRARY systemc
    PATHS ${home}
    PATH_SUFFIXES lib lib64 lib-linux64 lib-linuxaarch64 lib-linux lib/${CMAKE_LIBRARY_ARCHITECTURE}
    NO_DEFAULT_PATH)
  find_path(
    FTR_SYSTEMC_INCLUDE sysc/kernel/sc_ver.h
    PATHS ${home}
    PATH_SUFFIXES include
    NO_DEFAULT_PATH)
  if(NOT FTR_SYSTEMC_LIBRARY OR NOT FTR_SYSTEMC_INCLUDE)
    message(FATAL_ERROR "SYSTEMC_HOME is ${home}, which has no include/sysc/kernel/sc_ver.h, or no libsystemc.so or "
                        "libsystemc.a in lib, lib64 or lib-linux64. Set it to the folder that SystemC was installed in")
  endif()
  set(FTR_KERNEL_LIBRARY ${FTR_SYSTEMC_LIBRARY} PARENT_SCOPE)
  set(FTR_KERNEL_INCLUDE ${FTR_SYSTEMC_INCLUDE} PARENT_SCOPE)
endfunction()

# Reads the version from the headers, because the packages of SystemC spell the version in several ways.
function(ftr_read_kernel_version)
  unset(FTR_SYSTEMC_VERSION_HEADER CACHE)
  find_file(FTR_SYSTEMC_VERSION_HEADER sysc/kernel/sc_ver.h HINTS ${FTR_KERNEL_INCLUDE})
  if(NOT FTR_SYSTEMC_VERSION_HEADER)
    message(FATAL_ERROR "SystemC's library is ${FTR_KERNEL_LIBRARY}, but sysc/kernel/sc_ver.h was not found")
  endif()
  set(numbers)
  foreach(part MAJOR MINOR PATCH)
    file(STRINGS ${FTR_SYSTEMC_VERSION_HEADER} line REGEX "define SC_VERSION_${part}")
    string(REGEX MATCH "[0-9]+" number "${line}")
    list(APPEND numbers ${number})
  endforeach()
  list(JOIN numbers "." version)
  set(FTR_KERNEL_VERSION ${version} PARENT_SCOPE)
endfunction()

# Reads the standard from the name of a constructor that every program needs; its class is named after the standard.
function(ftr_read_kernel_standard)
  file(STRINGS ${FTR_KERNEL_LIBRARY} symbols REGEX "sc_api_version_[0-9_]+cxx[0-9]+L" LIMIT_COUNT 1)
  if(NOT symbols MATCHES "cxx([0-9]+)L")
    message(FATAL_ERROR "${FTR_KERNEL_LIBRARY} is not a SystemC library: it has no sc_api_version")
  endif()
  set(FTR_KERNEL_STANDARD ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

set(kernel_source "")
set(kernel_home "${SYSTEMC_HOME}")
set(named_package "${SystemCLanguage_DIR}")
if(NOT kernel_home AND NOT named_package)
  set(kernel_home "$ENV{SYSTEMC_HOME}")
endif()
if(kernel_home)
  ftr_search_systemc_home(${kernel_home})
  set(kernel_source "SYSTEMC_HOME")
else()
  find_package(SystemCLanguage CONFIG QUIET NO_CMAKE_PACKAGE_REGISTRY)
  if(named_package AND NOT named_package STREQUAL SystemCLanguage_DIR)
    message(FATAL_ERROR "SystemCLanguage_DIR is ${named_package}, which has no SystemCLanguageConfig.cmake")
  elseif(TARGET SystemC::systemc)
    get_target_property(configurations SystemC::systemc IMPORTED_CONFIGURATIONS)
    list(GET configurations 0 configuration)
    get_target_property(FTR_KERNEL_LIBRARY SystemC::systemc IMPORTED_LOCATION_${configuration})
    get_target_property(FTR_KERNEL_INCLUDE SystemC::systemc INTERFACE_INCLUDE_DIRECTORIES)
    set(kernel_source "the CMake package ${SystemCLanguage_DIR}")
  else()
    pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc)
    if(TARGET PkgConfig::SYSTEMC)
      list(FILTER SYSTEMC_LINK_LIBRARIES INCLUDE REGEX "systemc")
      list(GET SYSTEMC_LINK_LIBRARIES 0 FTR_KERNEL_LIBRARY)
      set(FTR_KERNEL_INCLUDE ${SYSTEMC_INCLUDE_DIRS})
      set(kernel_source "pkg-config")
    endif()
  endif()
endif()

if(kernel_source)
  ftr_read_kernel_version()
  ftr_read_kernel_standard()
  message(STATUS "SystemC ${FTR_KERNEL_VERSION} for C++ standard ${FTR_KERNEL_STANDARD}: ${FTR_KERNEL_LIBRARY} (from "
                 "${kernel_source})")
  add_library(ftr_systemc_kernel INTERFACE IMPORTED)
  if(TARGET SystemC::systemc)
    target_link_libraries(ftr_systemc_kernel INTERFACE SystemC::systemc)
  elseif(TARGET PkgConfig::SYSTEMC)
    target_link_libraries(ftr_systemc_kernel INTERFACE PkgConfig::SYSTEMC)
  else()
    find_package(Threads REQUIRED)
    target_include_directories(ftr_systemc_kernel INTERFACE ${FTR_KERNEL_INCLUDE})
    target_link_libraries(ftr_systemc_kernel INTERFACE ${FTR_KERNEL_LIBRARY} Threads::Threads)
  endif()
  # SystemC requires that programs use the C++ standard of its library. With this macro, a program for a later standard
  # uses the interface of the library's standard.
  if(FTR_KERNEL_STANDARD LESS 201703)
    target_compile_definitions(ftr_systemc_kernel INTERFACE SC_CPLUSPLUS=${FTR_KERNEL_STANDARD}L)
    target_compile_features(ftr_systemc_kernel INTERFACE cxx_std_14)
  elseif(FTR_KERNEL_STANDARD LESS 202002)
    target_compile_features(ftr_systemc_kernel INTERFACE cxx_std_17)
  elseif(FTR_KERNEL_STANDARD LESS 202101)
    target_compile_features(ftr_systemc_kernel INTERFACE cxx_std_20)
  else()
    target_compile_features(ftr_systemc_kernel INTERFACE cxx_std_23)
  endif()
endif()
