# The warning options of every target of this project.
add_library(ftr_warnings INTERFACE)
target_compile_options(
  ftr_warnings
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wvla
            $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
            $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
            $<$<BOOL:${FTR_WARNINGS_AS_ERRORS}>:-Werror>)
