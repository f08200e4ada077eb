# The whole program: subcommands, jobs, results, reports, mistakes.
fathom_test(cli report_parts fathom_cli)
fathom_test(cli report fathom_cli fathom_test_folder PkgConfig::NETCDF PkgConfig::CJSON)

fathom_test(cli batch_journal fathom_cli fathom_test_folder PkgConfig::CJSON)
fathom_test(cli batch_table fathom_cli)
fathom_test(cli batch_summary fathom_cli fathom_test_folder PkgConfig::CJSON)

# The program run as a child in a folder of its own: tests/support/cli_fixture.h.
add_library(fathom_cli_fixture STATIC support/cli_fixture.c support/cli_pace.c support/cli_program.c
    support/cli_results.c)
target_link_libraries(fathom_cli_fixture PUBLIC fathom_test_folder PkgConfig::NETCDF PkgConfig::CJSON m)
# Loaded into the program before the C library, and so without a sanitizer of its own.
add_library(fathom_test_pace MODULE support/pace.c)
target_compile_options(fathom_test_pace PRIVATE -Wall -Wextra -Wshadow -Wconversion)
target_compile_definitions(fathom_cli_fixture PRIVATE FATHOM_PROGRAM="$<TARGET_FILE:fathom>"
    FATHOM_TEST_PACE="$<TARGET_FILE:fathom_test_pace>")
add_dependencies(fathom_cli_fixture fathom fathom_test_pace)
fathom_test(cli bad_input fathom_cli_fixture)
fathom_test(cli results fathom_cli_fixture)
fathom_test(cli report_nested fathom_cli_fixture)
fathom_test(cli pages fathom_cli_fixture)
fathom_test(cli info_run fathom_cli_fixture)
fathom_test(cli install fathom_cli_fixture)
fathom_test(cli features fathom_cli_fixture)
fathom_test(cli moving_bottom fathom_cli_fixture fathom_gpu)
fathom_cuda_test(cli moving_bottom)
fathom_test(cli arrivals fathom_cli_fixture fathom_gpu)
fathom_cuda_test(cli arrivals)
fathom_test(cli waves_refused fathom_cli_fixture)
fathom_test(cli idle_keys fathom_cli_fixture)
fathom_test(cli sign fathom_cli_fixture)
fathom_test(cli stated_units fathom_cli_fixture PkgConfig::NETCDF)
fathom_test(cli gauges fathom_cli_fixture)
fathom_test(cli harbour fathom_cli_fixture)
add_library(fathom_channel_fixture STATIC support/channel_fixture.c)
target_link_libraries(fathom_channel_fixture PUBLIC fathom_cli_fixture)
fathom_test(cli waves_given fathom_channel_fixture)
fathom_test(cli waves_start fathom_channel_fixture)

# In the test's own process, with back ends of its own.
fathom_test(cli verify fathom_cli_fixture fathom_cli)
fathom_test(cli backends fathom_cli_fixture fathom_cli)
fathom_test(cli bench fathom_cli_fixture fathom_cli PkgConfig::CJSON)
fathom_test(cli bench_devices fathom_cli_fixture fathom_cli PkgConfig::CJSON)
fathom_test(cli bench_gas fathom_cli_fixture fathom_cli fathom_gpu PkgConfig::CJSON)
fathom_cuda_test(cli bench_gas)
fathom_test(cli bench_heat fathom_cli_fixture fathom_cli PkgConfig::CJSON)
fathom_test(cli bench_ising fathom_cli_fixture fathom_cli fathom_gpu PkgConfig::CJSON)
fathom_cuda_test(cli bench_ising)
fathom_test(cli bench_nbody fathom_cli_fixture fathom_cli PkgConfig::CJSON)
set_tests_properties(cli.bench_devices cli.bench_gas cli.bench_ising PROPERTIES ENVIRONMENT
    "OMP_WAIT_POLICY=passive")
fathom_test(cli jobs fathom_cli_fixture)
fathom_test(cli invert fathom_cli_fixture)

# Runs the program, and its functions in the test's own process.
fathom_test(cli compare fathom_cli_fixture)
fathom_test(cli compare_values fathom_cli_fixture fathom_validate PkgConfig::NETCDF PkgConfig::CJSON)

# The program's own validation: the command's tests, and what needs no benchmark files.
fathom_test(cli validate fathom_cli_fixture fathom_cli PkgConfig::CJSON)
fathom_test(cli validate_flood fathom_cli_fixture fathom_validate)
fathom_test(cli validate_field fathom_cli_fixture)
add_library(fathom_validate_fixture STATIC support/validate_fixture.c)
target_link_libraries(fathom_validate_fixture PUBLIC fathom_cli_fixture fathom_cli PkgConfig::CJSON)
fathom_test(cli validate_nbody fathom_validate_fixture)
fathom_test(cli validate_gas fathom_validate_fixture)
fathom_test(cli validate_ising fathom_validate_fixture)
set_tests_properties(cli.validate_nbody cli.validate_gas cli.validate_ising PROPERTIES ENVIRONMENT
    "OMP_WAIT_POLICY=passive" PROCESSORS 2)
fathom_test(cli fetch fathom_cli_fixture)
# The gas has a test of its own (cli.validate_gas), with shorter runs; so have Plummer's spheres
# (cli.validate_nbody).
add_test(NAME cli.validate_program
    COMMAND fathom validate backends tsunami-analytic tsunami-lab tsunami-field bioheat
        nbody/kepler-energy nbody/kepler-order
        nbody/kepler-reversed nbody/tree-errors nbody/openmp-forces nbody/units nbody/repeat nbody/collapse)
