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
            PROCESSORS 2 TIMEOUT 120)
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
    foreach(case c-grid-6 vtcs2 vtcs2-o2 muscl-hancock vtcs2-shore tall dispersion periodic plan
            allocations nested moved refused)
        add_test(NAME parallel.${mpi}_tsunami_${case}
            COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_tsunami ${mpi} ${case} ${launcher}
            $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays> $<TARGET_FILE:parallel_counted>)
        set_tests_properties(parallel.${mpi}_tsunami_${case} PROPERTIES LABELS parallel SKIP_RETURN_CODE 77
            TIMEOUT 300)
    endforeach()
endforeach()
