// The explicit step for labelled media, to the neighbouring ranks' devices as well.
#include "gpu/bioheat/labels.cuh"
#include "gpu/bioheat/peers_step.cuh"

namespace heat {

bool loads_peer_labels(enum element precision)
{
    return loads_to_peers<label_media<false>>(precision);
}

void sweep_labels_to_peers(const heat_step &step, const heat_peers &peers, enum element precision,
                           int multiprocessors, cudaStream_t stream)
{
    sweep_to_peers<label_media<false>>(step, peers, precision, multiprocessors, stream);
}

} // namespace heat
