// The sums: blocks of records are read from one source after the other, added, and written (see combine.h).
// Independent of how the sources were chosen.
#include "models/tsunami/forecast/combine_private.h"

#include "io/output/output.h"
#include "io/units.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Further memory: code, tables of units, HDF5's descriptions of files.
enum { LIBRARY_BYTES = 40 << 20 };

struct writer {
    struct combine *c;
    struct stream streams[COMBINE_STREAMS];
    const struct stream *list[COMBINE_STREAMS]; // those that are written
    int numbers[COMBINE_STREAMS];               // their places in the list; −1: not written
    int count;
    char time_units[160];
    struct sink sink;
    int lock; // of the directory; −1: none
    struct propagation_writer *noaa[PROPAGATION_QUANTITIES];
    size_t plane;                         // nodes
    size_t block_records;                 // at a time
    double *sums[PROPAGATION_QUANTITIES]; // [block_records][plane]
    double *values;                       // [block_records][plane], of one source
    void *frame, *work;                   // work: of the threads that compress
    size_t work_bytes;
    float *maxima;   // largest eta, and its time
    bool *has_water; // [plane] in the first record of some source
};

static void describe_streams(struct writer *w)
{
    const struct combine *c = w->c;
    const bool is_wanted[COMBINE_STREAMS] = {c->records > 0, c->has[PROPAGATION_ETA], c->gauges.stations > 0};
    combine_describe_streams(c, w->streams);
    for (int s = 0; s < COMBINE_STREAMS; s++) {
        w->numbers[s] = is_wanted[s] ? w->count : -1;
        if (is_wanted[s])
            w->list[w->count++] = &w->streams[s];
    }
    if (c->date[0])
        snprintf(w->time_units, sizeof w->time_units, "seconds since %s", c->date);
}

// ---- memory

static size_t frame_bytes(const struct writer *w)
{
    size_t most = 0;
    for (int s = 0; s < COMBINE_STREAMS; s++) {
        const size_t bytes = stream_record_bytes(&w->streams[s]) * w->streams[s].records_per_frame;
        most = w->numbers[s] >= 0 && bytes > most ? bytes : most;
    }
    return most;
}

// How many records fit at a time; refuses if not even one does.
static enum status plan(struct writer *w, const struct output_request *output)
{
    const struct combine *c = w->c;
    size_t quantities = 0;
    int threads;
    w->work_bytes = output_work_bytes(output, &threads);
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        quantities += c->has[q];
    w->plane = c->rows * c->columns; // checked by netCDF: both fit a file
    const double record = (double)w->plane * (double)(quantities + 1) * sizeof(double);
    const double fixed = LIBRARY_BYTES + (double)output_memory_bytes(output) + (double)w->work_bytes +
                         (double)c->cache_bytes + (double)frame_bytes(w) +
                         (double)w->plane * (COMBINE_MAXIMA_VARIABLES * sizeof(float) + sizeof(bool)) +
                         (c->request->noaa ? (double)w->plane * (double)quantities * sizeof(float) : 0) +
                         (double)(c->gauges.stations * c->gauges.records) * 8 * sizeof(double);
    const double room = (double)c->memory_bytes - fixed;
    if (room < record) {
        char needed[24], allowed[24];
        return FAIL(STATUS_CONFIGURATION,
                    "a record of %zu × %zu nodes needs %s of memory at least, %s are allowed", c->columns,
                    c->rows, units_format_bytes(fixed + record, needed, sizeof needed),
                    units_format_bytes((double)c->memory_bytes, allowed, sizeof allowed));
    }
    w->block_records = c->records;
    if (record > 0 && room / record < (double)c->records)
        w->block_records = (size_t)(room / record);
    c->result->planned_bytes = (size_t)(fixed + record * (double)w->block_records);
    return STATUS_OK;
}

static enum status reserve(struct writer *w)
{
    const size_t values = w->block_records * w->plane + 1;
    bool has_memory = (w->values = malloc(values * sizeof *w->values)) &&
                      (w->frame = malloc(frame_bytes(w) + 1)) && (w->work = malloc(w->work_bytes + 1)) &&
                      (w->maxima = malloc((COMBINE_MAXIMA_VARIABLES * w->plane + 1) * sizeof *w->maxima)) &&
                      (w->has_water = calloc(w->plane + 1, sizeof *w->has_water));
    for (int q = 0; q < PROPAGATION_QUANTITIES && has_memory; q++)
        has_memory = !w->c->has[q] || (w->sums[q] = malloc(values * sizeof(double)));
    for (size_t k = 0; has_memory && k < COMBINE_MAXIMA_VARIABLES * w->plane; k++)
        w->maxima[k] = NAN;
    return has_memory
               ? STATUS_OK
               : FAIL(STATUS_SYSTEM, "no memory for %zu records of %zu nodes", w->block_records, w->plane);
}

// ---- sums

