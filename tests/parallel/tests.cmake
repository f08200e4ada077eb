# Ranks of MPI on this machine: each MPI that has a module and its own mpirun. Over shared memory, without a
# network; more ranks than cores.
add_library(fathom_parallel_work STATIC parallel/work.c)
target_link_libraries(fathom_parallel_work PUBLIC fathom_parallel PRIVATE fathom_options m)
add_executable(parallel_program parallel/program.c)
target_link_libraries(parallel_program PRIVATE fathom_parallel_work fathom_options)

add_executable(parallel_heat_inputs parallel/heat_inputs.c)
target_link_libraries(parallel_heat_inputs PRIVATE PkgConfig::NETCDF fathom_options m)
add_executable(parallel_counted parallel/counted.c fault/allocation_books.c)
target_link_libraries(parallel_counted PRIVATE fathom_cli fathom_options)
target_link_options(parallel_counted PRIVATE -Wl,--wrap=launch_start,--wrap=memory_plan_seal)

# Cases of a script, for the MPI of the loop: launched as SCRIPT MPI CASE LAUNCHER ARGUMENTS...
function(parallel_cases prefix script processors timeout cases)
    foreach(case ${cases})
        add_test(NAME parallel.${mpi}_${prefix}${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/${script} ${mpi} ${case} ${launcher} ${ARGN})
        set_tests_properties(parallel.${mpi}_${prefix}${case} PROPERTIES LABELS parallel SKIP_RETURN_CODE 77
            PROCESSORS ${processors} TIMEOUT ${timeout} ENVIRONMENT "${FATHOM_TEST_ENVIRONMENT}")
    endforeach()
endfunction()

# A model and the program do not know which MPI it is: with Open MPI all cases, with MPICH those in which the
# library or its launcher may differ, and some of each model (-DFATHOM_ALL_RANK_TESTS=ON: all with both).
option(FATHOM_ALL_RANK_TESTS "Test all cases of several ranks with every MPI" OFF)
mark_as_advanced(FATHOM_ALL_RANK_TESTS)
set(all_engine work_1 work_2 work_3 work_5 fail kill stop late no_module)
set(openmpi_run refused equal shares stop kill removed memory)
set(openmpi_ising metropolis metropolis-integer heat-bath swendsen-wang wolff moved_heat-bath
    moved_metropolis-integer moved_swendsen-wang moved_wolff plan refused)
set(openmpi_heat euler euler-in-place three-colour source-three-colour rkl2 fields pressure periodic chain
    plan shares moved lost allocations refused)
set(openmpi_messages no_module usage job help others another unlike)
set(openmpi_batch equal stop killed crash hang refused)
set(openmpi_bench tsunami bioheat ising weak refused)
set(openmpi_faults disk_1 memory nan term launcher_int launcher_term launcher_kill suspended silent disk_0
    disk_full read_only unseen revenant)
set(openmpi_auto ising bioheat tsunami)
set(openmpi_kills 2)
set(openmpi_tsunami c-grid-6 vtcs2 vtcs2-o2 muscl-hancock vtcs2-shore tall dispersion periodic plan
    allocations nested moved refused)
set(mpich_run refused equal stop kill)
set(mpich_ising swendsen-wang moved_wolff)
set(mpich_heat rkl2 moved lost)
set(mpich_messages no_module usage unlike)
set(mpich_batch equal stop)
set(mpich_bench tsunami)
set(mpich_faults disk_1 memory term launcher_int launcher_term launcher_kill silent)
set(mpich_auto "")
set(mpich_kills 1)
set(mpich_tsunami muscl-hancock allocations moved)
if(FATHOM_ALL_RANK_TESTS)
    foreach(group run ising heat messages batch bench faults auto tsunami)
        set(mpich_${group} ${openmpi_${group}})
    endforeach()
endif()

foreach(mpi openmpi mpich)
    find_program(FATHOM_MPIRUN_${mpi} mpirun.${mpi} DOC "launcher of ${mpi}, for tests")
    mark_as_advanced(FATHOM_MPIRUN_${mpi})
    set(launcher none)
    if(mpi IN_LIST FATHOM_MPI_MODULES AND FATHOM_MPIRUN_${mpi})
        set(launcher ${FATHOM_MPIRUN_${mpi}})
        add_dependencies(parallel_program fathom-mpi-${mpi})
        add_dependencies(fathom fathom-mpi-${mpi})
    endif()
    set(jobs ${PROJECT_SOURCE_DIR}/data/jobs)
    set(both $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays>)
    parallel_cases("" launch 2 120 "${all_engine}" $<TARGET_FILE:parallel_program>)
    parallel_cases(run_ launch_run 2 400 "${${mpi}_run}" ${both} ${jobs}/ising-critical.json)
    parallel_cases(ising_ launch_ising 1 300 "${${mpi}_ising}" ${both} ${jobs}/ising-critical.json)
    parallel_cases(heat_ launch_heat 1 300 "${${mpi}_heat}" ${both} $<TARGET_FILE:parallel_heat_inputs>
        $<TARGET_FILE:parallel_counted>)
    parallel_cases(messages_ launch_messages 1 200 "${${mpi}_messages}" $<TARGET_FILE:fathom>
        ${jobs}/ising-critical.json)
    parallel_cases(batch_ launch_batch 2 400 "${${mpi}_batch}" ${both} ${jobs}/ising-critical.json)
    parallel_cases(bench_ launch_bench 1 300 "${${mpi}_bench}" $<TARGET_FILE:fathom>)
    parallel_cases(faults_ launch_faults 2 400 "${${mpi}_faults}" ${both} ${jobs}
        $<TARGET_FILE:parallel_counted>)
    parallel_cases(auto_ launch_auto 2 400 "${${mpi}_auto}" ${both} ${jobs})
    foreach(model ising bioheat tsunami)
        string(LENGTH "${mpi}${model}" seed)
        parallel_cases(kills_ launch_kills 2 400 ${model} ${both} ${jobs} ${${mpi}_kills} ${seed})
    endforeach()
    parallel_cases(tsunami_ launch_tsunami 1 300 "${${mpi}_tsunami}" ${both} $<TARGET_FILE:parallel_counted>)
endforeach()

# The same on GPUs, where there are any: each rank has one, or shares it where there are too few.
set(launcher none)
if(openmpi IN_LIST FATHOM_MPI_MODULES AND FATHOM_MPIRUN_openmpi)
    set(launcher ${FATHOM_MPIRUN_openmpi})
endif()
foreach(transport peer mpi)
    foreach(case euler euler-in-place three-colour source-three-colour rkl2 fields peers pressure chain plan
            shares moved lost allocations refused)
        add_test(NAME parallel.cuda_${transport}_heat_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_heat openmpi ${case} ${launcher}
            $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays> $<TARGET_FILE:parallel_heat_inputs>
            $<TARGET_FILE:parallel_counted>)
        set_tests_properties(parallel.cuda_${transport}_heat_${case} PROPERTIES LABELS parallel
            SKIP_RETURN_CODE 77 TIMEOUT 600
            ENVIRONMENT "FATHOM_TEST_BACKEND=cuda;FATHOM_TEST_TRANSPORT=${transport}")
    endforeach()
    foreach(case metropolis metropolis-integer heat-bath swendsen-wang wolff
        moved_heat-bath moved_metropolis-integer moved_swendsen-wang moved_wolff plan refused)
        add_test(NAME parallel.cuda_${transport}_ising_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_ising openmpi ${case} ${launcher}
            $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays>
            ${PROJECT_SOURCE_DIR}/data/jobs/ising-critical.json)
        set_tests_properties(parallel.cuda_${transport}_ising_${case} PROPERTIES LABELS parallel
            SKIP_RETURN_CODE 77 TIMEOUT 600
            ENVIRONMENT "FATHOM_TEST_BACKEND=cuda;FATHOM_TEST_TRANSPORT=${transport}")
    endforeach()
    foreach(case vtcs2 vtcs2-o2 muscl-hancock vtcs2-shore nested moved plan allocations refused c-grid-6
            nested-of-c-grid-6 moved-of-c-grid-6 plan-of-c-grid-6 allocations-of-c-grid-6)
        add_test(NAME parallel.cuda_${transport}_tsunami_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_tsunami openmpi ${case} ${launcher}
            $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays> $<TARGET_FILE:parallel_counted>)
        set_tests_properties(parallel.cuda_${transport}_tsunami_${case} PROPERTIES LABELS parallel
            SKIP_RETURN_CODE 77 TIMEOUT 600
            ENVIRONMENT "FATHOM_TEST_BACKEND=cuda;FATHOM_TEST_TRANSPORT=${transport}")
    endforeach()
endforeach()
