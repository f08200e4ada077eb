// The heat model's explicit step for media given as full fields, sweeping along z, with the records of dose
// and largest rise.
#include "gpu/bioheat/fields.cuh"

namespace heat {

bool loads_fields(enum element precision)
{
    return sweep_loads<field_media>(precision);
}

} // namespace heat

extern "C" cudaError_t heat_step_fields(const heat_step *step, enum element precision, int multiprocessors,
                                        cudaStream_t stream)
{
    return heat::sweep<heat::field_media>(step, precision, multiprocessors, stream);
}
