// The heat model's explicit step for labelled media, sweeping along z, with the records of dose and largest
// rise.
#include "gpu/bioheat/labels.cuh"

namespace heat {

bool loads_labels(enum element precision)
{
    return sweep_loads<label_media<false>>(precision);
}

} // namespace heat

extern "C" cudaError_t heat_step_labels(const heat_step *step, enum element precision, int multiprocessors,
                                        cudaStream_t stream)
{
    return heat::sweep<heat::label_media<false>>(step, precision, multiprocessors, stream);
}
