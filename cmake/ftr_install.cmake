# Installation, with a CMake package and pkg-config files for users of the libraries. The components are the packages of
# ftr_package.cmake.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME libftr-dev)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ftr)

# ftr_install_library(<shared target> <static target> <name>)
# Installs a library; its users link ftr::<name> or ftr::<name>_static. The export set is ftr_<name>.
function(ftr_install_library shared static name)
  set_target_properties(${shared} PROPERTIES EXPORT_NAME ${name})
  set_target_properties(${static} PROPERTIES EXPORT_NAME ${name}_static)
  # Installed libraries find each other in any folder.
  set_target_properties(${shared} PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(
    TARGETS ${shared} ${static}
    EXPORT ftr_${name}
    LIBRARY COMPONENT libftr NAMELINK_COMPONENT libftr-dev
    ARCHIVE COMPONENT libftr-dev)
  install(
    EXPORT ftr_${name}
    FILE ftr_${name}_targets.cmake
    NAMESPACE ftr::
    DESTINATION ${package_dir})
endfunction()

# Installs a pkg-config file made from its template. Its paths are relative to the file, so that the installed tree
# can be moved.
function(ftr_install_pkg_config name)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(prefix ${CMAKE_INSTALL_PREFIX})
    set(libdir ${CMAKE_INSTALL_FULL_LIBDIR})
    set(includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
  else()
    file(RELATIVE_PATH prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" prefix "\${pcfiledir}/${prefix}")
    set(libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
    set(includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
  endif()
  configure_file(cmake/package/${name}.pc.in ${PROJECT_BINARY_DIR}/package/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/ftr/*.h)
list(REMOVE_ITEM headers ${PROJECT_SOURCE_DIR}/include/ftr/scv.h)
install(FILES ${headers} ${PROJECT_BINARY_DIR}/include/ftr/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ftr)
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/ftr/detail/*.h)
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ftr/detail)
ftr_install_library(ftr_shared ftr_static ftr)
ftr_install_pkg_config(ftr)

if(TARGET ftr_systemc_shared)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/ftr/*.hpp)
  install(FILES ${headers} ${PROJECT_SOURCE_DIR}/include/ftr/scv.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ftr)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/ftr/detail/*.hpp)
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ftr/detail)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ftr/compat DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ftr)
  install(FILES cmake/ftr_find_systemc.cmake DESTINATION ${package_dir})
  ftr_install_library(ftr_systemc_shared ftr_systemc_static systemc)
  # A kernel that was not found by pkg-config may have no pkg-config file.
  set(kernel_requires "")
  set(kernel_cflags "")
  set(kernel_libs "")
  if(TARGET PkgConfig::SYSTEMC)
    set(kernel_requires ", systemc")
  else()
    cmake_path(GET FTR_KERNEL_LIBRARY PARENT_PATH folder)
    list(JOIN FTR_KERNEL_INCLUDE " -I" folders)
    set(kernel_cflags "-I${folders}")
    set(kernel_libs " -L${folder} -lsystemc -pthread")
  endif()
  if(FTR_KERNEL_STANDARD LESS 201703)
    string(APPEND kernel_cflags " -DSC_CPLUSPLUS=${FTR_KERNEL_STANDARD}L")
  endif()
  ftr_install_pkg_config(ftr-systemc)
endif()

configure_package_config_file(
  cmake/package/ftr-config.cmake.in ${PROJECT_BINARY_DIR}/package/ftr-config.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/ftr-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/ftr-config.cmake
              ${PROJECT_BINARY_DIR}/package/ftr-config-version.cmake DESTINATION ${package_dir})

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME ftr-tools)
foreach(section 1 3 5 7)
  file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/*.${section})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()

# The documentation, in the folders of the source tree, with the files that it links to. Links to headers are
# changed to the installed headers.
cmake_path(SET doc_dir NORMALIZE /${CMAKE_INSTALL_DOCDIR})
cmake_path(SET include_dir NORMALIZE /${CMAKE_INSTALL_INCLUDEDIR})
file(RELATIVE_PATH to_include ${doc_dir} ${include_dir})
file(READ README.md readme)
string(REPLACE "](include/" "](${to_include}/" readme "${readme}")
file(WRITE ${PROJECT_BINARY_DIR}/package/README.md "${readme}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/README.md)
install(FILES LICENSE ${PROJECT_BINARY_DIR}/package/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/*.md)
list(FILTER pages EXCLUDE REGEX "/README\\.md$")
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(
  DIRECTORY docs
  DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING
  PATTERN "*.md"
  PATTERN "*.png"
  PATTERN "*.svg"
  PATTERN man EXCLUDE
  PATTERN completion EXCLUDE)
install(DIRECTORY sc_examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES bench/workload_data.h bench/core_loops.c bench/adapter_loops.cpp
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)

# Completion files, in the folders that the shells search.
foreach(command ftr ftr-ld)
  install(
    FILES docs/completion/ftr.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME ${command})
endforeach()
install(FILES docs/completion/_ftr DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES docs/completion/ftr.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
include(cmake/ftr_package.cmake)
