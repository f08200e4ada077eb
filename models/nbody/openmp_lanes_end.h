// Undoes openmp_lanes.h, for the next precision.
#undef LANES_BYTES
#undef SCALAR
#undef SCALAR_INT
#undef LEAST_SQUARE
#undef LANES
#undef REAL
#undef REAL_INT
#undef NUMBER
#undef LANES_FUNCTION
#undef MADD
#undef GUESS_ORDER
#undef PULL_TERM
#undef PULL_UNIT
#undef WIDE
#undef POINT
#undef LANES_DOUBLE
