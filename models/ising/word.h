// Decisions of a word's spins at once (state.h, DECISIONS) in the FAST versions, four words that share their
// random numbers at a time. The reference does not use it. Knows no lattice.
//
// Included once per arithmetic, after rule.h, with, defined:
//   WORD          32 spins, or lanes of such words (gcc's vectors)
//   WORDS(name)   adds a suffix of its own to each name
//   EACH(u)       a uint32_t as a WORD
//   ANY(w)        whether any bit of it is set
//   DRAW(rule, quads, sweep, purpose, words)   the four random words of each quad
//   QUADS         what `quads` is: the quad's number, or the first of the lanes'
//   DIGITS        how many digits are drawn at a time, a divisor of 32: one wastes none; several do not wait
//                 for each other
// and, if it is not four words by DRAW:
//   TOGETHER      how many words are decided together
//   DRAW_DIGITS(rule, quads, sweep, phase, first, random)   the random words of DIGITS digits from `first` on
//   UNROLLED      before the loop over digits: how it is compiled
//   RULE          a struct ising_rule, or what has all of it
//   DIGIT_MASK(rule, threshold, digit)     all bits, if that digit (0: the most significant) of the threshold
//                                          is 1
//   AT_DIGIT(rule, threshold, digit, set)  `set`, if it is
//   WORD_FUNCTION how its functions are declared
// Compiled for host and device (core/host_device.h), if not said otherwise.

#ifndef WORD_FUNCTION
#define WORD_FUNCTION static FATHOM_HOST_DEVICE
#endif
#ifndef UNROLLED
#define UNROLLED
#endif
#ifndef RULE
#define RULE                                  struct ising_rule
#define DIGIT_MASK(rule, threshold, digit)    EACH((rule)->threshold >> (31 - (digit)) & 1 ? 0xffffffffu : 0)
#define AT_DIGIT(rule, threshold, digit, set) ((rule)->threshold >> (31 - (digit)) & 1 ? (set) : EACH(0))
#endif
#ifndef TOGETHER
#define TOGETHER 4
#define DRAW_DIGITS(rule, quads, sweep, phase, first, random)                                                \
    for (int d = 0; d < DIGITS; d++)                                                                         \
    DRAW(rule, quads, sweep, ising_purpose(ISING_USE_SPINS, phase, (first) + d), (random)[d])
#endif

WORD_FUNCTION WORD WORDS(any_of)(const WORD words[TOGETHER])
{
    WORD any = words[0];
    for (int k = 1; k < TOGETHER; k++)
        any |= words[k];
    return any;
}

// Which neighbours are satisfied: three, or all four, of them.
WORD_FUNCTION void WORDS(count_satisfied)(const RULE *rule, WORD spins, const WORD n[ISING_NEIGHBOUR_WORDS],
                                          WORD *three, WORD *four)
{
    const WORD like = ~spins ^ EACH(rule->unlike); // ^ neighbour: whether that one is satisfied
    const WORD a = n[0] ^ like, b = n[1] ^ like, c = n[2] ^ like, d = n[3] ^ like;
    const WORD ab = a & b, cd = c & d;
    *four = ab & cd;
    *three = (ab & (c ^ d)) | (cd & (a ^ b));
}

