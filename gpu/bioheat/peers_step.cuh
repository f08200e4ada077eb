// The explicit step that sends its outermost planes to the neighbouring ranks' devices, by kinds of media.
#ifndef FATHOM_GPU_BIOHEAT_PEERS_STEP_CUH
#define FATHOM_GPU_BIOHEAT_PEERS_STEP_CUH

#include "gpu/bioheat/peers.cuh"
#include "gpu/bioheat/walls.cuh"

namespace heat {

// Euler's, with the heat through the convective sides: the neighbours must have it, too.
template <typename Real_, bool HAS_DOSE, bool HAS_LARGEST>
struct walled_ending : step_ending<Real_, HAS_DOSE, HAS_LARGEST> {
    typedef Real_ Real;
    typedef typename step_ending<Real, HAS_DOSE, HAS_LARGEST>::plane plane;

    template <typename Tile>
    DEVICE pack<Real> store(const heat_step &step, const sweep_place<Tile> &me, int z, long long place, int r,
                            const pack<Real> &own, pack<Real> &change, const plane &) const
    {
        pack<Real> result = sum_of(own, change);
        add_walls<Tile>(step, me, z, r, result);
        store_cells(array<Real>(step.to) + place, result, me.count);
        return result;
    }
};

// Without walls a kernel needs fewer registers.
template <typename Media, typename Real, bool HAS_DOSE, bool HAS_LARGEST>
void sweep_walls_to_peers(const heat_step &step, const heat_peers &peers, int multiprocessors,
                          cudaStream_t stream)
{
    if (media_has_walls(step.media))
        sweep_to<Media>(step, to_peers(walled_ending<Real, HAS_DOSE, HAS_LARGEST>(), peers), multiprocessors,
                        stream);
    else
        sweep_to<Media>(step, to_peers(step_ending<Real, HAS_DOSE, HAS_LARGEST>(), peers), multiprocessors,
                        stream);
}

template <typename Media>
void sweep_to_peers(const heat_step &step, const heat_peers &peers, enum element precision,
                    int multiprocessors, cudaStream_t stream)
{
    kernels::with_real(precision, [&](auto real) {
        typedef decltype(real) Real;
        if (step.records.low && step.records.largest)
            sweep_walls_to_peers<Media, Real, true, true>(step, peers, multiprocessors, stream);
        else if (step.records.low)
            sweep_walls_to_peers<Media, Real, true, false>(step, peers, multiprocessors, stream);
        else if (step.records.largest)
            sweep_walls_to_peers<Media, Real, false, true>(step, peers, multiprocessors, stream);
        else
            sweep_walls_to_peers<Media, Real, false, false>(step, peers, multiprocessors, stream);
    });
}

template <typename Media, typename Real, bool HAS_DOSE, bool HAS_LARGEST> bool loads_one_to_peers()
{
    return sweep_loads_one<Media, peer_ending<step_ending<Real, HAS_DOSE, HAS_LARGEST>>>() &&
           sweep_loads_one<Media, peer_ending<walled_ending<Real, HAS_DOSE, HAS_LARGEST>>>();
}

template <typename Media> bool loads_to_peers(enum element precision)
{
    return kernels::with_real(precision, [](auto real) {
        typedef decltype(real) Real;
        return loads_one_to_peers<Media, Real, false, false>() &&
               loads_one_to_peers<Media, Real, false, true>() &&
               loads_one_to_peers<Media, Real, true, false>() &&
               loads_one_to_peers<Media, Real, true, true>();
    });
}

} // namespace heat

#endif
