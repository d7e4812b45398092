# The model in README.md is built and recorded as it stands there.
file(READ ${PROJECT_SOURCE_DIR}/README.md readme)
string(FIND "${readme}" "```cpp\n" at)
math(EXPR at "${at} + 7")
string(SUBSTRING "${readme}" ${at} -1 readme)
string(FIND "${readme}" "```\n" length)
string(SUBSTRING "${readme}" 0 ${length} model)
file(CONFIGURE OUTPUT readme_example.cpp CONTENT "${model}" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/README.md)

add_executable(readme_example ${CMAKE_CURRENT_BINARY_DIR}/readme_example.cpp)
target_link_libraries(readme_example PRIVATE ftr::systemc ftr_warnings)
# SystemC's library calls sc_main().
set_target_properties(readme_example PROPERTIES CXX_VISIBILITY_PRESET default)
add_test(NAME Readme.ModelRecords COMMAND readme_example)
add_test(NAME Readme.RecordingIsSound COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/ftr_decode.py check --werror
                                              readme_example.ftr)
set_tests_properties(Readme.ModelRecords PROPERTIES ENVIRONMENT "FTR_TRACE=readme_example.ftr;FTR_STRICT=1"
                                                    FIXTURES_SETUP readme_example)
set_tests_properties(Readme.RecordingIsSound PROPERTIES FIXTURES_REQUIRED readme_example)
