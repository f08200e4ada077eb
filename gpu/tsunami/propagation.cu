// The kernels of propagation (vtcs2, vtcs2-o2), in both precisions.
#include "gpu/tsunami/plain.cuh"
#include "gpu/tsunami/tile_rows.cuh"

using namespace tsunami;

// Calls launch(second order, has friction, has given waves) with constants. If waves are given, the kernels
// always compute friction, so that fewer kernels are needed; a friction of 0 changes no bit.
template <typename Real, typename Launch>
static void with_scheme(const device_level<Real> &level, int second_order, const Launch &launch)
{
    using yes = std::true_type;
    using no = std::false_type;
    if (level.has_given)
        second_order ? launch(yes(), yes(), yes()) : launch(no(), yes(), yes());
    else if (level.friction > Real(0))
        second_order ? launch(yes(), yes(), no()) : launch(no(), yes(), no());
    else
        second_order ? launch(yes(), no(), no()) : launch(no(), no(), no());
}

extern "C" cudaError_t tsunami_launch_steps(const struct tsunami_level_view *view,
                                            const struct device_records *records,
                                            const struct device_tiles *tiles,
                                            const struct device_steps *steps, int second_order,
                                            cudaStream_t stream)
{
    return with_level(*view, [&](const auto &level) {
        constexpr int threads = TILE_THREADS(lane_columns<std::remove_const_t<decltype(level.step)>>);
        with_scheme(level, second_order, [&](auto second, auto friction, auto given) {
            with_records(records->kind, [&](auto kind) {
                steps_kernel<second.value, friction.value, kind.value, given.value>
                    <<<steps->blocks, threads, 0, stream>>>(level, *records, *tiles, *steps);
            });
        });
    });
}

extern "C" cudaError_t tsunami_launch_plain(const struct tsunami_level_view *view, long long step,
                                            int second_order, cudaStream_t stream)
{
    return with_level(*view, [&](const auto &level) {
        with_scheme(level, second_order, [&](auto second, auto friction, auto given) {
            plain_step<second.value, friction.value, given.value>(level, node_blocks(level), step, stream);
        });
    });
}

extern "C" cudaError_t tsunami_launch_record(const struct tsunami_level_view *view,
                                             const struct device_records *records, int copy, float time_s,
                                             cudaStream_t stream)
{
    return with_level(*view, [&](const auto &level) {
        record_kernel<<<node_blocks(level), NODE_THREADS, 0, stream>>>(level, *records, copy, time_s);
    });
}
