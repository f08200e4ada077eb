# Faults during a run: stops, full disks, lost devices, allocation after the seal.
fathom_test(fault stop fathom_cli_fixture)
fathom_test(fault bioheat_stop fathom_bioheat_job fathom_gpu)
fathom_cuda_test(fault bioheat_stop)
fathom_test(fault nbody_stop fathom_cli_fixture fathom_gpu PkgConfig::CJSON)
fathom_cuda_test(fault nbody_stop)
fathom_test(fault gas_stop fathom_gas_job fathom_gpu PkgConfig::CJSON)
fathom_cuda_test(fault gas_stop)
fathom_test(fault ising_stop fathom_ising_job fathom_gpu PkgConfig::CJSON)
fathom_cuda_test(fault ising_stop)
# Killed at every call that changes a folder, by a library that is loaded before the C library: not beside a
# sanitizer's own.
fathom_test(fault kill_points fathom_bioheat_job fathom_gas_job fathom_ising_job fathom_nbody_job)
if(NOT FATHOM_SANITIZE)
    add_library(fathom_kill_shim MODULE support/kill_shim.c)
    target_link_libraries(fathom_kill_shim PRIVATE fathom_options)
    target_compile_definitions(test_fault_kill_points PRIVATE
        FATHOM_TEST_SHIM="$<TARGET_FILE:fathom_kill_shim>")
    add_dependencies(test_fault_kill_points fathom_kill_shim)
endif()
fathom_test(fault surroundings fathom_ising_job)
target_compile_definitions(test_fault_surroundings PRIVATE FATHOM_PROGRAM="$<TARGET_FILE:fathom>")
fathom_test(fault limits fathom_ising_job)
target_compile_definitions(test_fault_limits PRIVATE FATHOM_PROGRAM="$<TARGET_FILE:fathom>")
fathom_test(fault disk fathom_bioheat_job fathom_gas_job fathom_ising_job fathom_nbody_job)
fathom_test(fault report_kill fathom_nbody_job)
fathom_test(fault guards fathom_bioheat_job fathom_gas_job fathom_ising_job fathom_nbody_job)
# Overnight batches: tests/support/overnight.h.
add_library(fathom_overnight STATIC support/overnight.c)
target_link_libraries(fathom_overnight PUBLIC fathom_bioheat_job fathom_gas_job fathom_ising_job
    fathom_nbody_job)
fathom_test(fault overnight fathom_overnight)
fathom_test(fault overnight_faults fathom_overnight)
set_tests_properties(fault.overnight fault.overnight_faults PROPERTIES ENVIRONMENT
    "OMP_WAIT_POLICY=passive;HDF5_USE_FILE_LOCKING=FALSE" PROCESSORS 2)
fathom_test(fault damage fathom_bioheat_job fathom_gas_job fathom_ising_job fathom_nbody_job fathom_io
    fathom_test_folder)
fathom_test(fault allocation fathom_bioheat_job fathom_gas_job fathom_ising_job fathom_cli OpenMP::OpenMP_C)
target_sources(test_fault_allocation PRIVATE fault/allocation_books.c)
set_tests_properties(fault.allocation PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)
fathom_cuda_test(fault allocation)
fathom_test(fault device_cuda fathom_cli_fixture fathom_cli PkgConfig::CJSON)
set_tests_properties(fault.device_cuda PROPERTIES LABELS "fault;cuda" SKIP_RETURN_CODE 77 RESOURCE_LOCK cuda)
if(FATHOM_HAVE_CUDA)
    target_link_libraries(test_fault_device_cuda PRIVATE fathom_gpu_poison)
    target_compile_definitions(test_fault_device_cuda PRIVATE FATHOM_TEST_HAS_CUDA)
    # Device and pinned memory are counted, too: each of the runtime's ways to ask for any.
    target_link_options(test_fault_allocation PRIVATE
        -Wl,--wrap=cudaMalloc,--wrap=cudaMallocHost,--wrap=cudaMallocAsync,--wrap=cudaMallocManaged
        -Wl,--wrap=cudaHostAlloc,--wrap=cudaHostRegister)
    target_compile_definitions(test_fault_allocation PRIVATE FATHOM_TEST_HAS_CUDA)
    # Needs no device: it stands in for one.
    fathom_test(fault device_code fathom_gpu)
    target_link_options(test_fault_device_code PRIVATE
        -Wl,--wrap=cudaDriverGetVersion,--wrap=cudaGetDeviceCount,--wrap=cudaGetDeviceProperties
        -Wl,--wrap=cudaGetDeviceProperties_v2,--wrap=cudaSetDevice,--wrap=cudaFuncGetAttributes
        -Wl,--wrap=cudaGetLastError,--wrap=cudaEventQuery)
endif()
