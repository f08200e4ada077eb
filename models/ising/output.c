// Output of a run of the Ising model: its streams, and the records of the present spins and their
// measurements. The results of a temperature are computed on the I/O thread, from the records of the series.
// Independent of file formats.
#include "models/ising/instance.h"
#include "models/stream_rows.h"
#include "parallel/ranks.h"

#include <string.h>

// Measurements in a frame: a file takes many at once, while the I/O thread keeps pace and memory stays small.
enum { SERIES_RECORDS_MAX = 1024, SERIES_FRAME_BYTES = 2 << 20 };

// ---- the streams

static void plan_series(struct ising *g)
{
    const struct ising_params *p = &g->params;
    const bool has_replicas = ising_replicas(g) > 1;
    struct stream *stream = &g->series;
    *stream = (struct stream){.name = "series",
                              .title = "measurements, one after the other",
                              .has_records = true,
                              .is_internal = !p->has_series,
                              .element = ELEMENT_F64};
    if (has_replicas)
        stream->axes[stream->axis_count++] =
            (struct stream_axis){.name = "replica", .length = ising_replicas(g)};
    const struct stream_variable variables[] = {
        STREAM_NUMBER("energy", "energy per site"),
        STREAM_NUMBER("magnetisation", "magnetisation per site"),
        STREAM_NUMBER("cluster_size",
                      p->physics.method == ISING_WOLFF
                          ? "mean number of sites of the clusters flipped since the record before"
                          : "sum of the squares of the last clusters' numbers of sites, per site"),
    };
    for (size_t k = 0; k < (ising_has_clusters(g->params.physics.method) ? 3 : 2); k++) {
        stream->variables[stream->variable_count] = variables[k];
        stream->variables[stream->variable_count++].rank = has_replicas;
    }
    stream->variables[stream->variable_count++] =
        (struct stream_variable)STREAM_NUMBER("beta", "inverse temperature");
    const size_t fitting = SERIES_FRAME_BYTES / stream_record_bytes(stream);
    size_t records = ising_measurements(p) < SERIES_RECORDS_MAX ? ising_measurements(p) : SERIES_RECORDS_MAX;
    records = fitting < records ? fitting : records;
    stream->records_per_frame = records > 0 ? records : 1;
}

static struct stream *stream_of(struct ising *g, enum ising_stream kind)
{
    struct stream *const streams[ISING_STREAM_KINDS] = {[ISING_STREAM_SERIES] = &g->series,
                                                        [ISING_STREAM_CONFIGURATIONS] = &g->configurations,
                                                        [ISING_STREAM_RESULTS] = &g->results.results,
                                                        [ISING_STREAM_DISTRIBUTIONS] =
                                                            &g->results.distributions,
                                                        [ISING_STREAM_REWEIGHTED] = &g->results.reweighted,
                                                        [ISING_STREAM_CORRELATIONS] = &g->correlations.stream,
                                                        [ISING_STREAM_FINAL] = &g->final};
    return streams[kind];
}

// every: sweeps between its records; 0: only one, at the end.
static void add_stream(struct ising *g, struct model_plan *plan, enum ising_stream kind, int64_t every)
{
    struct stream *stream = stream_of(g, kind);
    const struct run_schedule schedule = {.every_s = (double)every,
                                          .at_end = every == 0,
                                          .after_others = kind >= ISING_STREAM_RESULTS &&
                                                          kind <= ISING_STREAM_CORRELATIONS};
    stream->expected_records = every > 0 ? (size_t)(ising_steps(&g->params) / every) : 0;
    instance_add_stream(&g->base, plan, stream, schedule, (int)kind, -1);
}

static enum status plan_measures(struct ising *g, struct memory_plan *memory)
{
    const bool is_apart = solver_is_apart(g->base.backend);
    const size_t records = is_apart ? PIPELINE_FRAME_SLOTS * g->series.records_per_frame : 1;
    CHECK(memory_plan_add(memory, is_apart ? MEMORY_PINNED : MEMORY_HOST, ELEMENT_I64, records,
                          ising_replicas(g) * sizeof(struct ising_measure) / sizeof(int64_t),
                          (void **)&g->measures, "measurements"));
    if (!g->backend->plan_results)
        return STATUS_OK;
    const struct ising_wanted wanted = {.slots = PIPELINE_FRAME_SLOTS,
                                        .frame_records = g->series.records_per_frame,
                                        .distances =
                                            g->params.correlations_every > 0 ? g->params.distances : 0};
    return g->backend->plan_results(g->base.solver, &wanted, memory, "");
}

enum status ising_output_plan(struct ising *g, struct memory_plan *memory, struct model_plan *plan)
{
    const struct ising_params *p = &g->params;
    plan_series(g);
    CHECK(plan_measures(g, memory));
    g->results.params = p;
    CHECK(ising_results_plan(&g->results, memory));
    add_stream(g, plan, ISING_STREAM_SERIES, p->sweeps.every);
    if (p->configurations_every > 0) {
        ising_spins_plan(g, &g->configurations, true);
        add_stream(g, plan, ISING_STREAM_CONFIGURATIONS, p->configurations_every);
    }
    add_stream(g, plan, ISING_STREAM_RESULTS, p->sweeps.count);
    add_stream(g, plan, ISING_STREAM_DISTRIBUTIONS, p->sweeps.count);
    g->last_of_results = ISING_STREAM_DISTRIBUTIONS;
    if (p->analysis.reweighting_points > 0) {
        add_stream(g, plan, ISING_STREAM_REWEIGHTED, p->sweeps.count);
        g->last_of_results = ISING_STREAM_REWEIGHTED;
    }
    if (p->correlations_every > 0) {
        g->correlations.params = p;
        CHECK(ising_correlations_plan(&g->correlations, memory));
        add_stream(g, plan, ISING_STREAM_CORRELATIONS, p->sweeps.count);
    }
    if (p->has_final_state) {
        ising_spins_plan(g, &g->final, false);
        add_stream(g, plan, ISING_STREAM_FINAL, 0);
    }
    return STATUS_OK;
}

