// The explicit step for media given as full fields, to the neighbouring ranks' devices as well.
#include "gpu/bioheat/fields.cuh"
#include "gpu/bioheat/peers_step.cuh"

namespace heat {

bool loads_peer_fields(enum element precision)
{
    return loads_to_peers<field_media>(precision);
}

void sweep_fields_to_peers(const heat_step &step, const heat_peers &peers, enum element precision,
                           int multiprocessors, cudaStream_t stream)
{
    sweep_to_peers<field_media>(step, peers, precision, multiprocessors, stream);
}

} // namespace heat
