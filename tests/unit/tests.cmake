# The core, part by part.
# The run loop over a simulation that only keeps books: tests/support/fake_run.h.
add_library(fathom_fake_run STATIC support/fake_run.c)
target_link_libraries(fathom_fake_run PUBLIC fathom_core PkgConfig::CMOCKA PRIVATE fathom_options)
# Ranks that are threads: tests/support/thread_ranks.h.
add_library(fathom_thread_ranks STATIC support/thread_ranks.c)
target_link_libraries(fathom_thread_ranks PUBLIC fathom_parallel PkgConfig::CMOCKA PRIVATE fathom_options)
fathom_test_program(unit fathom_fake_run fathom_test_folder fathom_batch fathom_gpu fathom_validate
    fathom_report PkgConfig::NETCDF PkgConfig::CJSON PkgConfig::WEBP)
fathom_tests(unit status philox reproducible elementary statistics weighted nnls log memory_plan memory_limits
    overlap placement batch_disk pipeline_orders watch run_checks run_ahead compare_statistics text_size web)
# Apart: built without the models.
fathom_test(unit shares fathom_parallel)
fathom_test(unit ranks fathom_thread_ranks)
if(FATHOM_HAVE_CUDA) # its headers; no device
    fathom_test(unit device_allgather fathom_gpu)
endif()
fathom_test(unit ranks_work fathom_thread_ranks fathom_parallel_work)
# With a clock of their own: tests/support/test_clock.h.
fathom_test(unit progress fathom_core)
fathom_test(unit pipeline fathom_core)
fathom_test(unit run fathom_fake_run)
fathom_test(unit solver fathom_models)
fathom_test(unit tiles_moving fathom_models fathom_thread_ranks)
# clang, where there is one, compiles what gcc compiles.
find_program(FATHOM_CLANG NAMES clang clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14
    DOC "clang with libFuzzer, for the fuzzing harnesses")
if(FATHOM_CLANG)
    add_test(NAME unit.clang COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/unit/clang_compiles ${FATHOM_CLANG}
        ${PROJECT_SOURCE_DIR}
        ${PROJECT_BINARY_DIR}/generated)
else()
    add_test(NAME unit.clang COMMAND sh -c "echo 'there is no clang'; exit 77")
endif()
set_tests_properties(unit.clang PROPERTIES LABELS unit SKIP_RETURN_CODE 77)
