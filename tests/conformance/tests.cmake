fathom_test(conformance tsunami fathom_tsunami_fixture fathom_gpu)
# Threads that wait for each other at every step must not spin where other tests run beside them.
set_tests_properties(conformance.tsunami
    PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive" PROCESSORS 2)
