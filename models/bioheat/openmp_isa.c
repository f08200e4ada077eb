// The fast CPU version's rows in both precisions, for ONE instruction set: this file is compiled several
// times, with ISA naming the set. Knows no threads and no schedule.
#include "models/bioheat/openmp_isa.h"

#include <math.h>
#include <string.h>

#define HEAT_INLINE static inline __attribute__((always_inline))

typedef uint32_t bits_f;
typedef uint64_t bits_d;

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define HAS_FEW 1
#include <immintrin.h>
#else
#define HAS_FEW 0
#endif

#define REAL          float
#define FEW_IS_DOUBLE 0
#define POINT(name)   name##_f
#include "models/bioheat/point.inc"

#include "models/bioheat/openmp_row.inc"

#include "models/bioheat/openmp_field.inc"

#include "models/bioheat/openmp_record.inc"
#undef REAL
#undef POINT

#define REAL double
#undef FEW_IS_DOUBLE
#define FEW_IS_DOUBLE 1
#define POINT(name)   name##_d
#include "models/bioheat/point.inc"

#include "models/bioheat/openmp_row.inc"

#include "models/bioheat/openmp_field.inc"

#include "models/bioheat/openmp_record.inc"
#undef REAL
#undef POINT

const struct heat_functions ISA_OWN(heat_functions) = {
    .instruction_set = ISA_NAME,
    .label_row = ISA_BOTH(label_row),
    .field_row = ISA_BOTH(field_row),
    .add_layer = ISA_BOTH(add_layer),
    .add_colour = ISA_BOTH(add_colour),
    .stage_row = ISA_BOTH(stage_row),
    .dose_row = ISA_BOTH(dose_row),
    .mean_dose_row = ISA_BOTH(mean_dose_row),
    .reported_row = ISA_BOTH(reported_row),
    .maximum_row = ISA_BOTH(maximum_row),
};
