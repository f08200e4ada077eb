// Maps of the ensemble: of a block of rows the values of all members are brought together, or collected in a
// histogram at each node, and then evaluated node by node.
#include "models/team.h"
#include "models/tsunami/hazard/private.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// A variable of the members' maxima.nc, as it is evaluated.
struct field {
    const char *variable;
    size_t threshold; // of arrival: its index
    bool is_time;     // else a height
    double missing;   // stands for a member without a value, where another has one
    const struct weighted_bins *bins;
};

// The nodes of a block, and its parts of the scratch memory.
struct block {
    struct hazard *h;
    const struct hazard_grid *grid;
    const struct field *field;
    size_t first_row, rows, nodes;
    double *read;                 // [node] of one member
    float *values;                // [member][node]; exact
    double *weights;              // [node][bin]; histogram
    double *mean, *least, *above; // [node], [node], [threshold][node]; histogram
    float *out;                   // [quantity][node]
    unsigned char *seen;          // [node] whether a member has a value of the field
    unsigned char *wet;           // [node] whether a member has a largest elevation
    size_t member;                // at hand
};

enum { OUT_MEAN, OUT_PERCENTILE };
enum { OUT_EARLIEST, OUT_MEDIAN, OUT_PROBABILITY, OUT_TIMES };

static size_t out_count(const struct hazard *h)
{
    const size_t heights = 1 + HAZARD_PERCENTILES + h->result->threshold_count;
    return heights > OUT_TIMES ? heights : OUT_TIMES;
}

static size_t bin_count(const struct hazard *h)
{
    return h->heights.count > h->times.count ? h->heights.count : h->times.count;
}

static bool is_exact(const struct hazard *h)
{
    return h->result->quantiles == HAZARD_EXACT;
}

// ---- memory

static size_t node_bytes(const struct hazard *h)
{
    const size_t kept = is_exact(h) ? h->request->member_count * sizeof(float)
                                    : (bin_count(h) + 2 + h->result->threshold_count) * sizeof(double);
    return sizeof(double) + kept + out_count(h) * sizeof(float) + 2;
}

enum { SLACK = 1024 }; // parts begin at multiples of 64 bytes

size_t hazard_maps_row_bytes(const struct hazard *h, const struct hazard_grid *grid)
{
    size_t bytes;
    return __builtin_mul_overflow(node_bytes(h), grid->columns, &bytes) || bytes > SIZE_MAX - SLACK
               ? SIZE_MAX
               : bytes + SLACK;
}

static void *carve(unsigned char **place, size_t bytes)
{
    void *part = *place;
    *place += (bytes + 63) / 64 * 64;
    return part;
}

static void lay_out(struct block *b)
{
    const struct hazard *h = b->h;
    const size_t n = b->nodes;
    unsigned char *place = h->block;
    b->read = carve(&place, n * sizeof *b->read);
    b->values = is_exact(h) ? carve(&place, n * h->request->member_count * sizeof *b->values) : NULL;
    b->weights = is_exact(h) ? NULL : carve(&place, n * bin_count(h) * sizeof *b->weights);
    b->mean = is_exact(h) ? NULL : carve(&place, n * sizeof *b->mean);
    b->least = is_exact(h) ? NULL : carve(&place, n * sizeof *b->least);
    b->above = is_exact(h) ? NULL : carve(&place, n * h->result->threshold_count * sizeof *b->above);
    b->out = carve(&place, n * out_count(h) * sizeof *b->out);
    b->seen = carve(&place, n);
    b->wet = carve(&place, n);
}

// ---- reading

static enum status read_rows(const struct block *b, const struct result_file *file, const char *variable,
                             size_t threshold, bool is_3d)
{
    const size_t start[3] = {threshold, b->first_row, 0}, count[3] = {1, b->rows, b->grid->columns};
    return result_read(file, variable, start + !is_3d, count + !is_3d, b->read);
}

static enum status read_member(const struct block *b, size_t member, const char *variable)
{
    const struct hazard_member *m = &b->h->request->members[member];
    char path[PATH_BYTES];
    struct result_file *file;
    CHECK(hazard_path(m, b->grid->name, "maxima.nc", path));
    CHECK_ABOUT(result_open(path, &file), "member %s", m->name);
    const enum status status =
        read_rows(b, file, variable, b->field->threshold, strcmp(variable, "arrival") == 0);
    result_close(file);
    return status == STATUS_OK ? status : status_prefix(status, "member %s", m->name);
}

// ---- the nodes of a thread

