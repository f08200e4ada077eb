// Potentials and virials of pairs, in lanes of doubles, for one instruction set: part of openmp_pairs_isa.c, after openmp_pairs.h. Sums of logarithms
// are logarithms of products, whose exponents are taken away in time: a multiplication a pair instead of a logarithm.

// Π s as mantissa · 2^exponent.
struct log_sum {
    real_d mantissa, exponent;
};

LANES_FUNCTION void log_sum_start(struct log_sum *sum)
{
    sum->mantissa = NUMBER(1);
    sum->exponent = NUMBER(0);
}

// Adds ln s where `mask` is −1.
LANES_FUNCTION void log_sum_add(struct log_sum *sum, real_int_d mask, real_d s)
{
    const real_int_d one = (real_int_d)NUMBER(1), mantissa_bits = one - one + 0xfffffffffffffLL;
    const real_d factor = (real_d)(((real_int_d)s & mask) | (one & ~mask));
    const real_int_d bits = (real_int_d)(sum->mantissa * factor);
    sum->exponent += __builtin_convertvector((bits >> 52) - 1023, real_d);
    sum->mantissa = (real_d)((bits & mantissa_bits) | one);
}

LANES_FUNCTION double log_sum_total(const struct log_sum *sum, int lane)
{
    return log(sum->mantissa[lane]) + 0.69314718055994531 * sum->exponent[lane];
}

struct energy_sums {
    real_d potential, virial; // without the logarithms
    struct log_sum all, within;
};

LANES_FUNCTION void start_energy(struct energy_sums *sums)
{
    sums->potential = sums->virial = NUMBER(0);
    log_sum_start(&sums->all);
    log_sum_start(&sums->within);
}

// U − f_c … of NEAR within the cut-off, but for the logarithm.
LANES_FUNCTION real_d near_potential(const struct gas_law *law, real_d s, real_d inverse, real_int_d within)
{
    const real_d part = NUMBER(law->within / 2) * inverse - NUMBER(law->last_potential) +
                        (s - NUMBER(law->end_square)) * NUMBER(law->last_f / 2);
    return NUMBER(law->everywhere / 2) * inverse + kept_d(within, part);
}

LANES_FUNCTION real_d lennard_jones_potential(const struct gas_law *law, real_d s, real_d root)
{
    const real_d inverse = root * root, q = NUMBER(law->sixth) * inverse * inverse * inverse;
    return NUMBER(4 * law->depth) * (q * q - q) - NUMBER(law->last_potential) -
           (s * root - NUMBER(sqrt(law->end_square))) * NUMBER(law->last_slope);
}

// `mask`: who counts. `ends`: nothing counts beyond the cut-off (of lists).
LANES_FUNCTION void add_pair_energy(const struct gas_law *law, const struct law_d *made,
                                    enum gas_law_kind kind, bool ends, real_d x, real_d y, real_int_d mask,
                                    struct energy_sums *sums)
{
    const real_d square = x * x + y * y, s = square + made->softening_square, guess = guess_d(s);
    const real_d root = inverse_root_d(s, guess);
    const real_int_d within = s < made->end_square;
    if (ends)
        mask &= within;
    if (kind == GAS_LAW_LOG)
        mask &= s > NUMBER(0);
    if (kind == GAS_LAW_LOG || kind == GAS_LAW_NEAR) {
        log_sum_add(&sums->all, mask, s);
        log_sum_add(&sums->within, mask & within, s);
    }
    if (kind == GAS_LAW_NEAR)
        sums->potential += kept_d(mask, near_potential(law, s, inverse_d(s, guess), within));
    if (kind == GAS_LAW_LENNARD_JONES || kind == GAS_LAW_FORCE_SHIFTED)
        sums->potential += kept_d(mask & within, lennard_jones_potential(law, s, root));
    sums->virial += kept_d(mask, pair_force_d(kind, made, s, guess) * square);
}

