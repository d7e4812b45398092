# Builds everything with the sanitizers of FTR_SANITIZE, a list, for example "address;undefined". Any finding
# aborts the program.
set(FTR_SANITIZE "" CACHE STRING "Sanitizers to build with, as for -fsanitize=")
if(FTR_SANITIZE)
  list(JOIN FTR_SANITIZE "," sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
endif()
