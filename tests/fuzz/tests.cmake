# Fuzzing as tests: a first one, fuzz.build, compiles the harnesses with clang in a folder of their own, while
# other tests run; then each runs its corpus and a fixed number of inputs made from it, always the same. Where
# there is no clang with libFuzzer each is a test that is skipped, by name: exit code 77, which is libFuzzer's
# own for findings unless it is told another. The release suite has them; builds with sanitizers of their own
# do not repeat them.
if(FATHOM_SANITIZE)
    return()
endif()

find_program(FATHOM_CLANG NAMES clang clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14
    DOC "clang with libFuzzer, for the fuzzing harnesses")
if(FATHOM_CLANG AND NOT DEFINED FATHOM_CLANG_FUZZES)
    set(probe ${CMAKE_CURRENT_BINARY_DIR}/fuzz_probe)
    file(WRITE ${probe}.c 
        "int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size)\n"
        "{\n    return (void)data, size > 3;\n}\n")
    execute_process(COMMAND ${FATHOM_CLANG} -fsanitize=fuzzer,address,undefined ${probe}.c -o ${probe}
        RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(result EQUAL 0)
        set(FATHOM_CLANG_FUZZES ON CACHE INTERNAL "clang links programs with libFuzzer")
    endif()
endif()

set(FUZZ_BUILD_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
set(FUZZ_TEST_NAMES)
if(FATHOM_CLANG_FUZZES)
    add_test(NAME fuzz.build COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/run 0)
    set_tests_properties(fuzz.build PROPERTIES LABELS fuzz COST 200 PROCESSORS 2
        FIXTURES_SETUP fuzz
        ENVIRONMENT "FATHOM_FUZZ_BUILD=${FUZZ_BUILD_DIRECTORY};FATHOM_CLANG=${FATHOM_CLANG}")
    set_property(TEST fuzz.build APPEND PROPERTY ENVIRONMENT "CMAKE_GENERATOR=${CMAKE_GENERATOR}")
    # -O0 compiles in a quarter of the time, -g0 in a tenth less; by hand a finding has lines.
    set_property(TEST fuzz.build APPEND PROPERTY ENVIRONMENT "FATHOM_FUZZ_OPTIMIZE=-O0 -g0")
endif()

# fathom_fuzz_test(NAME RUNS)
function(fathom_fuzz_test name runs)
    if(FATHOM_CLANG_FUZZES)
        file(GLOB seeds CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name}/*)
        list(JOIN seeds "," seeds)
        add_test(NAME fuzz.${name} COMMAND ${FUZZ_BUILD_DIRECTORY}/tests/fuzz/fuzz ${name} -runs=${runs}
            -seed=1 -max_len=2048 -len_control=0 -detect_leaks=0
            -timeout=60 -error_exitcode=1 -malloc_limit_mb=300 -rss_limit_mb=2048 -close_fd_mask=3
                -artifact_prefix=${FUZZ_BUILD_DIRECTORY}/${name}-
            -seed_inputs=${seeds})
        set_tests_properties(fuzz.${name} PROPERTIES FIXTURES_REQUIRED fuzz)
    else()
        add_test(NAME fuzz.${name} COMMAND sh -c "echo 'there is no clang with libFuzzer'; exit 77")
    endif()
    set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz SKIP_RETURN_CODE 77)
endfunction()

# The corpora, and a few seconds of inputs, which are the same each time: what changes in the program shows at
# once. New findings need tests/fuzz/run and hours.
fathom_fuzz_test(job 1500)
fathom_fuzz_test(job_keys 250)
fathom_fuzz_test(start 200)
fathom_fuzz_test(tables 200)
fathom_fuzz_test(earthquake 1500)
fathom_fuzz_test(points 1100)
fathom_fuzz_test(units 1800)
fathom_fuzz_test(grid_text 1800)
fathom_fuzz_test(grid_geotiff 1500)
fathom_fuzz_test(netcdf_grid 350)
fathom_fuzz_test(netcdf_volume 350)
fathom_fuzz_test(netcdf_dataset 350)
fathom_fuzz_test(netcdf_propagation 200)
fathom_fuzz_test(hazard 60)
fathom_fuzz_test(pressure 300)
fathom_fuzz_test(netcdf_classic 20000)
fathom_fuzz_test(series 1000)
fathom_fuzz_test(nifti 3000)
fathom_fuzz_test(checkpoint 2000)
fathom_fuzz_test(partial 100)
fathom_fuzz_test(journal 1000)
fathom_fuzz_test(queue 1500)
fathom_fuzz_test(scenarios 2000)
