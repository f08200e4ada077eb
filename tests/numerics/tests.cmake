# The solvers and the fault formulas against exact solutions and published values.
fathom_test(numerics okada fathom_models)
fathom_test(numerics fault_places fathom_models)
fathom_test(numerics faults fathom_models fathom_test_folder PkgConfig::CJSON)
fathom_test(numerics fault_data fathom_models fathom_test_folder PkgConfig::CJSON)
fathom_test(numerics closed_forms fathom_validate)
fathom_test(numerics rest fathom_tsunami_fixture)
fathom_test(numerics convergence fathom_tsunami_fixture)
fathom_test(numerics waves fathom_tsunami_fixture)
fathom_test(numerics symmetry fathom_tsunami_fixture)
fathom_test(numerics edges fathom_tsunami_fixture)
fathom_test(numerics invert fathom_models)
fathom_test(numerics nested_links fathom_models fathom_test_folder PkgConfig::NETCDF)
fathom_test(numerics sea fathom_models)
fathom_test(numerics shore fathom_tsunami_fixture fathom_validate)
# Where the shore moves.
fathom_test(numerics runup_rest fathom_tsunami_fixture)
fathom_test(numerics runup_closed fathom_tsunami_fixture fathom_validate)
fathom_test(numerics runup_beach fathom_tsunami_fixture fathom_validate)
fathom_test(numerics runup_edges fathom_tsunami_fixture)
fathom_test(numerics dispersion fathom_tsunami_fixture)
fathom_test(numerics dispersion_bay fathom_tsunami_fixture)
fathom_test(numerics nested_edges fathom_tsunami_fixture)
set_tests_properties(numerics.runup_rest numerics.runup_closed numerics.runup_beach numerics.runup_edges
    numerics.dispersion numerics.dispersion_bay
    numerics.nested_edges
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
# Threads that wait for each other at every step must not spin where other tests run beside them.
set_tests_properties(numerics.rest numerics.convergence numerics.waves numerics.symmetry numerics.edges numerics.shore
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
# Heat in tissue.
fathom_test(numerics bioheat_stability fathom_bioheat_fixture)
fathom_test(numerics bioheat_media fathom_models fathom_test_folder PkgConfig::NETCDF)
fathom_test(numerics heat_closed fathom_validate)
foreach(subject modes media orders walls dose limits)
    fathom_test(numerics heat_${subject} fathom_bioheat_fixture fathom_validate fathom_gpu)
    set_tests_properties(numerics.heat_${subject} PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
    fathom_cuda_test(numerics heat_${subject})
endforeach()
# The sources of heat: means over steps.
fathom_test(numerics heating_time fathom_models)
# N bodies: every pair, orbits, energy, momenta, a collapse; the tree's shape, its cells' fields, its errors.
foreach(subject orbits energy direct pair tree cells errors)
    fathom_test(numerics nbody_${subject} fathom_nbody_fixture fathom_validate fathom_gpu)
    set_tests_properties(numerics.nbody_${subject} PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
    fathom_cuda_test(numerics nbody_${subject})
endforeach()
fathom_test(numerics nbody_closed fathom_validate)
fathom_test(numerics nbody_force_error fathom_nbody_fixture)
fathom_test(numerics nbody_initial fathom_models fathom_test_folder OpenMP::OpenMP_C)
fathom_test(numerics nbody_galaxies fathom_models fathom_test_folder)
fathom_test(numerics nbody_files fathom_models fathom_test_folder PkgConfig::NETCDF)
# The gas: closed forms; the reference's pairs, walls, noise, regions.
fathom_test(numerics gas_reference fathom_models)
fathom_test(numerics gas_closed fathom_validate)
fathom_test(numerics gas_structure fathom_models)
fathom_test(numerics gas_initial fathom_models fathom_test_folder PkgConfig::NETCDF OpenMP::OpenMP_C)
fathom_test(numerics gas_files fathom_models fathom_test_folder PkgConfig::NETCDF)
# The Ising model: its closed forms, the analysis of series, the reference.
fathom_test(numerics ising_exact fathom_validate)
fathom_test(numerics ising_analysis fathom_models)
fathom_test(numerics ising_results fathom_models fathom_validate)
fathom_test(numerics ising_correlations fathom_models fathom_validate)
fathom_test(numerics ising_reference fathom_models)
fathom_test(numerics ising_params fathom_models fathom_test_folder)
fathom_test(numerics ising_start fathom_models fathom_test_folder PkgConfig::NETCDF OpenMP::OpenMP_C)
# Unit sources, added: tests/support/propagation_fixture.h.
fathom_test(numerics unit_sources fathom_models fathom_test_folder PkgConfig::NETCDF)
fathom_test(numerics combine fathom_models fathom_test_folder PkgConfig::NETCDF)
