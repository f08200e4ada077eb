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

foreach(mpi openmpi mpich)
    find_program(FATHOM_MPIRUN_${mpi} mpirun.${mpi} DOC "launcher of ${mpi}, for tests")
    mark_as_advanced(FATHOM_MPIRUN_${mpi})
    set(launcher none)
    if(mpi IN_LIST FATHOM_MPI_MODULES AND FATHOM_MPIRUN_${mpi})
        set(launcher ${FATHOM_MPIRUN_${mpi}})
        add_dependencies(parallel_program fathom-mpi-${mpi})
        add_dependencies(fathom fathom-mpi-${mpi})
    endif()
    foreach(case work_1 work_2 work_3 work_5 fail kill stop late no_module)
        add_test(NAME parallel.${mpi}_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch ${mpi} ${case} ${launcher}
            $<TARGET_FILE:parallel_program>)
        set_tests_properties(parallel.${mpi}_${case} PROPERTIES LABELS parallel SKIP_RETURN_CODE 77
            PROCESSORS 2 TIMEOUT 120 ENVIRONMENT "${FATHOM_TEST_ENVIRONMENT}")
    endforeach()
    foreach(case refused equal shares stop kill removed memory)
        add_test(NAME parallel.${mpi}_run_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_run ${mpi} ${case} ${launcher}
            $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays>
            ${PROJECT_SOURCE_DIR}/data/jobs/ising-critical.json)
        set_tests_properties(parallel.${mpi}_run_${case} PROPERTIES LABELS parallel SKIP_RETURN_CODE 77
            PROCESSORS 2 TIMEOUT 400)
    endforeach()
    foreach(case metropolis metropolis-integer heat-bath swendsen-wang wolff
        moved_heat-bath moved_metropolis-integer moved_swendsen-wang moved_wolff plan refused)
        add_test(NAME parallel.${mpi}_ising_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_ising ${mpi} ${case} ${launcher}
            $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays>
            ${PROJECT_SOURCE_DIR}/data/jobs/ising-critical.json)
        set_tests_properties(parallel.${mpi}_ising_${case} PROPERTIES LABELS parallel SKIP_RETURN_CODE 77
            TIMEOUT 300)
    endforeach()
    foreach(case euler euler-in-place three-colour source-three-colour rkl2 fields pressure periodic chain
            plan shares
            moved lost allocations refused)
        add_test(NAME parallel.${mpi}_heat_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_heat ${mpi} ${case} ${launcher}
            $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays> $<TARGET_FILE:parallel_heat_inputs>
            $<TARGET_FILE:parallel_counted>)
        set_tests_properties(parallel.${mpi}_heat_${case} PROPERTIES LABELS parallel SKIP_RETURN_CODE 77
            TIMEOUT 300)
    endforeach()
    foreach(case no_module usage job help others unlike)
        add_test(NAME parallel.${mpi}_messages_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_messages ${mpi} ${case} ${launcher}
            $<TARGET_FILE:fathom> ${PROJECT_SOURCE_DIR}/data/jobs/ising-critical.json)
        set_tests_properties(parallel.${mpi}_messages_${case} PROPERTIES LABELS parallel SKIP_RETURN_CODE 77
            TIMEOUT 200)
    endforeach()
    foreach(case equal stop killed crash hang refused)
        add_test(NAME parallel.${mpi}_batch_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_batch ${mpi} ${case} ${launcher}
            $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays>
            ${PROJECT_SOURCE_DIR}/data/jobs/ising-critical.json)
        set_tests_properties(parallel.${mpi}_batch_${case} PROPERTIES LABELS parallel SKIP_RETURN_CODE 77
            PROCESSORS 2 TIMEOUT 400)
    endforeach()
    foreach(case tsunami bioheat ising weak refused)
        add_test(NAME parallel.${mpi}_bench_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_bench ${mpi} ${case} ${launcher}
            $<TARGET_FILE:fathom>)
        set_tests_properties(parallel.${mpi}_bench_${case} PROPERTIES LABELS parallel SKIP_RETURN_CODE 77
            TIMEOUT 300)
    endforeach()
    set(faults disk_1 memory nan term launcher_int launcher_term launcher_kill
        suspended silent)
    if(mpi STREQUAL openmpi) # whose launcher it is makes no difference
        list(APPEND faults disk_0 disk_full read_only unseen revenant)
    endif()
    foreach(case ${faults})
        add_test(NAME parallel.${mpi}_faults_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_faults ${mpi} ${case} ${launcher}
            $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays> ${PROJECT_SOURCE_DIR}/data/jobs
            $<TARGET_FILE:parallel_counted>)
        set_tests_properties(parallel.${mpi}_faults_${case} PROPERTIES LABELS parallel SKIP_RETURN_CODE 77
            PROCESSORS 2 TIMEOUT 400 ENVIRONMENT "${FATHOM_TEST_ENVIRONMENT}")
    endforeach()
    foreach(model ising bioheat tsunami)
        add_test(NAME parallel.${mpi}_auto_${model}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_auto ${mpi} ${model} ${launcher}
            $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays> ${PROJECT_SOURCE_DIR}/data/jobs)
        set_tests_properties(parallel.${mpi}_auto_${model} PROPERTIES LABELS parallel SKIP_RETURN_CODE 77
            PROCESSORS 2 TIMEOUT 400 ENVIRONMENT "${FATHOM_TEST_ENVIRONMENT}")
        string(LENGTH "${mpi}${model}" seed)
        set(kills 2)
        if(mpi STREQUAL mpich)
            set(kills 1)
        endif()
        add_test(NAME parallel.${mpi}_kills_${model}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_kills ${mpi} ${model} ${launcher}
            $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays> ${PROJECT_SOURCE_DIR}/data/jobs ${kills}
            ${seed})
        set_tests_properties(parallel.${mpi}_kills_${model} PROPERTIES LABELS parallel SKIP_RETURN_CODE 77
            PROCESSORS 2 TIMEOUT 400 ENVIRONMENT "${FATHOM_TEST_ENVIRONMENT}")
    endforeach()
    foreach(case c-grid-6 vtcs2 vtcs2-o2 muscl-hancock vtcs2-shore tall dispersion periodic plan
            allocations nested moved refused)
        add_test(NAME parallel.${mpi}_tsunami_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_tsunami ${mpi} ${case} ${launcher}
            $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays> $<TARGET_FILE:parallel_counted>)
        set_tests_properties(parallel.${mpi}_tsunami_${case} PROPERTIES LABELS parallel SKIP_RETURN_CODE 77
            TIMEOUT 300)
    endforeach()
endforeach()

# The same on GPUs, where there are any: each rank has one, or shares it where there are too few.
set(launcher none)
if(openmpi IN_LIST FATHOM_MPI_MODULES AND FATHOM_MPIRUN_openmpi)
    set(launcher ${FATHOM_MPIRUN_openmpi})
endif()
foreach(transport peer mpi)
    foreach(case euler euler-in-place three-colour source-three-colour rkl2 fields pressure chain plan shares
            moved lost allocations refused)
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
