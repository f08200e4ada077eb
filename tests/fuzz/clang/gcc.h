// What gcc has and clang does not; included before everything else (cmake/fuzz.cmake).
#ifndef FATHOM_TESTS_FUZZ_GCC_H
#define FATHOM_TESTS_FUZZ_GCC_H

#define __builtin_shuffle(a, b, places)                                                                      \
    ({                                                                                                       \
        const __typeof__(a) shuffle_a_ = (a), shuffle_b_ = (b);                                              \
        const __typeof__(places) shuffle_places_ = (places);                                                 \
        __typeof__((a) + (b)) shuffled_;                                                                     \
        const unsigned shuffle_lanes_ = sizeof shuffled_ / sizeof shuffled_[0];                              \
        for (unsigned shuffle_k_ = 0; shuffle_k_ < shuffle_lanes_; shuffle_k_++) {                           \
            const unsigned from_ = (unsigned)shuffle_places_[shuffle_k_];                                    \
            shuffled_[shuffle_k_] =                                                                          \
                from_ < shuffle_lanes_ ? shuffle_a_[from_] : shuffle_b_[from_ - shuffle_lanes_];             \
        }                                                                                                    \
        shuffled_;                                                                                           \
    })

#endif