// Half of each pair's, of each lane.
LANES_FUNCTION void end_energy(const struct gas_law *law, const struct energy_sums *sums, double *potential,
                               double *virial)
{
    for (int k = 0; k < LANES; k++) {
        const double logs = law->attraction / 2 * log_sum_total(&sums->all, k) +
                            law->attraction2 / 2 * log_sum_total(&sums->within, k);
        potential[k] += (sums->potential[k] + logs) / 2;
        virial[k] += sums->virial[k] / 2;
    }
}

LANES_FUNCTION void add_range_energy_of(const struct pair_view *view, enum gas_law_kind kind,
                                        struct pair_range targets, struct pair_range sources,
                                        struct pair_sums *sums)
{
    const double *lengths = view->periodic;
    const double per_x = lengths[GAS_X] > 0 ? 1 / lengths[GAS_X] : 0;
    const double per_y = lengths[GAS_Y] > 0 ? 1 / lengths[GAS_Y] : 0;
    struct law_d law;
    struct places_d at, block;
    make_law_d(view->law, &law);
    find_targets_d(view, targets, &at);
    for (size_t k = 0; k < targets.end - targets.first; k += (size_t)LANES) {
        const real_d at_x = load_d(at.x + k), at_y = load_d(at.y + k);
        struct energy_sums energy;
        start_energy(&energy);
        for (size_t j = sources.first; j < sources.end; j++) {
            if ((j - sources.first) % PAIR_BLOCK == 0)
                find_places_d(view, j, sources.end - j < PAIR_BLOCK ? sources.end - j : PAIR_BLOCK, &block);
            const size_t n = (j - sources.first) % PAIR_BLOCK;
            const real_d x =
                nearest_image_d(at_x - NUMBER(block.x[n]), NUMBER(lengths[GAS_X]), NUMBER(per_x));
            const real_d y =
                nearest_image_d(at_y - NUMBER(block.y[n]), NUMBER(lengths[GAS_Y]), NUMBER(per_y));
            const real_int_d other = lane_numbers_d() + (int64_t)(targets.first + k) != (int64_t)j;
            add_pair_energy(view->law, &law, kind, false, x, y, other, &energy);
        }
        end_energy(view->law, &energy, sums->x + k, sums->y + k);
    }
}

static void add_range_energy(const struct pair_view *view, struct pair_range targets,
                             struct pair_range sources, struct pair_sums *sums){
#define ADD_RANGE(kind) add_range_energy_of(view, kind, targets, sources, sums)
    GAS_FOR_LAW(view->law->kind, ADD_RANGE)
#undef ADD_RANGE
}

LANES_FUNCTION void sum_list_energy_of(const struct pair_view *view, enum gas_law_kind kind, size_t first,
                                       const struct pair_list *list, struct pair_sums *sums)
{
    struct law_d law;
    make_law_d(view->law, &law);
    for (int lane = 0; lane < PAIR_GROUP; lane += LANES) {
        const real_int_d own = own_indices_d(first + (size_t)lane, view->particles->count);
        int32_t own_j[LANES_BYTES / sizeof(double)];
        place_d at_x, at_y, there_x, there_y;
        struct energy_sums energy;
        start_energy(&energy);
        for (int k = 0; k < LANES; k++)
            own_j[k] = (int32_t)own[k];
        find_places_of_d(view, own_j, &at_x, &at_y);
        for (int n = 0; n < list->length; n++) {
            const int32_t *j = list->neighbours + n * PAIR_GROUP + lane;
            find_places_of_d(view, j, &there_x, &there_y);
            const real_d x = separation_d(view, GAS_X, true, at_x, there_x);
            const real_d y = separation_d(view, GAS_Y, true, at_y, there_y);
            add_pair_energy(view->law, &law, kind, true, x, y, indices_d(j) != own, &energy);
        }
        for (int k = 0; k < LANES; k++)
            sums->x[lane + k] = sums->y[lane + k] = 0;
        end_energy(view->law, &energy, sums->x + lane, sums->y + lane);
    }
}

static void sum_list_energy(const struct pair_view *view, size_t first, const struct pair_list *list,
                            struct pair_sums *sums)
{
#define SUM_LIST(kind) sum_list_energy_of(view, kind, first, list, sums)
    GAS_FOR_LAW(view->law->kind, SUM_LIST)
#undef SUM_LIST
}
