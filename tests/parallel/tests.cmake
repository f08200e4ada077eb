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

# A model and the program do not know which MPI it is. One MPI runs all cases: MPICH where it is there, as
# its launcher starts in less than half the time. The other runs those in which the library or its launcher
# may differ, and one of each model (-DFATHOM_ALL_RANK_TESTS=ON: all with both).
option(FATHOM_ALL_RANK_TESTS "Test all cases of several ranks with every MPI" OFF)
mark_as_advanced(FATHOM_ALL_RANK_TESTS)
foreach(mpi openmpi mpich)
    find_program(FATHOM_MPIRUN_${mpi} mpirun.${mpi} DOC "launcher of ${mpi}, for tests")
    mark_as_advanced(FATHOM_MPIRUN_${mpi})
    set(launcher_${mpi} none)
    if(mpi IN_LIST FATHOM_MPI_MODULES AND FATHOM_MPIRUN_${mpi})
        set(launcher_${mpi} ${FATHOM_MPIRUN_${mpi}})
    endif()
    set(share_${mpi} some)
endforeach()
if(launcher_mpich STREQUAL none)
    set(share_openmpi all)
else()
    set(share_mpich all)
endif()
if(FATHOM_ALL_RANK_TESTS)
    set(share_openmpi all)
endif()
set(all_engine work_1 work_2 work_3 work_5 fail kill stop late no_module)
set(some_engine ${all_engine})
set(all_run refused equal shares stop kill removed memory)
set(some_run refused equal stop kill)
set(all_ising metropolis metropolis-integer heat-bath swendsen-wang wolff moved_heat-bath
    moved_metropolis-integer moved_swendsen-wang moved_wolff plan refused)
set(some_ising swendsen-wang)
set(all_heat euler euler-in-place three-colour source-three-colour rkl2 fields pressure periodic chain
    plan shares moved lost allocations refused)
set(some_heat moved)
set(all_nbody direct tree file moved shares plan allocations refused)
set(some_nbody tree)
set(all_gas pairs lists regions file moved errors shares plan allocations refused)
set(some_gas lists)
set(all_messages no_module usage job help others another unlike late transport cut_module)
set(mpich_messages address_space)
set(some_messages no_module usage unlike late)
set(all_batch equal stop killed crash hang refused)
set(some_batch stop)
set(all_bench tsunami bioheat ising nbody gas weak refused)
set(some_bench "")
set(all_faults disk_1 memory nan term launcher_int launcher_term launcher_kill suspended silent disk_0
    disk_full read_only unseen revenant stale space)
set(some_faults disk_1 memory term launcher_int launcher_term launcher_kill silent stale)
set(all_auto ising bioheat nbody gas tsunami)
set(some_auto "")
set(all_kills ising bioheat nbody gas tsunami)
set(some_kills ising tsunami)
set(all_kills_of_each 2)
set(some_kills_of_each 1)
set(all_tsunami c-grid-6 vtcs2 vtcs2-o2 muscl-hancock vtcs2-shore tall dispersion periodic plan
    allocations nested moved refused)
set(some_tsunami allocations moved)

foreach(mpi openmpi mpich)
    set(launcher ${launcher_${mpi}})
    set(share ${share_${mpi}})
    if(NOT launcher STREQUAL none)
        add_dependencies(parallel_program fathom-mpi-${mpi})
        add_dependencies(fathom fathom-mpi-${mpi})
    endif()
    set(jobs ${PROJECT_SOURCE_DIR}/data/jobs)
    set(both $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays>)
    parallel_cases("" launch 2 120 "${${share}_engine}" $<TARGET_FILE:parallel_program>)
    parallel_cases(run_ launch_run 2 400 "${${share}_run}" ${both} ${jobs}/ising-critical.json)
    parallel_cases(ising_ launch_ising 1 300 "${${share}_ising}" ${both} ${jobs}/ising-critical.json)
    parallel_cases(heat_ launch_heat 1 300 "${${share}_heat}" ${both} $<TARGET_FILE:parallel_heat_inputs>
        $<TARGET_FILE:parallel_counted>)
    parallel_cases(nbody_ launch_nbody 1 300 "${${share}_nbody}" ${both} $<TARGET_FILE:parallel_counted>)
    parallel_cases(gas_ launch_gas 1 300 "${${share}_gas}" ${both} $<TARGET_FILE:parallel_counted>)
    parallel_cases(messages_ launch_messages 1 200 "${${share}_messages};${${mpi}_messages}"
        $<TARGET_FILE:fathom> ${jobs}/ising-critical.json)
    parallel_cases(batch_ launch_batch 2 400 "${${share}_batch}" ${both} ${jobs}/ising-critical.json)
    parallel_cases(bench_ launch_bench 1 300 "${${share}_bench}" $<TARGET_FILE:fathom>)
    parallel_cases(faults_ launch_faults 2 400 "${${share}_faults}" ${both} ${jobs}
        $<TARGET_FILE:parallel_counted>)
    parallel_cases(auto_ launch_auto 2 400 "${${share}_auto}" ${both} ${jobs})
    foreach(model ${${share}_kills})
        string(LENGTH "${mpi}${model}" seed)
        parallel_cases(kills_ launch_kills 2 400 ${model} ${both} ${jobs}
            ${${share}_kills_of_each} ${seed})
    endforeach()
    parallel_cases(tsunami_ launch_tsunami 1 300 "${${share}_tsunami}" ${both}
        $<TARGET_FILE:parallel_counted>)
