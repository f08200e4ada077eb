# The solvers and the fault formulas against exact solutions and published values.
fathom_test_program(numerics fathom_tsunami_fixture fathom_bioheat_fixture fathom_nbody_fixture
    fathom_validate fathom_gpu
    fathom_test_folder PkgConfig::NETCDF PkgConfig::CJSON OpenMP::OpenMP_C)
# Faults, closed forms, unit sources.
fathom_tests(numerics okada okada_row fault_places faults fault_data closed_forms invert far_field
    nested_links sea unit_sources combine forecast_domain travel_time)
# Scaling relations, moment tensors, and the files that describe earthquakes.
fathom_tests(numerics earthquake earthquake_events finite_faults random_slip)
# Waves; where the shore moves; dispersion. The fixtures take a second thread for large grids alone.
fathom_tests(numerics THREADS convergence symmetry edges runup_closed)
fathom_tests(numerics rest c_grid c_grid_edges waves shore runup_rest runup_beach runup_edges eddies limiters
    steep_coasts edge_discharge dispersion dispersion_bay nested_edges)
# Heat in tissue.
fathom_tests(numerics bioheat_stability bioheat_media heat_closed heating_time)
fathom_tests(numerics DEVICE heat_modes heat_media heat_orders heat_walls heat_dose heat_limits heat_rkl2
    heat_start)
# N bodies: direct summation, orbits, energy, momenta, a collapse; the tree's shape, its cells' fields, its
# errors.
fathom_tests(numerics THREADS DEVICE nbody_pair nbody_tree nbody_cells nbody_errors)
fathom_tests(numerics DEVICE nbody_orbits nbody_energy nbody_direct)
fathom_tests(numerics nbody_closed nbody_radii nbody_force_error nbody_initial nbody_galaxies nbody_files)
# The gas: closed forms; the reference's pairs, walls, noise, regions.
fathom_tests(numerics gas_reference gas_normals gas_closed gas_structure gas_initial gas_files)
# The Ising model: its closed forms, the analysis of series, the reference.
fathom_tests(numerics ising_exact ising_analysis ising_results ising_correlations ising_reference
    ising_params ising_start)