// ---- frames

// A record of the series from one measurement of each replica.
static void complete_series(const struct ising *g, const struct ising_measure *measures, double beta,
                            double *record)
{
    const struct ising_physics *physics = &g->params.physics;
    const size_t replicas = ising_replicas(g);
    const double sites = (double)ising_sites(&physics->lattice);
    const double clusters = physics->method == ISING_WOLFF ? (double)g->params.sweeps.every : sites;
    for (size_t k = 0; k < replicas; k++) {
        record[k] =
            (-physics->coupling * (double)measures[k].bonds - physics->field * (double)measures[k].spins) /
            sites;
        record[replicas + k] = (double)measures[k].spins / sites;
        if (ising_has_clusters(g->params.physics.method))
            record[2 * replicas + k] = (double)measures[k].clusters / clusters;
    }
    record[(ising_has_clusters(g->params.physics.method) ? 3 : 2) * replicas] = beta;
}

// Of the sweep that led to a record at this time.
static uint32_t temperature_at(const struct ising *g, double time)
{
    return ising_temperature_of(&g->params, (int64_t)time - 1);
}

static struct ising_measure *measures_of(const struct ising *g, int slot)
{
    return g->measures + (size_t)slot * g->series.records_per_frame * ising_replicas(g);
}

enum status ising_capture(void *context, int64_t step, const struct frame *frame)
{
    struct ising *g = context;
    const enum ising_stream kind = (enum ising_stream)instance_kind(&g->base, frame);
    const uint32_t temperature = temperature_at(g, (double)step);
    void *record = (char *)frame->data + frame->records * stream_record_bytes(stream_of(g, kind));
    switch (kind) {
    case ISING_STREAM_SERIES:
        if (solver_is_apart(g->base.backend))
            return g->backend->capture(g->base.solver, frame->slot, frame->records);
        CHECK(g->backend->measure(g->base.solver, g->measures));
        complete_series(g, g->measures, g->params.betas[temperature], record);
        break;
    case ISING_STREAM_CONFIGURATIONS:
    case ISING_STREAM_FINAL:
        CHECK(instance_fetch(&g->base));
        ising_spins_write(g, stream_of(g, kind), frame);
        break;
    case ISING_STREAM_CORRELATIONS:
        ising_correlations_record(&g->correlations, temperature, record);
        break;
    case ISING_STREAM_RESULTS:
    case ISING_STREAM_DISTRIBUTIONS:
    case ISING_STREAM_REWEIGHTED:
    case ISING_STREAM_KINDS:
        break; // made on the I/O thread, when all of the series has come by
    }
    return STATUS_OK;
}

enum status ising_send(void *context, const struct frame *frame)
{
    struct ising *g = context;
    return instance_kind(&g->base, frame) == ISING_STREAM_SERIES
               ? g->backend->head.send(g->base.solver, ISING_RESULT_SERIES, frame->slot, frame->records,
                                       measures_of(g, frame->slot))
               : STATUS_OK;
}

// Measurements in the memory of a back end are those of its rank.
static enum status add_ranks(const struct ising *g, struct ising_measure *measures, size_t records)
{
    const size_t numbers = records * ising_replicas(g) * sizeof *measures / sizeof(int64_t);
    return g->shares ? ranks_add(g->base.ranks, TRANSPORT_FILES, (int64_t *)measures, (int)numbers)
                     : STATUS_OK;
}

static enum status await_series(struct ising *g, const struct frame *frame)
{
    const size_t replicas = ising_replicas(g), length = stream_record_bytes(&g->series) / sizeof(double);
    const bool is_apart = solver_is_apart(g->base.backend);
    if (is_apart) {
        CHECK(g->backend->await(g->base.solver, frame->slot));
        CHECK(add_ranks(g, measures_of(g, frame->slot), frame->records));
    }
    for (size_t k = 0; k < frame->records; k++) {
        double *record = (double *)frame->data + k * length;
        if (is_apart)
            complete_series(g, measures_of(g, frame->slot) + k * replicas,
                            g->params.betas[temperature_at(g, frame->times_s[k])], record);
        ising_results_add(&g->results, record, record + replicas,
                          ising_has_clusters(g->params.physics.method) ? record + 2 * replicas : NULL);
    }
    return STATUS_OK;
}

// The frames of a temperature's results have one record each.
enum status ising_await(void *context, const struct frame *frame)
{
    struct ising *g = context;
    const enum ising_stream kind = (enum ising_stream)instance_kind(&g->base, frame);
    if (kind == ISING_STREAM_SERIES)
        return await_series(g, frame);
    if (kind < ISING_STREAM_RESULTS || kind > ISING_STREAM_REWEIGHTED)
        return STATUS_OK;
    const uint32_t temperature = temperature_at(g, frame->times_s[0]);
    const size_t bytes = stream_record_bytes(&g->results.results);
    if (kind == ISING_STREAM_RESULTS) {
        ising_results_record(&g->results, temperature, frame->data);
        memcpy(g->table, g->results.table, (temperature + 1) * bytes); // those of before a stop, too
    } else if (kind == ISING_STREAM_DISTRIBUTIONS) {
        ising_results_distributions(&g->results, temperature, frame->data);
    } else {
        ising_results_reweighted(&g->results, temperature, frame->data);
    }
    if (kind == g->last_of_results)
        ising_results_next(&g->results);
    return STATUS_OK;
}
