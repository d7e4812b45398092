# Builds everything with the sanitizers of FTR_SANITIZE, for example "address;undefined". A finding ends the
# program.
set(FTR_SANITIZE "" CACHE STRING "Sanitizers to build with, as of -fsanitize=")
if(FTR_SANITIZE)
  list(JOIN FTR_SANITIZE "," sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
  if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
    add_compile_options(-fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/foreign_headers.txt)
  endif()
  # A preloaded library and the program share one runtime. gcc links a shared runtime by default. clang needs the option
  # -shared-libasan, and the folder of its runtime, which the dynamic linker does not search. libFuzzer has a runtime of
  # its own.
  if(CMAKE_C_COMPILER_ID STREQUAL "Clang" AND "address" IN_LIST FTR_SANITIZE AND NOT FTR_FUZZ)
    execute_process(
      COMMAND ${CMAKE_C_COMPILER} -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
      OUTPUT_VARIABLE runtime
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    cmake_path(GET runtime PARENT_PATH runtime_folder)
    add_link_options(-shared-libasan -Wl,-rpath,${runtime_folder})
  endif()
endif()
