fathom_test(fault stop fathom_cli_fixture)
fathom_test(fault disk fathom_cli_fixture)
fathom_test(fault allocation fathom_cli_fixture fathom_cli OpenMP::OpenMP_C)
set_tests_properties(fault.allocation PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)
