// The main function of every program of tests that has none of its own: see test.h.
#include "tests/support/test.h"

int main(int argc, char **argv)
{
    return test_main(argc, argv);
}
