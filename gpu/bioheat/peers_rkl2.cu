// The stages of method rkl2 that send their outermost planes to the neighbouring ranks' devices.
#include "gpu/bioheat/fields.cuh"
#include "gpu/bioheat/labels.cuh"
#include "gpu/bioheat/peers.cuh"
#include "gpu/bioheat/stage.cuh"

namespace heat {
namespace {

template <typename Media, typename Real>
void sweep_to_peers(const heat_step &step, const heat_difference &by, const heat_peers &peers,
                    int multiprocessors, cudaStream_t stream)
{
    if (by.start && step.records.low)
        sweep_to<Media>(step, to_peers(ending_of<Real, true>(step, by), peers), multiprocessors, stream);
    else
        sweep_to<Media>(step, to_peers(ending_of<Real, false>(step, by), peers), multiprocessors, stream);
}

template <typename Media> bool loads(enum element precision)
{
    return kernels::with_real(precision, [](auto real) {
        typedef decltype(real) Real;
        return sweep_loads_one<Media, peer_ending<stage_ending<Real, false>>>() &&
               sweep_loads_one<Media, peer_ending<stage_ending<Real, true>>>();
    });
}

} // namespace

bool loads_peer_stages(enum element precision)
{
    return loads<label_media<false>>(precision) && loads<label_media<true>>(precision) &&
           loads<field_media>(precision);
}

} // namespace heat

using namespace heat;

extern "C" cudaError_t heat_sweep_stage_to_peers(const heat_step *step, const heat_difference *by,
                                                 const heat_peers *peers, enum element precision,
                                                 int multiprocessors, cudaStream_t stream)
{
    return kernels::launch(precision, [&](auto real) {
        typedef decltype(real) Real;
        if (!step->media.has_labels)
            sweep_to_peers<field_media, Real>(*step, *by, *peers, multiprocessors, stream);
        else if (step->media.is_quadratic)
            sweep_to_peers<label_media<true>, Real>(*step, *by, *peers, multiprocessors, stream);
        else
            sweep_to_peers<label_media<false>, Real>(*step, *by, *peers, multiprocessors, stream);
    });
}
