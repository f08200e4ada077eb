# Files: grids, jobs, checkpoints, results, units, paths.
# Jobs of a model that does not exist: tests/support/job_fixture.h.
add_library(fathom_job_fixture STATIC support/job_fixture.c)
target_link_libraries(fathom_job_fixture PUBLIC fathom_io fathom_test_folder PkgConfig::CJSON)
# A run's streams without a model: tests/support/trial_run.h.
add_library(fathom_trial_run STATIC support/trial_run.c)
target_link_libraries(fathom_trial_run PUBLIC fathom_io fathom_test_folder PkgConfig::NETCDF m)

fathom_test_program(io fathom_cli fathom_job_fixture fathom_trial_run fathom_test_folder
    PkgConfig::NETCDF PkgConfig::CJSON
    PkgConfig::XXHASH)
fathom_tests(io geo grid_geotiff
    units path job job_check job_tables job_parts job_record job_set output output_resume
    output_layout output_packed output_direct
    output_bytes grid_text grid_binary grid_netcdf grid_files grid_kept grid_write window
        result dataset volume
    journal run_log json_file xml_read particles nifti nifti_write time_units series heating_source
    heating_power heating_refused heating_stream heating_missed heating_pressure points_file date)
# They compare tens of millions of numbers.
set_source_files_properties(io/test_output_packed.c io/test_output_direct.c
    PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
# With versions of the C library's calls that fail when they are told to.
fathom_test(io checkpoint fathom_io fathom_test_folder PkgConfig::XXHASH)
fathom_test(io checkpoint_set fathom_io fathom_thread_ranks fathom_test_folder)
fathom_test(io output_disk fathom_trial_run)
fathom_test(io output_amber fathom_io fathom_test_folder PkgConfig::NETCDF)
fathom_test(io propagation fathom_io fathom_test_folder PkgConfig::NETCDF)
