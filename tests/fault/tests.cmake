# Faults during a run: stops, full disks, lost devices, allocation after the seal.
# Overnight batches: tests/support/overnight.h.
add_library(fathom_overnight STATIC support/overnight.c)
target_link_libraries(fathom_overnight PUBLIC fathom_bioheat_job fathom_gas_job fathom_ising_job
    fathom_nbody_job)
fathom_test_program(fault fathom_overnight fathom_gpu fathom_io PkgConfig::NETCDF PkgConfig::CJSON)
target_compile_definitions(test_fault PRIVATE FATHOM_PROGRAM="$<TARGET_FILE:fathom>")
fathom_tests(fault stop surroundings limits disk report_kill guards damage kill_points crash)
fathom_tests(fault DEVICE bioheat_stop nbody_stop gas_stop ising_stop)
fathom_tests(fault THREADS overnight overnight_faults batch_workers)
set_property(TEST fault.overnight fault.overnight_faults fault.batch_workers APPEND PROPERTY ENVIRONMENT
    "HDF5_USE_FILE_LOCKING=FALSE")
# Killed at every call that changes a folder, and crashed in calls of netCDF, by libraries that are loaded
# before the C library: not beside a sanitizer's own.
if(NOT FATHOM_SANITIZE)
    add_library(fathom_kill_shim MODULE support/kill_shim.c)
    target_link_libraries(fathom_kill_shim PRIVATE fathom_options)
    target_compile_definitions(test_fault PRIVATE FATHOM_TEST_SHIM="$<TARGET_FILE:fathom_kill_shim>")
    add_library(fathom_crash_shim MODULE support/crash_shim.c)
    target_link_libraries(fathom_crash_shim PRIVATE fathom_options PkgConfig::NETCDF)
    target_compile_definitions(test_fault PRIVATE FATHOM_TEST_CRASH_SHIM="$<TARGET_FILE:fathom_crash_shim>")
    add_dependencies(test_fault fathom_kill_shim fathom_crash_shim)
endif()
fathom_test(fault allocation fathom_bioheat_job fathom_gas_job fathom_ising_job fathom_cli OpenMP::OpenMP_C)
target_sources(test_fault_allocation PRIVATE fault/allocation_books.c)
set_tests_properties(fault.allocation PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)
fathom_test(fault allocation_ranks fathom_models fathom_thread_ranks OpenMP::OpenMP_C)
target_sources(test_fault_allocation_ranks PRIVATE fault/allocation_books.c)
fathom_test(fault allocation_tsunami fathom_models fathom_thread_ranks OpenMP::OpenMP_C)
target_sources(test_fault_allocation_tsunami PRIVATE fault/allocation_books.c)
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
