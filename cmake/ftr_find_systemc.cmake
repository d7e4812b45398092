# SystemC as the target ftr_systemc_kernel: by its own CMake package where it has one, else by pkg-config
# (Debian's libsystemc-dev). Without SystemC there is no target. The installed package includes this file
# too, hence IMPORTED: what links the target is exported without it.
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
  # SystemC binds each program that includes it to the C++ standard its library was built with. Debian's:
  # C++17, which is this project's own.
  target_compile_features(ftr_systemc_kernel INTERFACE cxx_std_17)
endif()