endforeach()

# The same on GPUs, where there are any: each rank has one, or shares it where there are too few.
set(launcher ${launcher_openmpi})
# By NCCL each has one, and cases that need a certain number of ranks are left out.
foreach(transport peer nccl mpi)
    set(heat euler euler-in-place three-colour source-three-colour rkl2 fields pressure periodic chain moved
        lost silent allocations)
    set(ising metropolis metropolis-integer heat-bath swendsen-wang wolff moved_heat-bath
        moved_metropolis-integer moved_swendsen-wang moved_wolff)
    set(tsunami vtcs2 vtcs2-o2 muscl-hancock vtcs2-shore nested moved allocations c-grid-6 dispersion
        periodic periodic-of-c-grid-6 nested-of-c-grid-6 moved-of-c-grid-6 allocations-of-c-grid-6)
    set(nbody direct tree large file moved allocations)
    set(gas pairs lists regions file moved errors allocations)
    if(transport STREQUAL "nccl")
        list(APPEND ising shared hosts)
    else()
        list(APPEND heat plan shares refused)
        list(APPEND nbody plan shares refused)
        list(APPEND gas plan shares refused)
        list(APPEND ising plan refused)
        list(APPEND tsunami plan refused plan-of-c-grid-6)
    endif()
    set(heat_arguments $<TARGET_FILE:parallel_heat_inputs> $<TARGET_FILE:parallel_counted>)
    set(ising_arguments ${PROJECT_SOURCE_DIR}/data/jobs/ising-critical.json)
    set(tsunami_arguments $<TARGET_FILE:parallel_counted>)
    set(nbody_arguments $<TARGET_FILE:parallel_counted>)
    set(gas_arguments $<TARGET_FILE:parallel_counted>)
    foreach(model heat ising tsunami nbody gas)
        foreach(case ${${model}})
            add_test(NAME parallel.cuda_${transport}_${model}_${case}
                COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/parallel/launch_${model} openmpi ${case} ${launcher}
                $<TARGET_FILE:fathom> $<TARGET_FILE:hash_arrays> ${${model}_arguments})
            set_tests_properties(parallel.cuda_${transport}_${model}_${case} PROPERTIES LABELS parallel
                SKIP_RETURN_CODE 77 TIMEOUT 600
                ENVIRONMENT "FATHOM_TEST_BACKEND=cuda;FATHOM_TEST_TRANSPORT=${transport}")
        endforeach()
    endforeach()
endforeach()

# What is said of an NCCL that cannot be used: libraries that stand in for it, of which nothing is called.
function(parallel_fake_nccl name version expected)
    add_library(fake_nccl_${name} SHARED parallel/fake_nccl.c)
    target_compile_definitions(fake_nccl_${name} PRIVATE ${ARGN})
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/nccl_${name})
    set_target_properties(fake_nccl_${name} PROPERTIES OUTPUT_NAME nccl SOVERSION 2
        LIBRARY_OUTPUT_DIRECTORY ${folder})
    add_test(NAME parallel.nccl_${name} COMMAND $<TARGET_FILE:fathom> --version)
    set_tests_properties(parallel.nccl_${name} PROPERTIES LABELS parallel
        ENVIRONMENT "LD_LIBRARY_PATH=${folder};FAKE_NCCL_VERSION=${version}"
        PASS_REGULAR_EXPRESSION "${expected}")
endfunction()
if(FATHOM_HAVE_NCCL)
    parallel_fake_nccl(present 22803 "GPUs of several hosts by NCCL 2[.]28[.]3")
    parallel_fake_nccl(old 21705 "without NCCL .*: libnccl.so.2 is of version 21705, too old")
    parallel_fake_nccl(incomplete 22803 "without NCCL .*: libnccl.so.2 has no ncclCommAbort" FAKE_LACKS)
endif()
