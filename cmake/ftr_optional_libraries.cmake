# Libraries that parts of ftr need, and that are used if they are installed.
option(FTR_OPTIONAL_LIBRARIES "Use the optional libraries that are installed" ON)

# ftr_find_optional(<prefix> <module>): as pkg_check_modules() with an imported target. Without the option, no library
# is found.
macro(ftr_find_optional prefix module)
  if(FTR_OPTIONAL_LIBRARIES)
    unset(${prefix}_FOUND)
    pkg_check_modules(${prefix} IMPORTED_TARGET ${module})
  else()
    set(${prefix}_FOUND FALSE) # instead of the cached value
  endif()
endmacro()
