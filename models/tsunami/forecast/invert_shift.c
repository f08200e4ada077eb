// One shift in time for each station of an inversion, with which the sum of the sources fits its record best
// (see invert.h). Uses arrays only: no file, no database.
#include "models/tsunami/forecast/invert_private.h"

#include <math.h>

// Trial shifts on either side of none: with a bound of some hundred seconds, a small part of a period of any
// tsunami that a grid of the ocean has. Between the best one's neighbours the misfit has one minimum.
enum { TRIALS = 60, HALVINGS = 40 };
static const double settled_s = 0.1;

struct search {
    const struct invert_request *request;
    const struct invert_station *station;
    const struct invert_fit *fit;
    const double *slips_m;
};

// Σ(observed − sum − offset)² in the window, the offset being their mean difference if there is one.
static double misfit(const struct search *search, double shift_s)
{
    const struct invert_series *record = &search->station->observed;
    double sum = 0, squares = 0;
    for (size_t k = 0; k < record->samples; k++) {
        if (!invert_is_within(search->fit, record->times_s[k]))
            continue;
        const double error_m = record->eta_m[k] - invert_sum_at(search->request, search->station,
                                                                search->slips_m, shift_s, record->times_s[k]);
        sum += error_m;
        squares += error_m * error_m;
    }
    return search->request->has_offsets ? squares - sum * sum / (double)search->fit->samples : squares;
}

// The least of a function between two places, which has one minimum there: golden sections.
static double least(const struct search *search, double low, double high)
{
    const double golden = 0.5 * (sqrt(5.0) - 1);
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double at_left = misfit(search, left), at_right = misfit(search, right);
    for (int k = 0; k < HALVINGS; k++)
        if (at_left <= at_right) {
            high = right;
            right = left;
            at_right = at_left;
            at_left = misfit(search, left = high - golden * (high - low));
        } else {
            low = left;
            left = right;
            at_left = at_right;
            at_right = misfit(search, right = low + golden * (high - low));
        }
    return 0.5 * (low + high);
}

static double best_shift(const struct search *search)
{
    const double centre_s = search->station->shift_s, bound_s = search->fit->bound_s;
    double best_s = search->fit->shift_s, smallest = misfit(search, best_s);
    int best = -TRIALS - 1;
    for (int k = -TRIALS; k <= TRIALS; k++) {
        const double trial = misfit(search, centre_s + bound_s * k / TRIALS);
        if (trial < smallest) {
            smallest = trial;
            best = k;
        }
    }
    const double middle = best < -TRIALS ? (best_s - centre_s) * TRIALS / bound_s : best;
    const double found = least(search, centre_s + bound_s * fmax(-TRIALS, middle - 1) / TRIALS,
                               centre_s + bound_s * fmin(TRIALS, middle + 1) / TRIALS);
    return misfit(search, found) < smallest ? found
           : best < -TRIALS                 ? best_s
                                            : centre_s + bound_s * best / TRIALS;
}

bool invert_find_shifts(const struct invert_request *request, struct invert_result *result)
{
    double change_s = 0;
    bool is_sought = false;
    for (size_t s = 0; s < request->station_count; s++) {
        struct invert_fit *fit = &result->fits[s];
        const struct search search = {request, &request->stations[s], fit, result->slips_m};
        if (!(fit->bound_s > 0))
            continue;
        const double shift_s = best_shift(&search);
        change_s = fmax(change_s, fabs(shift_s - fit->shift_s));
        fit->shift_s = shift_s;
        is_sought = true;
    }
    result->shift_rounds += is_sought;
    return change_s > settled_s;
}