// METROPOLIS without a field. valid: the spins that there are. A spin is decided at the first digit that
// differs; who turns anyhow, or is not there, never holds the others up.
WORD_FUNCTION void WORDS(turn_alike)(const RULE *rule, QUADS quads, uint32_t sweep, int phase,
                                     const WORD valid[TOGETHER],
                                     const WORD neighbours[TOGETHER][ISING_NEIGHBOUR_WORDS],
                                     WORD spins[TOGETHER])
{
    WORD three[TOGETHER], four[TOGETHER], open[TOGETHER], drawn[TOGETHER];
    for (int k = 0; k < TOGETHER; k++) {
        WORDS(count_satisfied)(rule, spins[k], neighbours[k], &three[k], &four[k]);
        const WORD always = (rule->three >> 32 ? three[k] : EACH(0)) | (rule->four >> 32 ? four[k] : EACH(0));
        open[k] = (three[k] | four[k]) & ~always & valid[k];
        drawn[k] = (~(three[k] | four[k]) | always) & valid[k];
    }
    UNROLLED
    for (int first = 0; first < 32 && ANY(WORDS(any_of)(open)); first += DIGITS) {
        WORD random[DIGITS][TOGETHER];
        DRAW_DIGITS(rule, quads, sweep, phase, first, random);
        for (int d = 0; d < DIGITS; d++) {
            const WORD digit_three = DIGIT_MASK(rule, three, first + d);
            const WORD digit_four = DIGIT_MASK(rule, four, first + d);
            for (int k = 0; k < TOGETHER; k++) {
                const WORD ours = (three[k] & digit_three) | (four[k] & digit_four);
                drawn[k] |= open[k] & ours & ~random[d][k];
                open[k] &= ~(ours ^ random[d][k]);
            }
        }
    }
    for (int k = 0; k < TOGETHER; k++)
        spins[k] ^= drawn[k];
}

// Who has how many neighbours up.
WORD_FUNCTION void WORDS(count_up)(const WORD n[ISING_NEIGHBOUR_WORDS], WORD up[5])
{
    const WORD ab = n[0] & n[1], cd = n[2] & n[3], any = n[0] | n[1] | n[2] | n[3];
    const WORD odd = n[0] ^ n[1] ^ n[2] ^ n[3];
    up[0] = ~any;
    up[4] = ab & cd;
    up[1] = odd & ~(ab | cd);
    up[3] = odd & (ab | cd);
    up[2] = ~(odd | up[0] | up[4]);
}

// HEAT_BATH, or METROPOLIS in a field: each spin's threshold is its own.
WORD_FUNCTION void WORDS(turn_each)(const RULE *rule, QUADS quads, uint32_t sweep, int phase,
                                    const WORD valid[TOGETHER],
                                    const WORD neighbours[TOGETHER][ISING_NEIGHBOUR_WORDS],
                                    WORD spins[TOGETHER])
{
    WORD up[TOGETHER][5], open[TOGETHER], drawn[TOGETHER];
    for (int k = 0; k < TOGETHER; k++) {
        WORD always = EACH(0);
        WORDS(count_up)(neighbours[k], up[k]);
        for (int n = 0; n < 5; n++) {
            always |= rule->thresholds[1][n] >> 32 ? up[k][n] & spins[k] : EACH(0);
            always |= rule->thresholds[0][n] >> 32 ? up[k][n] & ~spins[k] : EACH(0);
        }
        drawn[k] = always & valid[k];
        open[k] = ~always & valid[k];
    }
    UNROLLED
    for (int first = 0; first < 32 && ANY(WORDS(any_of)(open)); first += DIGITS) {
        WORD random[DIGITS][TOGETHER];
        DRAW_DIGITS(rule, quads, sweep, phase, first, random);
        for (int d = 0; d < DIGITS; d++)
            for (int k = 0; k < TOGETHER; k++) {
                WORD ours = EACH(0);
                for (int n = 0; n < 5; n++) {
                    ours |= AT_DIGIT(rule, thresholds[1][n], first + d, up[k][n] & spins[k]);
                    ours |= AT_DIGIT(rule, thresholds[0][n], first + d, up[k][n] & ~spins[k]);
                }
                drawn[k] |= open[k] & ours & ~random[d][k];
                open[k] &= ~(ours ^ random[d][k]);
            }
    }
    for (int k = 0; k < TOGETHER; k++)
        spins[k] = rule->is_heat_bath ? drawn[k] : spins[k] ^ drawn[k];
}

#undef WORD_FUNCTION
#undef UNROLLED
#undef RULE
#undef DIGIT_MASK
#undef AT_DIGIT
#undef TOGETHER
#undef DRAW_DIGITS
