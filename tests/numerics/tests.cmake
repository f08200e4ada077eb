# The solvers and the fault formulas against exact solutions and published values.
fathom_test(numerics okada fathom_models)
fathom_test(numerics faults fathom_models fathom_io PkgConfig::CJSON)
fathom_test(numerics closed_forms fathom_validate)
fathom_test(numerics rest fathom_tsunami_fixture)
fathom_test(numerics convergence fathom_tsunami_fixture)
fathom_test(numerics waves fathom_tsunami_fixture)
fathom_test(numerics symmetry fathom_tsunami_fixture)
fathom_test(numerics edges fathom_tsunami_fixture)
# Threads that wait for each other at every step must not spin where other tests run beside them.
set_tests_properties(numerics.rest numerics.convergence numerics.waves numerics.symmetry numerics.edges
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
