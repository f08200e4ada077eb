// Philox4x32-10 of core/philox.h for many counters that differ in their last word alone, as the digits of one
// quad of spins do (models/ising/state.h).
#ifndef FATHOM_GPU_PHILOX_CUH
#define FATHOM_GPU_PHILOX_CUH

#include "core/host_device.h"
#include "core/philox.h"

namespace philox {
namespace {

// What does not depend on the digit is computed once. The digit is in the counter's last word alone: so three
// words of the first round, and the products of the second round's first word, do not depend on it.
struct drawer {
    uint32_t first_high, last;    // of the first round's v2 (without the purpose) and v3
    uint32_t second_high, second; // of the second round: hi and lo of M0 · v0
    uint32_t middle;              // v1 after the first round
};

// Also compiled for the host, as word.inc is.
constexpr uint32_t M0 = 0xD2511F53u, M1 = 0xCD9E8D57u, W0 = 0x9E3779B9u, W1 = 0xBB67AE85u;

FATHOM_HOST_DEVICE drawer drawer_of(const philox_key &key, uint64_t quad, uint32_t sweep)
{
    const uint64_t p0 = static_cast<uint64_t>(M0) * static_cast<uint32_t>(quad);
    const uint64_t p1 = static_cast<uint64_t>(M1) * sweep;
    const uint32_t v0 = static_cast<uint32_t>(p1 >> 32) ^ static_cast<uint32_t>(quad >> 32) ^ key.v[0];
    const uint64_t p2 = static_cast<uint64_t>(M0) * v0;
    return {static_cast<uint32_t>(p0 >> 32) ^ key.v[1], static_cast<uint32_t>(p0),
            static_cast<uint32_t>(p2 >> 32) ^ (key.v[1] + W1), static_cast<uint32_t>(p2),
            static_cast<uint32_t>(p1)};
}

FATHOM_HOST_DEVICE void draw(const philox_key &key, const drawer &from, uint32_t purpose, uint32_t words[4])
{
    const uint64_t p1 = static_cast<uint64_t>(M1) * (from.first_high ^ purpose);
    uint32_t v0 = static_cast<uint32_t>(p1 >> 32) ^ from.middle ^ (key.v[0] + W0);
    uint32_t v1 = static_cast<uint32_t>(p1), v2 = from.second_high ^ from.last, v3 = from.second;
    for (uint32_t round = 2; round < 10; round++) {
        const uint64_t a = static_cast<uint64_t>(M0) * v0, b = static_cast<uint64_t>(M1) * v2;
        v0 = static_cast<uint32_t>(b >> 32) ^ v1 ^ (key.v[0] + round * W0);
        v1 = static_cast<uint32_t>(b);
        v2 = static_cast<uint32_t>(a >> 32) ^ v3 ^ (key.v[1] + round * W1);
        v3 = static_cast<uint32_t>(a);
    }
    words[0] = v0;
    words[1] = v1;
    words[2] = v2;
    words[3] = v3;
}

} // namespace
} // namespace philox

#endif
