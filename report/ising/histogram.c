// Histograms of the measurements of an Ising run. The bins of distributions.nc span all possible values, of
// which a large lattice takes only a few.
#include "report/ising/report.h"

#include <math.h>
#include <stdlib.h>

enum { BINS_MAX = 60, VALUES_PER_BIN = 20, PIECE = 4096 };

struct histogram {
    double low, high;
    size_t count; // values
    size_t bins;
    double *filled; // [bins]; NULL in the first pass, which finds low, high and count
};

static void add_value(struct histogram *h, double value)
{
    if (!h->filled) {
        h->low = fmin(h->low, value);
        h->high = fmax(h->high, value);
        h->count++;
        return;
    }
    const double bin = (value - h->low) / (h->high - h->low) * (double)h->bins;
    h->filled[(size_t)fmin(fmax(bin, 0), (double)h->bins - 1)]++;
}

// Reads the records after the thermalisation, of all replicas, in pieces.
static enum status count_values(const struct result_file *series, const struct result_variable *v,
                                const struct ising_window *w, struct histogram *h, double *piece)
{
    const size_t replicas = v->rank > 1 ? v->lengths[1] : 1,
                 cut = isfinite(w->cut) ? (size_t)fmin(round(w->cut / w->every), (double)w->count) : 0,
                 most = replicas < PIECE ? PIECE / replicas : 1;
    for (size_t done = cut; done < w->count;) {
        const size_t records = w->count - done < most ? w->count - done : most;
        for (size_t first = 0; first < replicas; first += PIECE) {
            const size_t part = replicas - first < PIECE ? replicas - first : PIECE;
            CHECK(result_read(series, v->name, (size_t[RESULT_RANK_MAX]){w->first + done, first},
                              (size_t[RESULT_RANK_MAX]){records, part, 1, 1}, piece));
            for (size_t k = 0; k < records * part; k++)
                if (isfinite(piece[k]))
                    add_value(h, piece[k]);
        }
        done += records;
    }
    return STATUS_OK;
}

// Chooses as many bins as the number of values justifies. Each bin spans the same number of possible values.
static void choose_bins(struct histogram *h, double spacing)
{
    const double wanted = fmin(fmax((double)h->count / VALUES_PER_BIN, 2), BINS_MAX);
    double width = (h->high - h->low) / wanted;
    if (spacing > 0) {
        width = spacing * fmax(ceil(width / spacing - 1e-6), 1);
        h->low -= 0.5 * spacing;
        h->high += 0.5 * spacing;
    }
    h->bins = (size_t)fmax(ceil((h->high - h->low) / width - 1e-6), 1);
    h->high = h->low + (double)h->bins * width;
}

static enum status fill(const struct result_file *series, const struct result_variable *v,
                        const struct ising_window *w, double spacing, struct points_panel *panel,
                        const char *colour, double *piece)
{
    struct histogram h = {.low = INFINITY, .high = -INFINITY};
    CHECK(count_values(series, v, w, &h, piece));
    if (!(h.high > h.low))
        return STATUS_OK; // no values, or all of them equal
    choose_bins(&h, spacing);
    struct point_set *set;
    CHECK(points_add(panel, POINTS_LINE, colour, h.bins, &set));
    h.filled = set->y;
    const double width = (h.high - h.low) / (double)h.bins;
    CHECK(count_values(series, v, w, &h, piece));
    for (size_t k = 0; k < h.bins; k++) {
        set->x[k] = h.low + ((double)k + 0.5) * width;
        set->y[k] /= (double)h.count * width;
    }
    return points_outline(set);
}

enum status report_ising_add_histogram(struct points_panel *panel, const struct result_file *series,
                                       const char *variable, const struct ising_window *window,
                                       double spacing, const char *colour)
{
    double *piece = malloc(PIECE * sizeof *piece);
    if (!piece)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a histogram");
    const enum status status =
        fill(series, result_find(series, variable), window, spacing, panel, colour, piece);
    free(piece);
    return status;
}
