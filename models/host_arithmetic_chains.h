// How fast the processor's arithmetic alone is, in one precision and for one instruction set: part of host_arithmetic_isa.c, after
// lanes.h. Chains that do not depend on each other, in registers, more than there are units times their latency.

enum { POINT(CHAINS) = 12, POINT(operations_a_turn) = POINT(CHAINS) * LANES };

static double POINT(multiply_adds)(int turns)
{
    REAL chain[POINT(CHAINS)];
    for (int k = 0; k < POINT(CHAINS); k++)
        chain[k] = NUMBER(1 + k);
    const REAL factor = NUMBER(0.5), term = NUMBER(1);
    for (int turn = 0; turn < turns; turn++)
        for (int k = 0; k < POINT(CHAINS); k++)
            chain[k] = MADD(chain[k], factor, term);
    for (int k = 1; k < POINT(CHAINS); k++)
        chain[0] += chain[k];
    return (double)POINT(total)(chain[0]);
}

static double POINT(inverse_roots)(int turns)
{
    REAL chain[POINT(CHAINS)];
    for (int k = 0; k < POINT(CHAINS); k++)
        chain[k] = NUMBER(2 + k);
    for (int turn = 0; turn < turns; turn++)
        for (int k = 0; k < POINT(CHAINS); k++)
            chain[k] = POINT(guess)(chain[k]);
    for (int k = 1; k < POINT(CHAINS); k++)
        chain[0] += chain[k];
    return (double)POINT(total)(chain[0]);
}