static void range_of(const struct block *b, size_t item, size_t *first, size_t *end)
{
    const size_t items = (size_t)b->h->threads;
    *first = b->nodes / items * item + (item < b->nodes % items ? item : b->nodes % items);
    *end = *first + b->nodes / items + (item < b->nodes % items);
}

// A height below the sea at rest counts as none: no wave reached the node.
static double as_counted(const struct field *field, double value)
{
    return isnan(value) ? field->missing : field->is_time ? value : fmax(0, value);
}

static void keep_part(void *context, size_t item)
{
    const struct block *b = context;
    size_t first, end;
    range_of(b, item, &first, &end);
    float *values = b->values + b->member * b->nodes;
    for (size_t k = first; k < end; k++) {
        values[k] = (float)as_counted(b->field, b->read[k]);
        b->seen[k] = b->seen[k] || !isnan(b->read[k]);
    }
}

static void collect_part(void *context, size_t item)
{
    const struct block *b = context;
    const struct hazard_result *result = b->h->result;
    const double weight = b->h->weights[b->member];
    const size_t bins = bin_count(b->h);
    size_t first, end;
    range_of(b, item, &first, &end);
    for (size_t k = first; k < end; k++) {
        const double value = (double)(float)as_counted(b->field, b->read[k]);
        b->seen[k] = b->seen[k] || !isnan(b->read[k]);
        if (!(weight > 0))
            continue;
        b->weights[k * bins + weighted_bins_place(b->field->bins, value)] += weight;
        b->mean[k] += weight * value;
        b->least[k] = fmin(b->least[k], value);
        for (size_t t = 0; t < result->threshold_count; t++)
            b->above[t * b->nodes + k] += value > result->thresholds_m[t] ? weight : 0;
    }
}

// ---- evaluation

static void set(const struct block *b, size_t quantity, size_t node, double value)
{
    b->out[quantity * b->nodes + node] = (float)value;
}

static void evaluate_exact(const struct block *b, size_t node, struct weighted_value *entries)
{
    const struct hazard *h = b->h;
    const size_t count = h->request->member_count;
    if (b->field->is_time) {
        weighted_sort(entries, count);
        set(b, OUT_EARLIEST, node, hazard_finite_or_missing(weighted_least(entries, count)));
        set(b, OUT_MEDIAN, node, hazard_finite_or_missing(weighted_quantile(entries, count, 0.5)));
        // Sorted, the arrivals that never come are last.
        set(b, OUT_PROBABILITY, node, 1 - weighted_share_above(entries, count, 1e300));
        return;
    }
    set(b, OUT_MEAN, node, weighted_mean(entries, count));
    for (size_t t = 0; t < h->result->threshold_count; t++)
        set(b, OUT_PERCENTILE + HAZARD_PERCENTILES + t, node,
            weighted_share_above(entries, count, h->result->thresholds_m[t]));
    weighted_sort(entries, count);
    for (size_t p = 0; p < HAZARD_PERCENTILES; p++)
        set(b, OUT_PERCENTILE + p, node, weighted_quantile(entries, count, hazard_percentiles[p] / 100));
}

static void evaluate_histogram(const struct block *b, size_t node)
{
    const struct hazard *h = b->h;
    const struct weighted_bins *bins = b->field->bins;
    const double *weights = b->weights + node * bin_count(h);
    double total = 0;
    for (size_t k = 0; k < bins->count; k++)
        total += weights[k];
    if (b->field->is_time) {
        set(b, OUT_EARLIEST, node, hazard_finite_or_missing(b->least[node]));
        set(b, OUT_MEDIAN, node, hazard_finite_or_missing(weighted_bins_quantile(bins, weights, 0.5)));
        set(b, OUT_PROBABILITY, node, fmax(0, 1 - weights[bins->count - 1] / total));
        return;
    }
    set(b, OUT_MEAN, node, b->mean[node] / total);
    for (size_t t = 0; t < h->result->threshold_count; t++)
        set(b, OUT_PERCENTILE + HAZARD_PERCENTILES + t, node, fmin(1, b->above[t * b->nodes + node] / total));
    for (size_t p = 0; p < HAZARD_PERCENTILES; p++)
        set(b, OUT_PERCENTILE + p, node, weighted_bins_quantile(bins, weights, hazard_percentiles[p] / 100));
}

// Some neighbouring nodes at a time: their values lie beside each other in each member's row.
static void gather(const struct block *b, size_t first, size_t count, struct weighted_value *entries)
{
    const size_t members = b->h->request->member_count;
    for (size_t m = 0; m < members; m++)
        for (size_t k = 0; k < count; k++)
            entries[k * members + m] =
                (struct weighted_value){(double)b->values[m * b->nodes + first + k], b->h->weights[m]};
}