// One source's part of a block. A node without water in one source has none in the sum.
static void add(struct writer *w, int quantity, size_t use, size_t length)
{
    const double factor = w->c->uses[use].factor;
    double *sums = w->sums[quantity];
    const double *values = w->values;
    for (size_t k = 0; k < length; k++)
        sums[k] = use == 0 ? factor * values[k] : sums[k] + factor * values[k];
}

// Nodes at which a source has water in the first record, ...
static void note_water(struct writer *w)
{
    for (size_t k = 0; k < w->plane; k++)
        w->has_water[k] |= !isnan(w->values[k]);
}

// ... and the sum has none, since another source has not.
static size_t count_partly(const struct writer *w)
{
    size_t count = 0;
    for (size_t k = 0; k < w->plane; k++)
        count += w->has_water[k] && isnan(w->sums[PROPAGATION_ETA][k]);
    return count;
}

static enum status sum_block(struct writer *w, const struct propagation_block *block)
{
    const struct combine *c = w->c;
    const struct combine_part *part = &c->part;
    struct propagation_block place = *block;
    char path[PATH_BYTES];
    struct propagation_file *file;
    place.record += part->record;
    place.row += part->row;
    place.column += part->column;
    for (size_t k = 0; k < c->count; k++)
        for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
            if (!c->has[q])
                continue;
            (void)database_fields_path(c->uses[k].source, (enum propagation_quantity)q, path);
            CHECK(propagation_open(path, (enum propagation_quantity)q, &file));
            const struct propagation_info *info = propagation_info(file);
            enum status status = info->records == part->all_records && info->rows == part->all_rows &&
                                         info->columns == part->all_columns
                                     ? propagation_read(file, &place, w->values)
                                     : FAIL(STATUS_DATA, "%s: was changed while it was read", path);
            propagation_close(file);
            CHECK(status);
            if (q == PROPAGATION_ETA && block->record == 0)
                note_water(w);
            add(w, q, k, block->records * w->plane);
        }
    return STATUS_OK;
}

// ---- records

static void note_largest(struct writer *w, const double *eta, double time_s)
{
    struct combination *result = w->c->result;
    float *largest = w->maxima, *times = w->maxima + w->plane;
    for (size_t k = 0; k < w->plane; k++) {
        if (isnan(eta[k]) || (float)eta[k] <= largest[k])
            continue;
        largest[k] = (float)eta[k];
        times[k] = (float)time_s;
        if (eta[k] > result->largest_m || isnan(result->largest_m)) {
            result->largest_m = eta[k];
            result->largest_time_s = time_s;
            result->largest_latitude = w->c->latitudes[k / w->c->columns];
            result->largest_longitude = w->c->longitudes[k % w->c->columns];
        }
    }
}

static enum status write_record(struct writer *w, size_t record, size_t in_block)
{
    const struct combine *c = w->c;
    double time_s = c->times_s[record];
    size_t at = 0;
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        if (!c->has[q])
            continue;
        const double *sums = w->sums[q] + in_block * w->plane;
        for (size_t k = 0; k < w->plane; k++)
            tsunami_stream_store(w->frame, w->streams[COMBINE_FIELDS].element, at++, sums[k]);
        if (w->noaa[q])
            CHECK(propagation_append(w->noaa[q], time_s, sums));
    }
    if (c->has[PROPAGATION_ETA])
        note_largest(w, w->sums[PROPAGATION_ETA] + in_block * w->plane, time_s);
    const struct frame frame = {
        .stream = w->numbers[COMBINE_FIELDS], .records = 1, .times_s = &time_s, .data = w->frame};
    return w->sink.write(w->sink.context, &frame);
}

static enum status write_fields(struct writer *w)
{
    const struct combine *c = w->c;
    struct propagation_block block = {.rows = c->rows, .columns = c->columns};
    for (; block.record < c->records; block.record += block.records) {
        const size_t left = c->records - block.record;
        block.records = left < w->block_records ? left : w->block_records;
        CHECK(sum_block(w, &block));
        if (block.record == 0 && c->has[PROPAGATION_ETA])
            c->result->partly_missing = count_partly(w);
        for (size_t k = 0; k < block.records; k++)
            CHECK(write_record(w, block.record + k, k));
    }
    if (w->numbers[COMBINE_MAXIMA] < 0)
        return STATUS_OK;
    const struct frame frame = {.stream = w->numbers[COMBINE_MAXIMA], .records = 1, .data = w->maxima};
    return w->sink.write(w->sink.context, &frame);
}

