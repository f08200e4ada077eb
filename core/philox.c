// Philox lives in its header, so that host and device compile the same arithmetic; this file checks at
// compile time that the types have the layout that kernels and checkpoints assume.
#include "core/philox.h"

_Static_assert(sizeof(struct philox_counter) == 16, "a Philox counter is four packed 32-bit words");
_Static_assert(sizeof(struct philox_key) == 8, "a Philox key is two packed 32-bit words");