static void evaluate_part(void *context, size_t item)
{
    const struct block *b = context;
    const size_t members = b->h->request->member_count;
    struct weighted_value *entries = b->h->entries + item * HAZARD_TILE * members;
    size_t first, end;
    range_of(b, item, &first, &end);
    for (size_t tile = first; tile < end; tile += HAZARD_TILE) {
        const size_t count = end - tile < HAZARD_TILE ? end - tile : HAZARD_TILE;
        if (is_exact(b->h))
            gather(b, tile, count, entries);
        for (size_t k = 0; k < count; k++) {
            const size_t node = tile + k;
            if (!b->seen[node])
                for (size_t q = 0; q < out_count(b->h); q++)
                    set(b, q, node, NAN);
            else if (is_exact(b->h))
                evaluate_exact(b, node, entries + k * members);
            else
                evaluate_histogram(b, node);
        }
    }
}

static void clear(struct block *b)
{
    const struct hazard *h = b->h;
    memset(b->seen, 0, b->nodes);
    if (is_exact(h))
        return;
    memset(b->weights, 0, b->nodes * bin_count(h) * sizeof *b->weights);
    memset(b->mean, 0, b->nodes * sizeof *b->mean);
    memset(b->above, 0, b->nodes * h->result->threshold_count * sizeof *b->above);
    for (size_t k = 0; k < b->nodes; k++)
        b->least[k] = INFINITY;
}

static enum status collect(struct block *b)
{
    const struct hazard *h = b->h;
    clear(b);
    for (b->member = 0; b->member < h->request->member_count; b->member++) {
        CHECK(read_member(b, b->member, b->field->variable));
        team_for(h->threads, (size_t)h->threads, is_exact(h) ? keep_part : collect_part, b);
    }
    return STATUS_OK;
}

static void evaluate(struct block *b)
{
    team_for(b->h->threads, (size_t)b->h->threads, evaluate_part, b);
}

// ---- writing

static enum status put(const struct block *b, int id, size_t plane, bool has_planes, size_t quantity)
{
    const size_t start[3] = {plane, b->first_row, 0}, count[3] = {1, b->rows, b->grid->columns};
    return hazard_put_block(b->h, id, start + !has_planes, count + !has_planes, b->out + quantity * b->nodes);
}

static enum status write_heights(struct block *b, const struct hazard_map_ids *ids, enum hazard_field f)
{
    CHECK(put(b, ids->mean[f], 0, false, OUT_MEAN));
    for (size_t p = 0; p < HAZARD_PERCENTILES; p++)
        CHECK(put(b, ids->percentile[f], p, true, OUT_PERCENTILE + p));
    for (size_t t = 0; t < b->h->result->threshold_count; t++)
        CHECK(put(b, ids->exceedance[f], t, true, OUT_PERCENTILE + HAZARD_PERCENTILES + t));
    return STATUS_OK;
}

// Of ground above the sea in the first member; on the ground of the sea there is always water.
static enum status mask_sea(struct block *b)
{
    CHECK(read_member(b, 0, "depth"));
    for (size_t k = 0; k < b->nodes; k++)
        b->seen[k] = b->seen[k] && b->read[k] < 0;
    return STATUS_OK;
}

static enum status write_block(struct block *b, const struct hazard_map_ids *ids)
{
    struct field field = {"max_eta", 0, false, 0, &b->h->heights};
    b->field = &field;
    CHECK(collect(b));
    memcpy(b->wet, b->seen, b->nodes);
    evaluate(b);
    CHECK(write_heights(b, ids, HAZARD_ETA));
    if (b->grid->has[HAZARD_FLOW]) {
        field.variable = "max_depth";
        CHECK(collect(b));
        CHECK(mask_sea(b));
        evaluate(b);
        CHECK(write_heights(b, ids, HAZARD_FLOW));
    }
    field = (struct field){"arrival", 0, true, INFINITY, &b->h->times};
    for (; field.threshold < b->grid->arrival_count; field.threshold++) {
        CHECK(collect(b));
        memcpy(b->seen, b->wet, b->nodes);
        evaluate(b);
        CHECK(put(b, ids->earliest, field.threshold, true, OUT_EARLIEST));
        CHECK(put(b, ids->median, field.threshold, true, OUT_MEDIAN));
        CHECK(put(b, ids->probability, field.threshold, true, OUT_PROBABILITY));
    }
    return STATUS_OK;
}

