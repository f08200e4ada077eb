# The whole program: subcommands, jobs, results, reports, mistakes.

# The program run as a child in a folder of its own: tests/support/cli_fixture.h.
add_library(fathom_cli_fixture STATIC support/cli_fixture.c support/cli_pace.c support/cli_program.c
    support/cli_ready.c support/cli_results.c)
target_link_libraries(fathom_cli_fixture PUBLIC fathom_test_folder PkgConfig::NETCDF PkgConfig::CJSON m)
# Loaded into the program before the C library, and so without a sanitizer of their own.
foreach(name pace ready)
    add_library(fathom_test_${name} MODULE support/${name}.c)
    target_compile_options(fathom_test_${name} PRIVATE -Wall -Wextra -Wshadow -Wconversion)
    target_include_directories(fathom_test_${name} PRIVATE ${PROJECT_SOURCE_DIR})
endforeach()
target_compile_definitions(fathom_cli_fixture PRIVATE FATHOM_PROGRAM="$<TARGET_FILE:fathom>"
    FATHOM_TEST_PACE="$<TARGET_FILE:fathom_test_pace>"
    FATHOM_TEST_READY_LIBRARY="$<TARGET_FILE:fathom_test_ready>")
add_dependencies(fathom_cli_fixture fathom fathom_test_pace fathom_test_ready)
# Jobs of each model, and a channel.
foreach(name bioheat_job nbody_job gas_job ising_job channel_fixture great_earthquakes)
    add_library(fathom_${name} STATIC support/${name}.c)
    target_link_libraries(fathom_${name} PUBLIC fathom_cli_fixture)
endforeach()
# The program's own validation in the test's process.
add_library(fathom_validate_fixture STATIC support/validate_fixture.c)
target_link_libraries(fathom_validate_fixture PUBLIC fathom_cli_fixture fathom_cli PkgConfig::CJSON)

fathom_test_program(cli fathom_bioheat_job fathom_nbody_job fathom_gas_job fathom_ising_job
    fathom_channel_fixture fathom_great_earthquakes fathom_validate_fixture fathom_cli fathom_validate
    fathom_batch fathom_io fathom_gpu PkgConfig::NETCDF PkgConfig::CJSON PkgConfig::XXHASH PkgConfig::WEBP)
if(FATHOM_LADDERS)
    target_compile_definitions(test_cli PRIVATE FATHOM_LADDERS)
endif()
# What any model's job can ask for, and what the program prints.
fathom_tests(cli bad_input results features set shared_keys idle_keys disk_space info_files info_run
    info_uplift grid_tools grid_chunks products install pages fetch earlier_results elsewhere axes maxima
    schema init packed_fields)
# Tsunamis.
fathom_tests(cli sign relief stated_units gauges harbour waves_refused waves_given waves_start nested
    nested_refused runup_results dispersion eddies limiter source_filter earthquake forecast
    forecast_domains forecast_folder jobs combine field_edges invert)
fathom_tests(cli DEVICE moving_bottom arrivals points)
# Heat in tissue.
fathom_tests(cli bioheat bioheat_steps bioheat_records bioheat_start bioheat_chain bioheat_split bioheat_state
    bioheat_safety bioheat_plan bioheat_pulses bioheat_bad_input bioheat_pressure bioheat_layers
    bioheat_drained bioheat_rounding bioheat_jobs bioheat_ct bioheat_images convert_nifti nifti_out)
fathom_tests(cli DEVICE heating)
# Bodies, particles, spins.
fathom_tests(cli nbody nbody_bad_input nbody_bad_files nbody_jobs gas gas_bad_input gas_bad_files)
fathom_tests(cli THREADS gas_jobs ising_bad_input ising_bad_files ising_jobs)
fathom_tests(cli ising)
# Reports and comparisons.
fathom_tests(cli report report_page report_parts report_nested report_names bioheat_report heat_page
    nbody_report gas_report compare compare_values)
fathom_tests(cli ising_report report_bench)
# Batches: the queue by itself, and the whole.
fathom_tests(cli batch_queue batch_queue_refused batch_samples batch_scenarios batch_list batch
    batch_weights hazard hazard_products)
# With back ends and suites of their own, in the test's process.
fathom_tests(cli verify backends bench bench_heat bench_nbody validate validate_flood validate_field
    validate_unit)
fathom_tests(cli bench_devices bench_threads)
fathom_tests(cli DEVICE bench_gas bench_ising)
fathom_tests(cli THREADS validate_nbody validate_gas validate_ising)

# With a clock of their own: a program each.
fathom_test(cli batch_journal fathom_cli fathom_test_folder PkgConfig::CJSON)
fathom_test(cli batch_table fathom_cli)
fathom_test(cli batch_summary fathom_cli fathom_test_folder PkgConfig::CJSON)

# The gas has a test of its own (cli.validate_gas), with shorter runs; so have Plummer's spheres, the errors
# of the tree, the same bits again and the units of bodies (cli.validate_nbody), and of spins bits, stripes
# and the same bits again (cli.validate_ising): there each of their results passes unless its job was changed.
add_test(NAME cli.validate_program
    COMMAND fathom validate backends tsunami-analytic tsunami-lab tsunami-field bioheat
        nbody/kepler-energy nbody/kepler-order
        nbody/kepler-reversed nbody/openmp-forces nbody/collapse)
add_test(NAME cli.validate_ising_program
    COMMAND fathom validate ising/critical-metropolis ising/critical-heat-bath ising/critical-wolff
        ising/critical-swendsen-wang ising/critical-integer ising/critical-random ising/betas ising/states
        ising/clusters ising/infinite ising/scaling ising/order ising/programs)
set_tests_properties(cli.validate_program cli.validate_ising_program
    PROPERTIES LABELS cli ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)

# Under a real Slurm of one node, where one can be started; else skipped by name.
target_sources(test_cli PRIVATE cli/test_slurm.c)
add_test(NAME cli.slurm COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cli/slurm_node $<TARGET_FILE:test_cli> slurm)
set_tests_properties(cli.slurm PROPERTIES LABELS cli SKIP_RETURN_CODE 77
    ENVIRONMENT "FATHOM=$<TARGET_FILE:fathom>;OMP_WAIT_POLICY=passive")
