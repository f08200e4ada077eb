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
fathom_test(numerics nested_links fathom_models fathom_test_folder PkgConfig::NETCDF)
fathom_test(numerics shore fathom_tsunami_fixture fathom_validate)
# Where the shore moves.
fathom_test(numerics runup_rest fathom_tsunami_fixture)
fathom_test(numerics runup_closed fathom_tsunami_fixture fathom_validate)
fathom_test(numerics runup_beach fathom_tsunami_fixture fathom_validate)
fathom_test(numerics runup_edges fathom_tsunami_fixture)
set_tests_properties(numerics.runup_rest numerics.runup_closed numerics.runup_beach numerics.runup_edges
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
# Threads that wait for each other at every step must not spin where other tests run beside them.
set_tests_properties(numerics.rest numerics.convergence numerics.waves numerics.symmetry numerics.edges numerics.shore
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