enum status hazard_maps_write(struct hazard *h, const struct hazard_grid *grid,
                              const struct hazard_map_ids *ids)
{
    const size_t most = (h->block_bytes - SLACK) / (hazard_maps_row_bytes(h, grid) - SLACK),
                 passes = (grid->rows + most - 1) / most, rows = (grid->rows + passes - 1) / passes;
    struct block b = {.h = h, .grid = grid};
    for (; b.first_row < grid->rows; b.first_row += b.rows) {
        b.rows = grid->rows - b.first_row < rows ? grid->rows - b.first_row : rows;
        b.nodes = b.rows * grid->columns;
        lay_out(&b);
        CHECK(write_block(&b, ids));
        h->result->passes++;
    }
    return STATUS_OK;
}

// ---- definitions

#define COUNTED_AS                                                                                           \
    "a member in which the node stayed dry, or below the sea at rest, counts as 0; missing: dry in all "     \
    "members"

static enum status define_heights(struct hazard *h, const struct hazard_dimensions *d, enum hazard_field f,
                                  struct hazard_map_ids *ids)
{
    static const char *const names[HAZARD_FIELDS] = {"max_eta", "flow_depth"},
                             *const texts[HAZARD_FIELDS] = {"largest sea surface elevation",
                                                            "largest depth of the flow on land"};
    char name[3][40], text[3][120];
    static const char *const ends[3] = {"mean", "percentile", "exceedance"},
                             *const begins[3] = {"weighted mean of the ", "weighted percentiles of the ",
                                                 "probability that the threshold is exceeded by the "};
    for (int k = 0; k < 3; k++) {
        snprintf(name[k], sizeof name[k], "%s_%s", names[f], ends[k]);
        snprintf(text[k], sizeof text[k], "%s%s", begins[k], texts[f]);
    }
    const struct hazard_variable mean = {name[0],  text[0], "m",
                                         NULL,     NULL,    COUNTED_AS,
                                         NC_FLOAT, 2,       {d->row, d->column},
                                         true},
                                 percentile = {name[1],  text[1], "m",
                                               NULL,     NULL,    COUNTED_AS,
                                               NC_FLOAT, 3,       {d->percentile, d->row, d->column},
                                               true},
                                 exceedance = {name[2],  text[2], "1",
                                               NULL,     NULL,    COUNTED_AS,
                                               NC_FLOAT, 3,       {d->threshold, d->row, d->column},
                                               true};
    CHECK(hazard_define(h, &mean, &ids->mean[f]));
    CHECK(hazard_define(h, &percentile, &ids->percentile[f]));
    return hazard_define(h, &exceedance, &ids->exceedance[f]);
}

static enum status define_arrivals(struct hazard *h, const struct hazard_dimensions *d,
                                   struct hazard_map_ids *ids)
{
    static const char counted[] =
        "a member in which the threshold was not reached counts as an arrival after any "
        "time: the median is missing where half of the weight or more has none";
    const struct hazard_variable earliest = {"arrival_earliest",
                                             "earliest arrival in any member",
                                             "s",
                                             NULL,
                                             NULL,
                                             NULL,
                                             NC_FLOAT,
                                             3,
                                             {d->arrival, d->row, d->column},
                                             true},
                                 median = {"arrival_median",
                                           "weighted median of the arrivals",
                                           "s",
                                           NULL,
                                           NULL,
                                           counted,
                                           NC_FLOAT,
                                           3,
                                           {d->arrival, d->row, d->column},
                                           true},
                                 probability = {"arrival_probability",
                                                "probability of an arrival within the run",
                                                "1",
                                                NULL,
                                                NULL,
                                                NULL,
                                                NC_FLOAT,
                                                3,
                                                {d->arrival, d->row, d->column},
                                                true};
    CHECK(hazard_define(h, &earliest, &ids->earliest));
    CHECK(hazard_define(h, &median, &ids->median));
    return hazard_define(h, &probability, &ids->probability);
}

enum status hazard_maps_define(struct hazard *h, const struct hazard_grid *grid,
                               const struct hazard_dimensions *dimensions, struct hazard_map_ids *ids)
{
    for (int f = 0; f < HAZARD_FIELDS; f++)
        if (grid->has[f])
            CHECK(define_heights(h, dimensions, (enum hazard_field)f, ids));
    return grid->arrival_count > 0 ? define_arrivals(h, dimensions, ids) : STATUS_OK;
}
