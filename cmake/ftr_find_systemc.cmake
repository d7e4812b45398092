# Defines the target ftr_systemc_kernel for SystemC: from SystemC's CMake package if installed, else from pkg-config
# (Debian's libsystemc-dev). Without SystemC the target is not defined. The installed package includes this file,
# too; so the target is IMPORTED, which keeps it out of the exports of targets that link it.
if(TARGET ftr_systemc_kernel)
  return()
endif()
find_package(SystemCLanguage CONFIG QUIET)
if(NOT TARGET SystemC::systemc)
  pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc)
endif()

if(TARGET SystemC::systemc OR TARGET PkgConfig::SYSTEMC)
  add_library(ftr_systemc_kernel INTERFACE IMPORTED)
  if(TARGET SystemC::systemc)
    target_link_libraries(ftr_systemc_kernel INTERFACE SystemC::systemc)
    set(FTR_KERNEL_VERSION ${SystemCLanguage_VERSION})
  else()
    target_link_libraries(ftr_systemc_kernel INTERFACE PkgConfig::SYSTEMC)
    set(FTR_KERNEL_VERSION ${SYSTEMC_VERSION})
  endif()
  # SystemC requires that programs use the C++ standard of its library: C++17 for Debian's package, as in this
  # project.
  target_compile_features(ftr_systemc_kernel INTERFACE cxx_std_17)
endif()
