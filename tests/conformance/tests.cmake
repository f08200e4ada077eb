# Every fast version against the reference, and what it makes on a device against what the host makes.
# In whole models: fathom_cli_fixture writes their jobs and grids.
add_library(fathom_model_run STATIC support/model_run.c support/result_ways.c)
target_link_libraries(fathom_model_run PUBLIC fathom_cli_fixture fathom_cli fathom_options
    PkgConfig::CJSON PkgConfig::CMOCKA m)
fathom_test_program(conformance fathom_tsunami_fixture fathom_bioheat_fixture fathom_nbody_fixture
    fathom_gas_fixture
    fathom_model_run fathom_bioheat_job fathom_gas_job fathom_ising_job fathom_gpu OpenMP::OpenMP_C)
fathom_tests(conformance DEVICE tsunami runup nested bioheat nbody nbody_tree gas gas_bits gas_noise
    gas_field gas_findings ising results bioheat_results nbody_results gas_results ising_frames
    ising_results)
fathom_test(conformance ising_ranks fathom_models fathom_thread_ranks OpenMP::OpenMP_C)
if(FATHOM_HAVE_CUDA)
    fathom_tests(conformance frames_cuda)
    set_tests_properties(conformance.frames_cuda PROPERTIES LABELS "conformance;cuda" SKIP_RETURN_CODE 77
        RESOURCE_LOCK cuda)
endif()
