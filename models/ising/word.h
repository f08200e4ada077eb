// Decisions of a word's spins at once (state.h, DECISIONS) in the FAST versions, four words that share their random numbers at a time. The reference
// does not use it. Knows no lattice.
//
// Included once per arithmetic, after rule.h, with, defined:
//   WORD          32 spins, or lanes of such words (gcc's vectors)
//   WORDS(name)   adds a suffix of its own to each name
//   EACH(u)       a uint32_t as a WORD
//   ANY(w)        whether any bit of it is set
//   DRAW(rule, quads, sweep, purpose, words)   the four random words of each quad
//   QUADS         what `quads` is: the quad's number, or the first of the lanes'
//   DIGITS        how many digits are drawn at a time, a divisor of 32: one wastes none; several do not wait for each other
// Compiled for host and device (core/host_device.h).

// Which neighbours are satisfied: three, or all four, of them.
static FATHOM_HOST_DEVICE void WORDS(count_satisfied)(const struct ising_rule *rule, WORD spins,
                                                      const WORD n[ISING_NEIGHBOUR_WORDS], WORD *three,
                                                      WORD *four)
{
    const WORD like = ~spins ^ EACH(rule->unlike); // ^ neighbour: whether that one is satisfied
    const WORD a = n[0] ^ like, b = n[1] ^ like, c = n[2] ^ like, d = n[3] ^ like;
    const WORD ab = a & b, cd = c & d;
    *four = ab & cd;
    *three = (ab & (c ^ d)) | (cd & (a ^ b));
}

// METROPOLIS without a field. valid: the spins that there are. A spin is decided at the first digit that differs; who turns anyhow, or is not
// there, never holds the others up.
static FATHOM_HOST_DEVICE void WORDS(turn_alike)(const struct ising_rule *rule, QUADS quads, uint32_t sweep,
                                                 int phase, const WORD valid[4],
                                                 const WORD neighbours[4][ISING_NEIGHBOUR_WORDS],
                                                 WORD spins[4])
{
    WORD three[4], four[4], open[4], drawn[4];
    for (int k = 0; k < 4; k++) {
        WORDS(count_satisfied)(rule, spins[k], neighbours[k], &three[k], &four[k]);
        const WORD always = (rule->three >> 32 ? three[k] : EACH(0)) | (rule->four >> 32 ? four[k] : EACH(0));
        open[k] = (three[k] | four[k]) & ~always & valid[k];
        drawn[k] = (~(three[k] | four[k]) | always) & valid[k];
    }
    for (int first = 0; first < 32 && ANY(open[0] | open[1] | open[2] | open[3]); first += DIGITS) {
        WORD random[DIGITS][4];
        for (int d = 0; d < DIGITS; d++)
            DRAW(rule, quads, sweep, ising_purpose(ISING_USE_SPINS, phase, first + d), random[d]);
        for (int d = 0; d < DIGITS; d++) {
            const uint32_t digit_three = rule->three >> (31 - first - d) & 1 ? 0xffffffffu : 0;
            const uint32_t digit_four = rule->four >> (31 - first - d) & 1 ? 0xffffffffu : 0;
            for (int k = 0; k < 4; k++) {
                const WORD ours = (three[k] & EACH(digit_three)) | (four[k] & EACH(digit_four));
                drawn[k] |= open[k] & ours & ~random[d][k];
                open[k] &= ~(ours ^ random[d][k]);
            }
        }
    }
    for (int k = 0; k < 4; k++)
        spins[k] ^= drawn[k];
}

// Who has how many neighbours up.
static FATHOM_HOST_DEVICE void WORDS(count_up)(const WORD n[ISING_NEIGHBOUR_WORDS], WORD up[5])
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
static FATHOM_HOST_DEVICE void WORDS(turn_each)(const struct ising_rule *rule, QUADS quads, uint32_t sweep,
                                                int phase, const WORD valid[4],
                                                const WORD neighbours[4][ISING_NEIGHBOUR_WORDS],
                                                WORD spins[4])
{
    WORD up[4][5], open[4], drawn[4];
    for (int k = 0; k < 4; k++) {
        WORD always = EACH(0);
        WORDS(count_up)(neighbours[k], up[k]);
        for (int n = 0; n < 5; n++) {
            always |= rule->thresholds[1][n] >> 32 ? up[k][n] & spins[k] : EACH(0);
            always |= rule->thresholds[0][n] >> 32 ? up[k][n] & ~spins[k] : EACH(0);
        }
        drawn[k] = always & valid[k];
        open[k] = ~always & valid[k];
    }
    for (int digit = 0; digit < 32 && ANY(open[0] | open[1] | open[2] | open[3]); digit++) {
        WORD random[4];
        DRAW(rule, quads, sweep, ising_purpose(ISING_USE_SPINS, phase, digit), random);
        for (int k = 0; k < 4; k++) {
            WORD ours = EACH(0);
            for (int n = 0; n < 5; n++) {
                ours |= rule->thresholds[1][n] >> (31 - digit) & 1 ? up[k][n] & spins[k] : EACH(0);
                ours |= rule->thresholds[0][n] >> (31 - digit) & 1 ? up[k][n] & ~spins[k] : EACH(0);
            }
            drawn[k] |= open[k] & ours & ~random[k];
            open[k] &= ~(ours ^ random[k]);
        }
    }
    for (int k = 0; k < 4; k++)
        spins[k] = rule->is_heat_bath ? drawn[k] : spins[k] ^ drawn[k];
}