static enum status write_gauges(struct writer *w)
{
    const struct combine_gauges *g = &w->c->gauges;
    for (size_t first = 0; first < g->records; first += COMBINE_GAUGE_FRAME_RECORDS) {
        const size_t left = g->records - first,
                     records = left < COMBINE_GAUGE_FRAME_RECORDS ? left : COMBINE_GAUGE_FRAME_RECORDS;
        size_t at = 0;
        for (size_t t = first; t < first + records; t++)
            for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
                for (size_t s = 0; g->has[q] && s < g->stations; s++)
                    tsunami_stream_store(w->frame, w->streams[COMBINE_GAUGES].element, at++,
                                         g->sums[q][t * g->stations + s]);
        const struct frame frame = {.stream = w->numbers[COMBINE_GAUGES],
                                    .records = records,
                                    .times_s = g->times_s + first,
                                    .data = w->frame};
        CHECK(w->sink.write(w->sink.context, &frame));
    }
    return STATUS_OK;
}

// ---- NOAA's form

// Inputs must not be overwritten.
static enum status check_noaa(const struct combine *c)
{
    char path[PATH_BYTES];
    for (size_t k = 0; c->request->noaa && k < c->count; k++)
        for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
            if (database_fields_path(c->uses[k].source, (enum propagation_quantity)q, path))
                CHECK(propagation_check_input(c->request->noaa, path));
    return STATUS_OK;
}

static enum status create_noaa(struct writer *w)
{
    const struct combine *c = w->c;
    for (int q = 0; c->request->noaa && q < PROPAGATION_QUANTITIES; q++) {
        if (!c->has[q])
            continue;
        const struct propagation_write request = {.stem = c->request->noaa,
                                                  .quantity = (enum propagation_quantity)q,
                                                  .rows = c->rows,
                                                  .columns = c->columns,
                                                  .latitudes = c->latitudes,
                                                  .longitudes = c->longitudes,
                                                  .title = c->request->title,
                                                  .history = c->request->history,
                                                  .source = c->request->source};
        CHECK(propagation_create(&request, &w->noaa[q]));
    }
    return STATUS_OK;
}

// ---- all

// Disk space for the results, uncompressed, with a margin for headers.
static enum status check_room(const struct writer *w)
{
    const struct combine *c = w->c;
    double bytes = 1 << 20;
    uint64_t free_bytes;
    char needed[24], there[24];
    for (int s = 0; s < COMBINE_STREAMS; s++) {
        const size_t records = s == COMBINE_FIELDS ? c->records : s == COMBINE_GAUGES ? c->gauges.records : 1;
        if (w->numbers[s] >= 0)
            bytes += (double)stream_record_bytes(&w->streams[s]) * (double)records;
    }
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        bytes += c->request->noaa && c->has[q] ? (double)w->plane * (double)c->records * sizeof(float) : 0;
    CHECK(path_free_bytes(c->request->directory, &free_bytes));
    const bool is_compressed = c->request->compress || stream_has_rounded(&w->streams[COMBINE_FIELDS]);
    if (!is_compressed && 1.01 * bytes > (double)free_bytes)
        return FAIL(STATUS_IO, "%s: the results take %s, and %s are free on that disk", c->request->directory,
                    units_format_bytes(1.01 * bytes, needed, sizeof needed),
                    units_format_bytes((double)free_bytes, there, sizeof there));
    return STATUS_OK;
}

static enum status write_all(struct writer *w, struct output_request *output)
{
    CHECK(check_noaa(w->c));
    CHECK(plan(w, output));
    CHECK(check_room(w));
    CHECK(reserve(w));
    output->work = w->work_bytes > 0 ? w->work : NULL;
    CHECK(path_make_directory(output->directory));
    CHECK(path_lock_directory(output->directory, 0, &w->lock));
    CHECK(output_open(output, &w->sink));
    CHECK(create_noaa(w));
    if (w->numbers[COMBINE_FIELDS] >= 0)
        CHECK(write_fields(w));
    if (w->numbers[COMBINE_GAUGES] >= 0)
        CHECK(write_gauges(w));
    CHECK(w->sink.finish(w->sink.context));
    return w->c->request->noaa ? propagation_finish(w->noaa) : STATUS_OK;
}

enum status combine_write(struct combine *c)
{
    struct writer *w = calloc(1, sizeof *w);
    if (!w)
        return FAIL(STATUS_SYSTEM, "no memory to write the results");
    w->c = c;
    w->lock = -1;
    describe_streams(w);
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        c->result->roundings[q] = c->roundings[q] + 0.5 * c->resolutions[q];
    struct output_request output = {.directory = c->request->directory,
                                    .streams = w->list,
                                    .stream_count = w->count,
                                    .title = c->request->title,
                                    .source = c->request->source,
                                    .history = c->request->history,
                                    .comment = c->request->comment,
                                    .time_units =
                                        w->time_units[0] ? w->time_units : NULL, // as of a run without a date
                                    .compress = c->request->compress,
                                    .threads = omp_get_max_threads(),
                                    .join = true};
    const enum status status = write_all(w, &output);
    output_close(&w->sink);
    if (w->lock >= 0)
        close(w->lock);
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        propagation_abandon(w->noaa[q]);
        free(w->sums[q]);
    }
    free(w->values);
    free(w->frame);
    free(w->work);
    free(w->maxima);
    free(w->has_water);
    free(w);
    return status;
}
