# Every fast version against the reference, and what it makes on a device against what the host makes.
fathom_test(conformance tsunami fathom_tsunami_fixture fathom_gpu)
# Threads that wait for each other at every step must not spin where other tests run beside them.
set_tests_properties(conformance.tsunami
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
fathom_cuda_test(conformance tsunami)
# The same where the shore moves.
fathom_test(conformance runup fathom_tsunami_fixture fathom_gpu)
set_tests_properties(conformance.runup
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
fathom_cuda_test(conformance runup)
# Grids in each other.
fathom_test(conformance nested fathom_tsunami_fixture fathom_gpu)
set_tests_properties(conformance.nested
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
fathom_cuda_test(conformance nested)
# Heat in tissue.
fathom_test(conformance bioheat fathom_bioheat_fixture fathom_gpu)
set_tests_properties(conformance.bioheat
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
fathom_cuda_test(conformance bioheat)
# N bodies.
fathom_test(conformance nbody fathom_nbody_fixture fathom_gpu)
set_tests_properties(conformance.nbody
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
fathom_cuda_test(conformance nbody)
fathom_test(conformance nbody_tree fathom_nbody_fixture fathom_gpu)
set_tests_properties(conformance.nbody_tree
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
fathom_cuda_test(conformance nbody_tree)
# The gas.
fathom_test(conformance gas fathom_gas_fixture fathom_gpu)
set_tests_properties(conformance.gas
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
fathom_cuda_test(conformance gas)
foreach(subject bits field findings)
    fathom_test(conformance gas_${subject} fathom_gas_fixture fathom_gpu)
    set_tests_properties(conformance.gas_${subject} PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
    fathom_cuda_test(conformance gas_${subject})
endforeach()
# In whole models: fathom_cli_fixture writes their jobs and grids.
add_library(fathom_model_run STATIC support/model_run.c)
target_link_libraries(fathom_model_run PUBLIC fathom_cli_fixture fathom_cli fathom_options PkgConfig::CJSON PkgConfig::CMOCKA m)
fathom_test(conformance results fathom_model_run)
set_tests_properties(conformance.results PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive")
fathom_cuda_test(conformance results)
fathom_test(conformance bioheat_results fathom_bioheat_job fathom_model_run)
set_tests_properties(conformance.bioheat_results PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive")
fathom_cuda_test(conformance bioheat_results)
fathom_test(conformance nbody_results fathom_model_run OpenMP::OpenMP_C)
set_tests_properties(conformance.nbody_results PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive")
fathom_cuda_test(conformance nbody_results)
fathom_test(conformance gas_results fathom_gas_job fathom_model_run OpenMP::OpenMP_C)
set_tests_properties(conformance.gas_results PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive")
fathom_cuda_test(conformance gas_results)
fathom_test(conformance ising_frames fathom_ising_job fathom_model_run fathom_gpu OpenMP::OpenMP_C)
set_tests_properties(conformance.ising_frames PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive")
fathom_cuda_test(conformance ising_frames)
fathom_test(conformance ising_results fathom_ising_job fathom_gpu)
set_tests_properties(conformance.ising_results PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive")
fathom_cuda_test(conformance ising_results)
if(FATHOM_HAVE_CUDA)
    fathom_test(conformance frames_cuda fathom_gpu)
    set_tests_properties(conformance.frames_cuda PROPERTIES LABELS "conformance;cuda" SKIP_RETURN_CODE 77
        RESOURCE_LOCK cuda)
endif()
fathom_test(conformance ising fathom_models fathom_gpu OpenMP::OpenMP_C)
set_tests_properties(conformance.ising PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive")
fathom_cuda_test(conformance ising)
