# The ladders of the sources. Where they are compiled in, a program that is linked without them stands for a
# build that has none.
if(FATHOM_LADDERS)
    add_executable(fathom_without_ladders ${PROJECT_SOURCE_DIR}/cli/fathom.c
        ${PROJECT_SOURCE_DIR}/bench/ladder/tables_none.c
        ${PROJECT_SOURCE_DIR}/bench/ladder/ising/times_none.c)
    target_link_libraries(fathom_without_ladders PRIVATE fathom_cli)
    set(FATHOM_WITHOUT_LADDERS fathom_without_ladders)
    fathom_test_program(bench fathom_ladder fathom_cli fathom_cli_fixture fathom_tsunami_fixture fathom_gpu
        PkgConfig::CJSON)
    fathom_tests(bench ladder_figures ladder_gas ladder_tables)
    fathom_tests(bench DEVICE ladder_bioheat ladder_gas_cells ladder_ising ladder_tsunami)
else()
    set(FATHOM_WITHOUT_LADDERS fathom)
endif()
add_test(NAME bench.without_ladders COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/bench/without_ladders
    $<TARGET_FILE:${FATHOM_WITHOUT_LADDERS}> ${PROJECT_SOURCE_DIR})
set_tests_properties(bench.without_ladders PROPERTIES LABELS bench ENVIRONMENT "${FATHOM_TEST_ENVIRONMENT}")

# The authors' figures, in the pages as in data/ladders.
add_test(NAME bench.figures_in_pages COMMAND /usr/bin/python3
    ${CMAKE_CURRENT_SOURCE_DIR}/bench/figures_in_pages.py ${PROJECT_SOURCE_DIR})
set_tests_properties(bench.figures_in_pages PROPERTIES LABELS bench)
