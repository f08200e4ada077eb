# Layout and style, as far as a program can check them.
add_test(NAME tidy.rules COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/tidy/tidy.py
    ${PROJECT_SOURCE_DIR})
add_test(NAME tidy.violations COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tidy/rules_find_violations)
find_program(FATHOM_CLANG_FORMAT NAMES clang-format-14 clang-format
    DOC "clang-format 14, for the test of layout")
mark_as_advanced(FATHOM_CLANG_FORMAT)
add_test(NAME tidy.format COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tidy/format ${FATHOM_CLANG_FORMAT}
    ${PROJECT_SOURCE_DIR})
set_tests_properties(tidy.rules tidy.violations tidy.format PROPERTIES LABELS tidy
    SKIP_RETURN_CODE 77)
