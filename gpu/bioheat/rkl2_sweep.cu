// The stages of method rkl2 sweeping along z (sweep.cuh), as differences from the step's start
// (models/bioheat/rkl2.h), which leaves a stage an array less to read. The last one adds its difference to
// the temperature, and the step's dose between the two.
#include "gpu/bioheat/fields.cuh"
#include "gpu/bioheat/labels.cuh"
#include "gpu/bioheat/stage.cuh"

namespace heat {
namespace {

template <typename Media, typename Real>
void sweep_stage(const heat_step &step, const heat_difference &by, int multiprocessors, cudaStream_t stream)
{
    if (by.start && step.records.low)
        sweep_to<Media>(step, ending_of<Real, true>(step, by), multiprocessors, stream);
    else
        sweep_to<Media>(step, ending_of<Real, false>(step, by), multiprocessors, stream);
}

template <typename Media> bool loads_stages(enum element precision)
{
    return kernels::with_real(precision, [](auto real) {
        typedef decltype(real) Real;
        return sweep_loads_one<Media, stage_ending<Real, false>>() &&
               sweep_loads_one<Media, stage_ending<Real, true>>();
    });
}

} // namespace

bool loads_label_stages(enum element precision)
{
    return loads_stages<label_media<false>>(precision) && loads_stages<label_media<true>>(precision);
}

bool loads_field_stages(enum element precision)
{
    return loads_stages<field_media>(precision);
}

} // namespace heat

using namespace heat;

extern "C" cudaError_t heat_sweep_stage(const heat_step *step, const heat_difference *by,
                                        enum element precision, int multiprocessors, cudaStream_t stream)
{
    return kernels::launch(precision, [&](auto real) {
        typedef decltype(real) Real;
        if (!step->media.has_labels)
            sweep_stage<field_media, Real>(*step, *by, multiprocessors, stream);
        else if (step->media.is_quadratic)
            sweep_stage<label_media<true>, Real>(*step, *by, multiprocessors, stream);
        else
            sweep_stage<label_media<false>, Real>(*step, *by, multiprocessors, stream);
    });
}