set_tests_properties(cli.validate_program PROPERTIES LABELS cli ENVIRONMENT "GOMP_SPINCOUNT=1000")
add_test(NAME cli.validate_ising_program COMMAND fathom validate ising)
set_tests_properties(cli.validate_ising_program
    PROPERTIES LABELS cli ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)

# Nested grids.
fathom_test(cli nested fathom_cli_fixture)
fathom_test(cli nested_refused fathom_cli_fixture)
# Results and messages about the land that a wave floods.
fathom_test(cli runup_results fathom_cli_fixture)
fathom_test(cli dispersion fathom_cli_fixture)

# Heat in tissue: results, messages and refusals of a run; one that continues from another's end; its report.
add_library(fathom_bioheat_job STATIC support/bioheat_job.c)
target_link_libraries(fathom_bioheat_job PUBLIC fathom_cli_fixture)
fathom_test(cli bioheat fathom_bioheat_job)
fathom_test(cli bioheat_chain fathom_bioheat_job)
fathom_test(cli bioheat_safety fathom_bioheat_job)
fathom_test(cli maxima fathom_bioheat_job PkgConfig::NETCDF)
fathom_test(cli axes fathom_bioheat_job PkgConfig::NETCDF)
fathom_test(cli heating fathom_bioheat_job fathom_gpu PkgConfig::NETCDF PkgConfig::CJSON)
fathom_cuda_test(cli heating)
fathom_test(cli bioheat_report fathom_bioheat_job)
fathom_test(cli report_names fathom_bioheat_job fathom_cli)
fathom_test(cli bioheat_bad_input fathom_cli_fixture PkgConfig::NETCDF)
fathom_test(cli convert_nifti fathom_cli_fixture fathom_io fathom_test_folder PkgConfig::NETCDF)
fathom_test(cli bioheat_jobs fathom_cli_fixture)
# N bodies.
fathom_test(cli nbody_bad_input fathom_cli_fixture PkgConfig::NETCDF)
fathom_test(cli nbody_bad_files fathom_cli_fixture PkgConfig::NETCDF)
fathom_test(cli nbody_jobs fathom_cli_fixture)
fathom_test(cli disk_space fathom_cli)
# N bodies: results and messages of a run; its report.
add_library(fathom_nbody_job STATIC support/nbody_job.c)
target_link_libraries(fathom_nbody_job PUBLIC fathom_cli_fixture)
fathom_test(cli nbody fathom_nbody_job)
fathom_test(cli nbody_report fathom_nbody_job fathom_cli PkgConfig::NETCDF PkgConfig::CJSON)
# The gas: results and messages of a run.
add_library(fathom_gas_job STATIC support/gas_job.c)
target_link_libraries(fathom_gas_job PUBLIC fathom_cli_fixture)
fathom_test(cli gas fathom_gas_job)
fathom_test(cli gas_report fathom_gas_job fathom_cli PkgConfig::NETCDF PkgConfig::CJSON)
fathom_test(cli gas_bad_input fathom_cli_fixture PkgConfig::NETCDF)
fathom_test(cli gas_bad_files fathom_cli_fixture PkgConfig::NETCDF)
fathom_test(cli gas_jobs fathom_cli_fixture)
set_tests_properties(cli.gas_jobs PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
# The Ising model: what a run refuses.
add_library(fathom_ising_job STATIC support/ising_job.c)
target_link_libraries(fathom_ising_job PUBLIC fathom_cli_fixture)
fathom_test(cli ising fathom_ising_job)
fathom_test(cli earlier_results fathom_ising_job)
fathom_test(cli elsewhere fathom_ising_job fathom_gas_job fathom_nbody_job PkgConfig::NETCDF)
set_tests_properties(cli.ising PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive")
fathom_test(cli ising_report fathom_ising_job fathom_cli PkgConfig::CJSON)
set_tests_properties(cli.ising_report PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive")
fathom_test(cli ising_bad_input fathom_ising_job PkgConfig::NETCDF)
fathom_test(cli ising_bad_files fathom_ising_job PkgConfig::NETCDF)
fathom_test(cli ising_jobs fathom_cli_fixture fathom_validate)
set_tests_properties(cli.ising_bad_input cli.ising_bad_files cli.ising_jobs
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)

# Mistakes in keys that all models share.
fathom_test(cli shared_keys fathom_bioheat_job fathom_nbody_job fathom_gas_job fathom_ising_job)

# Keys set on the command line.
fathom_test(cli set fathom_cli_fixture)

# Batches. The queue by itself, without the program.
foreach(name batch_queue batch_queue_refused)
    fathom_test(cli ${name} fathom_batch fathom_test_folder PkgConfig::CJSON PkgConfig::XXHASH)
endforeach()
fathom_test(cli batch_list fathom_cli_fixture)
# The whole batch: stops, kills, crashes.
fathom_test(cli batch fathom_ising_job)
# Unit sources: combined, in NOAA's form, compared.
fathom_test(cli combine fathom_cli_fixture)

# Under a real Slurm of one node, where one can be started; else skipped by name.
add_executable(test_cli_slurm cli/test_slurm.c)
target_link_libraries(test_cli_slurm PRIVATE fathom_bioheat_job fathom_nbody_job fathom_gas_job
    fathom_ising_job PkgConfig::CJSON)
fathom_test_executable(cli test_cli_slurm)
add_test(NAME cli.slurm COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cli/slurm_node $<TARGET_FILE:test_cli_slurm>)
set_tests_properties(cli.slurm PROPERTIES LABELS cli SKIP_RETURN_CODE 77
    ENVIRONMENT "FATHOM=$<TARGET_FILE:fathom>;OMP_WAIT_POLICY=passive")
