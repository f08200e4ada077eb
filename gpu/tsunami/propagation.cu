// The kernels of propagation (vtcs2, vtcs2-o2), in both precisions.
#include "gpu/tsunami/march.cuh"
#include "gpu/tsunami/plain.cuh"

extern "C" cudaError_t tsunami_launch_steps(const struct tsunami_level_view *view,
                                            const struct device_records *records,
                                            const struct device_tiles *tiles,
                                            const struct device_steps *steps, int second_order,
                                            cudaStream_t stream)
{
    return tsunami::with_level(*view, [&](const auto &level) {
        return second_order ? tsunami::launch_order<true>(level, *records, *tiles, *steps, stream)
                            : tsunami::launch_order<false>(level, *records, *tiles, *steps, stream);
    });
}

extern "C" cudaError_t tsunami_launch_plain(const struct tsunami_level_view *view, long long step,
                                            int second_order, cudaStream_t stream)
{
    return tsunami::with_level(
        *view, [&](const auto &level) { return tsunami::launch_plain(level, step, second_order, stream); });
}

extern "C" cudaError_t tsunami_launch_record(const struct tsunami_level_view *view,
                                             const struct device_records *records, int copy, float time_s,
                                             cudaStream_t stream)
{
    return tsunami::with_level(*view, [&](const auto &level) {
        return tsunami::launch_record(level, *records, copy, time_s, stream);
    });
}
