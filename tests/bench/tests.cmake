# The programs of the sources (bench/ladder) against the references.
fathom_test_program(bench fathom_ladder_ising fathom_gpu)
fathom_tests(bench DEVICE ladder_ising)
