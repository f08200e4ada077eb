// The heat model's descriptor: creates, plans, starts and advances a run. The physics is in the solvers
// (reference.c, openmp.c), the media in body/, the start in initial.c, the heat source in source/, the
// results in output.c.
#include "models/bioheat/bioheat.h"

#include "core/log.h"
#include "io/checkpoint_set.h"
#include "models/bioheat/body/domain.h"
#include "models/bioheat/drained.h"
#include "models/bioheat/initial.h"
#include "models/bioheat/instance.h"
#include "models/bioheat/lost_heat.h"
#include "models/bioheat/products.h"
#include "models/bioheat/start_check.h"
#include "models/bioheat/step.h"
#include "parallel/exchange.h"
#include "parallel/relay.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Cell-steps a second, for the estimate of a run's time.
static const double reference_rate = 1e7, openmp_rate = 6e8;

// Most amplitudes and most steps of a batch.
enum { BATCH_AMPLITUDES_MAX = 1 << 20, BATCH_STEPS_MAX = 256 };

static void bioheat_destroy(void *instance)
{
    struct bioheat *b = instance;
    bioheat_output_free(b);
    bioheat_heating_destroy(b->heating);
    bioheat_chain_destroy(b->chain);
    bioheat_params_free(&b->params);
    free(b->shares);
}

static struct bioheat_setup setup_of(const struct bioheat *b)
{
    return (struct bioheat_setup){.grid = &b->params.body.grid,
                                  .media = b->media,
                                  .source = bioheat_heating_source(b->heating),
                                  .physics = &b->params.physics,
                                  .precision = b->params.body.precision,
                                  .batch_steps = b->batch_steps,
                                  .device = b->params.device,
                                  .ranks = b->base.ranks,
                                  .shares = b->shares,
                                  .halo = b->halo};
}

// "auto" goes on to the processor where the fastest back end lacks the method.
static enum status settle_backend(struct bioheat *b, const struct job *job)
{
    const struct bioheat_setup setup = setup_of(b);
    char why[256];
    if (!b->backend->has_method || b->backend->has_method(&setup, why, sizeof why))
        return STATUS_OK;
    const bool is_automatic = strcmp(job_string(job, "backend"), "auto") == 0;
    if (!is_automatic || b->backend == &bioheat_backend_openmp)
        return job_fail(job, "method", "back end %s does not have it %s", b->backend->head.name, why);
    job_warn(job, "method", "computed by back end openmp, because %s does not have it %s",
             b->backend->head.name, why);
    b->backend = &bioheat_backend_openmp;
    return settle_backend(b, job);
}

// Planes z among the ranks, as many to each: a plane costs the same wherever it lies.
static enum status divide_planes(struct bioheat *b, const struct job *job)
{
    struct bioheat_grid *grid = &b->params.body.grid;
    const size_t planes = grid->cells[BIOHEAT_Z];
    const struct ranks *ranks = b->base.ranks;
    if (ranks->count == 1)
        return STATUS_OK;
    if (!b->backend->halo)
        return job_fail(job, "backend",
                        "%s cannot divide one run among %d ranks: choose openmp, or start it with one rank",
                        b->backend->head.name, ranks->count);
    grid->is_ring = grid->faces[BIOHEAT_Z][0].kind == BIOHEAT_PERIODIC;
    const struct bioheat_setup setup = setup_of(b);
    b->halo = b->backend->halo(&setup, planes / (size_t)ranks->count);
    b->shares = calloc((size_t)ranks->count, sizeof *b->shares);
    if (!b->shares)
        return FAIL(STATUS_SYSTEM, "no memory for the shares of %d ranks", ranks->count);
    const struct shares_request request = {.rows = (int64_t)planes,
                                           .ranks = ranks->count,
                                           .parts = ranks->parts,
                                           .least = (int64_t)b->halo,
                                           .what = "planes along z"};
    CHECK_ABOUT(shares_cut(&request, b->shares), "%s: domain", job_path(job));
    const struct share own = b->shares[ranks->rank];
    grid->own = (struct bioheat_planes){(size_t)own.first, (size_t)own.end};
    grid->held = (struct bioheat_planes){grid->own.first - (ranks->rank > 0 ? b->halo : 0),
                                         grid->own.end + (ranks->rank + 1 < ranks->count ? b->halo : 0)};
    return STATUS_OK;
}

enum status bioheat_read_start(void *context, size_t z, double *theta_k)
{
    const struct bioheat *b = context;
    return b->chain ? bioheat_chain_read(b->chain, z, theta_k)
                    : bioheat_initial_read(b->params.initial, z, theta_k);
}

// For the step of rkl2.
static enum status find_start_rates(struct bioheat *b)
{
    return b->params.physics.method == BIOHEAT_RKL2
               ? bioheat_domain_start_rates(b->params.domain, bioheat_read_start, b, &b->params.start_rates)
               : STATUS_OK;
}

// Bone absorbs some 20 times as much as brain: where its p² is a hundredth of the largest, its heat is a
// fifth of that at the focus, the ratio above which a spot may decide (lost_heat.c).
static const double told_p2 = 1e-3, much_p2 = 1e-2;

static void warn_of_unheated(struct bioheat *b)
{
    const char *tissue;
    const double p2 = bioheat_heating_unheated(b->heating, &tissue);
    if (!(p2 >= told_p2))
        return;
    if (p2 >= much_p2)
        bioheat_drop(b, BIOHEAT_LACKS_UNHEATED,
                     "%.60s is void or of fixed temperature, with %.3g %% of the tissue's p2", tissue,
                     100 * p2);
    log_warning(
        "source.pressure: in \"%.60s\", which is void or of fixed temperature, p2 reaches %.3g %% of its "
        "largest value in the tissue that is heated: it warms nothing there%s; take the label out of "
        "tissues.void or tissues.fixed_temperature, or name it \"air\" or \"water\" in tissues.labels",
        tissue, 100 * p2, bioheat_tell_unjudged(p2 >= much_p2));
}

static void warn_of_start_file(struct bioheat *b)
{
    const struct bioheat_start_cell *cell = bioheat_start_strange(&b->params);
    char strange[200], place[BIOHEAT_PLACE_BYTES];
    if (!cell)
        return;
    snprintf(strange, sizeof strange, "%.60s is at %.4g degC at %s", bioheat_tissue_name(b, cell->label),
             cell->temperature_c, bioheat_place(&b->params.body.grid, cell->at, place));
    log_warning("initial.file: %s, which is not that of a body, %g to %g degC: thermal safety is not judged "
                "as passed; cool skin is that of a first run from 37 degC, which initial.from continues",
                strange, BIOHEAT_BODY_LEAST_C, BIOHEAT_BODY_MOST_C);
    bioheat_drop(b, BIOHEAT_LACKS_BODY, "at the start %s", strange);
}

// The levels assume 37 degC: a phantom at 20 degC stays below 39 degC with a rise of 18 K. Of the blood
// params.c warns.
static void warn_of_body(struct bioheat *b)
{
    const double start_c = bioheat_initial_constant_c(b->params.initial),
                 arterial_c = b->params.body.arterial_c;
    const bool is_cold_start = !isnan(start_c) && !bioheat_is_of_body(start_c);
    if (is_cold_start)
        log_warning(
            "initial.temperature: %g degC is not that of a body, %g to %g degC: thermal safety is not "
            "judged as passed",
            start_c, BIOHEAT_BODY_LEAST_C, BIOHEAT_BODY_MOST_C);
    if (is_cold_start)
        bioheat_drop(b, BIOHEAT_LACKS_BODY, "the start is at %g degC", start_c);
    warn_of_start_file(b);
    if (!bioheat_is_of_body(arterial_c))
        bioheat_drop(b, BIOHEAT_LACKS_BODY, "the blood is at %g degC", arterial_c);
}

// Errors below BIOHEAT_TOLD_RISE_K are negligible.
static void note_steps(struct bioheat *b)
{
    const double error_k = bioheat_step_excess_k(&b->params);
    if (error_k >= BIOHEAT_TOLD_RISE_K && !(b->lacks & BIOHEAT_LACKS_STEPS))
        bioheat_drop(b, BIOHEAT_LACKS_STEPS,
                     "the source is switched within steps, an error of up to about %.2g K", error_k);
}

// A run that step.c or source.pressure warns of is no reason for a verdict of passed.
static void note_doubts(struct bioheat *b)
{
    note_steps(b);
    if (bioheat_heating_is_silent(b->heating))
        bioheat_drop(b, BIOHEAT_LACKS_SOUND, "source.pressure is zero in all tissue");
}

// What is found of a stream is known when the run has ended; the state at the end has what follows from it.
static enum status end_stream(struct bioheat *b)
{
    struct bioheat_streamed sum = {0};
    const struct relay_part part = {&sum, sizeof sum};
    if (!bioheat_heating_is_streamed(b->heating))
        return STATUS_OK;
    CHECK(relay_take(b->base.ranks, &part, 1));
    bioheat_heating_add_streamed(b->heating, &sum);
    CHECK(relay_pass(b->base.ranks, &part, 1));
    bioheat_heating_set_streamed(b->heating, &sum);
    bioheat_lost_end(b);
    bioheat_step_add_streamed(&b->params, sum.missed_j_m3);
    note_steps(b);
    return STATUS_OK;
}

// What came before the start of a run that continues another is the other's.
static void warn_of_cut(struct bioheat *b)
{
    b->cut = bioheat_heating_cut(b->heating, b->chain ? -INFINITY : 0, (double)b->steps * b->step_s,
                                 (size_t)b->steps);
    b->lacks |= (b->cut.is_before ? BIOHEAT_LACKS_BEFORE : 0) | (b->cut.is_after ? BIOHEAT_LACKS_AFTER : 0);
    if (b->cut.is_before || b->cut.is_after)
        log_warning("%s the heating that the job plans: %s; its thermal safety is not judged as passed",
                    !b->cut.is_before  ? "time.duration: the run ends before"
                    : !b->cut.is_after ? "source: the run begins after a part of"
                                       : "time.duration: the run is only a part of",
                    b->cut.text);
}

// The grid alone does not show that the head was moved.
static void warn_of_other_labels(const struct bioheat *b)
{
    const char *own = bioheat_domain_label_hash(b->params.domain),
               *earlier = b->chain ? bioheat_chain_label_hash(b->chain) : "";
    if (own[0] && earlier[0] && strcmp(own, earlier) != 0)
        log_warning("initial.from: the labels differ from those of the run that made %s: was the head moved, "
                    "or segmented anew? Temperatures and dose are taken cell by cell",
                    bioheat_chain_path(b->chain));
}

static void warn_of_earlier(struct bioheat *b)
{
    warn_of_other_labels(b);
    if (!b->chain || !bioheat_chain_lacking(b->chain)[0])
        return;
    b->lacks |= BIOHEAT_LACKS_EARLIER;
    log_warning("initial.from: the run continues one that is not judged as passed, and so is not either: %s",
                bioheat_chain_lacking(b->chain));
}

static enum status bioheat_create(void *instance, const struct job *job)
{
    struct bioheat *b = instance;
    struct bioheat_params *p = &b->params;
    CHECK(bioheat_params_read(job, p));
    CHECK(bioheat_heating_create(job, &p->body.grid, p->body.precision, p->domain, &b->heating));
    CHECK(bioheat_chain_create(job, p, &b->chain));
    CHECK(find_start_rates(b));
    CHECK(bioheat_step_choose(job, b->heating, p));
    CHECK(bioheat_heating_find_lost(b->heating, p->physics.step_s, p->steps));
    b->backend = p->backend;
    b->media = bioheat_domain_media(p->domain);
    CHECK(settle_backend(b, job));
    CHECK(divide_planes(b, job));
    b->base.backend = &b->backend->head;
    b->base.check_steps = p->check_steps;
    b->base.check_tolerance = p->check_tolerance_k;
    b->steps = p->steps;
    b->step_s = p->physics.step_s;
    b->start_s = b->chain ? bioheat_chain_end_s(b->chain) : 0;
    bioheat_domain_tell(p->domain);
    bioheat_step_warn(job, p);
    warn_of_cut(b);
    CHECK(bioheat_lost_begin(b));
    warn_of_unheated(b);
    warn_of_body(b);
    note_doubts(b);
    warn_of_earlier(b);
    return STATUS_OK;
}

// ---- the plan

static void list_inputs(const struct bioheat *b, struct model_plan *plan)
{
    plan->input_count = bioheat_params_inputs(&b->params, plan->input_files);
    plan->input_count += bioheat_heating_inputs(b->heating, plan->input_files + plan->input_count);
    if (b->chain)
        plan->input_files[plan->input_count++] = bioheat_chain_path(b->chain);
}

// Least traffic of a step and cell: state and records are read and written, media and layers read.
static double bytes_per_cell_step(const struct bioheat *b)
{
    const double real = (double)element_bytes(bioheat_real(b));
    const struct bioheat_media *m = b->media;
    // rkl2: of a stage; it reads four arrays more than its own and writes one.
    double bytes = (b->params.physics.method == BIOHEAT_RKL2 ? 5 : 2) * real + (m->is_uniform   ? 0
                                                                                : m->has_labels ? 1
                                                                                                : 2 * real);
    if (!m->has_labels && m->perfusion)
        bytes += real;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        bytes += m->velocity_m_s[axis] ? real : 0;
    bytes += b->params.physics.dose != BIOHEAT_DOSE_OFF ? 2 * real : 0;
    bytes += b->params.physics.second_dose != BIOHEAT_DOSE_OFF ? 2 * real : 0;
    bytes += b->params.physics.has_maximum ? real : 0;
    return bytes + real * bioheat_heating_source(b->heating)->layer_count;
}

static void number_tissues(struct bioheat *b)
{
    struct bioheat_slots *s = &b->tissues;
    s->count = b->media->has_labels ? 0 : 1;
    for (int label = 0; label < BIOHEAT_LABELS && b->media->has_labels; label++) {
        if (!b->media->is_used[label] || b->media->table[label].role != BIOHEAT_TISSUE)
            continue;
        s->slot_of[label] = (uint8_t)s->count;
        s->labels[s->count++] = (uint8_t)label;
    }
    s->count = s->count > 0 ? s->count : 1; // nothing but air
}

static enum status plan_arrays(struct bioheat *b, struct memory_plan *memory)
{
    const struct bioheat_params *p = &b->params;
    CHECK(bioheat_domain_plan(p->domain, memory));
    if (b->chain)
        CHECK(bioheat_chain_plan(b->chain, memory));
    else
        CHECK(bioheat_initial_plan(p->initial, memory));
    CHECK(bioheat_heating_plan(b->heating, memory, b->step_s, b->steps, 0));
    b->terms = bioheat_terms(bioheat_heating_source(b->heating));
    const size_t terms = b->terms > 0 ? b->terms : 1, fitting = BATCH_AMPLITUDES_MAX / terms;
    b->batch_steps = fitting < 1 ? 1 : fitting > BATCH_STEPS_MAX ? BATCH_STEPS_MAX : (int)fitting;
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, (size_t)b->batch_steps, terms,
                          (void **)&b->amplitudes, "amplitudes of a batch"));
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 1, terms, (void **)&b->last_amplitudes,
                          "amplitudes of a step"));
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 1, terms, (void **)&b->amplitudes_before,
                          "amplitudes of the step before"));
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, (size_t)b->threads * BIOHEAT_ROW_BUFFERS,
                          p->body.grid.cells[BIOHEAT_X], (void **)&b->rows, "scratch rows"));
    number_tissues(b);
    CHECK(bioheat_marks_plan(b));
    CHECK(bioheat_histogram_plan(b));
    CHECK(bioheat_power_plan(b, memory));
    CHECK(bioheat_drained_plan(b, memory));
    CHECK(bioheat_sensors_plan_parts(b, memory));
    return bioheat_diagnostics_plan(b, memory);
}

static enum status plan_solvers(struct bioheat *b, struct memory_plan *memory)
{
    b->setup = setup_of(b);
    if (b->chain && !b->backend->set_records)
        return job_fail(b->base.job, "initial.from", "the back end %s cannot take over an earlier exposure",
                        b->backend->head.name);
    CHECK(b->backend->plan(&b->setup, memory, "", &b->base.solver));
    CHECK(bioheat_results_plan(b, memory));
    if (b->params.check_steps == 0)
        return STATUS_OK;
    b->check_setup = b->setup;
    b->check_physics = b->params.physics;
    b->check_physics.dose = b->check_physics.second_dose = BIOHEAT_DOSE_OFF;
    b->check_physics.has_maximum = false;
    b->check_setup.physics = &b->check_physics;
    b->base.reference_backend = &bioheat_backend_reference.head;
    return bioheat_backend_reference.plan(&b->check_setup, memory, "check ", &b->base.reference);
}

// rkl2: its stages. source-three-colour converges to another diffusivity: the factor of the decay rates in
// the tissue that sets the step's limit. The neighbours of a cell count 5/2 D/Δ² an axis, and half of them
// are new when it is updated.
static void write_details(struct bioheat *b)
{
    const struct bioheat_params *p = &b->params;
    const double diffusivity_m2_s = p->limit.conductivity_w_m_k / p->limit.heat_capacity_j_m3_k;
    double share = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (p->body.grid.cells[axis] > 1)
            share += 1.25 * b->step_s * diffusivity_m2_s /
                     (p->body.grid.spacing_m[axis] * p->body.grid.spacing_m[axis]);
    b->details[0] = '\0';
    if (p->physics.method == BIOHEAT_SOURCE_THREE_COLOUR)
        snprintf(b->details, sizeof b->details,
                 "source-three-colour converges to another diffusivity: at this step decay rates come out "
                 "%.3g times as large as they are (three-colour is consistent)\n",
                 1 / (1 - share));
    char error[96] = ", error of a step unknown";
    if (p->choice.start_error_k > 0 && isfinite(p->choice.error_k))
        snprintf(error, sizeof error, ", error of a step about %.2g K (of the start %.2g K)",
                 p->choice.error_k, p->choice.start_error_k);
    else if (isfinite(p->choice.error_k))
        snprintf(error, sizeof error, ", error of a step about %.2g K", p->choice.error_k);
    if (p->physics.method == BIOHEAT_RKL2)
        snprintf(
            b->details, sizeof b->details,
            "rkl2: %d stages a step, after a switch %d sub-steps of %d%s; the source's switches are %s\n",
            p->physics.stages, p->physics.substeps, p->physics.substep_stages, error,
            p->choice.is_resolved ? "ends of steps" : "averaged");
    const size_t used = strlen(b->details);
    bioheat_heating_details(b->heating, b->details + used, sizeof b->details - used);
}

// As many threads as have 8192 of this rank's cells each: with fewer cells the barriers of a step cost more
// than they save.
static int bioheat_threads_worth(const void *instance)
{
    const struct bioheat *b = instance;
    const struct bioheat_grid *grid = &b->params.body.grid;
    const struct bioheat_planes own = bioheat_own(grid);
    const size_t cells = (own.end - own.first) * grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X];
    return (int)fmin(1 + (double)(cells / 8192), 4096);
}

static enum status bioheat_plan(void *instance, struct memory_plan *memory, struct model_plan *plan)
{
    struct bioheat *b = instance;
    const struct bioheat_params *p = &b->params;
    b->threads = omp_get_max_threads();
    const bool is_reference = b->backend == &bioheat_backend_reference;
    *plan = (struct model_plan){
        .steps = b->steps,
        .step_s = b->step_s,
        .start_s = b->start_s,
        .backend = b->backend->head.name,
        .instruction_set = backend_instruction_set(&b->backend->head),
        .precision = p->body.precision == ELEMENT_F64 || is_reference ? "double" : "single",
        // A stage of rkl2 is one pass over the cells, as a step of the others is.
        .work_per_step = (double)bioheat_cells(&p->body.grid) *
                         (p->physics.method == BIOHEAT_RKL2 ? p->physics.stages : 1),
        .work_unit = "cell-steps/s",
        .estimated_rate = is_reference ? reference_rate : openmp_rate,
        .bytes_per_work = bytes_per_cell_step(b),
        .references = "Pennes (1948); Sapareto & Dewey (1984)",
        .time_origin = p->time_origin[0] ? p->time_origin : NULL,
        .has_verdict = p->safety == BIOHEAT_SAFETY_CHECKED,
    };
    list_inputs(b, plan);
    CHECK(plan_arrays(b, memory));
    write_details(b); // after the step is chosen, on which the pulses' resolution depends
    plan->details = b->details;
    CHECK(bioheat_output_plan(b, plan));
    CHECK(bioheat_images_plan(b, plan));
    CHECK(bioheat_products_plan(b, plan));
    return plan_solvers(b, memory);
}

// Of a stream; returns how many.
static int streamed_array(struct bioheat *b, struct checkpoint_array *array)
{
    const struct bioheat_planes own = bioheat_own(&b->params.body.grid);
    size_t bytes;
    if (!bioheat_heating_is_streamed(b->heating))
        return 0;
    double *sums = bioheat_heating_streamed_sums(b->heating, &bytes);
    *array = (struct checkpoint_array){"heat of the stream", sums, (own.end - own.first) * bytes};
    return 1;
}

static int bioheat_checkpoint_arrays(void *instance, struct checkpoint_array *arrays)
{
    struct bioheat *b = instance;
    int count = b->backend->head.checkpoint_arrays(b->base.solver, arrays);
    count += streamed_array(b, arrays + count);
    arrays[count++] = (struct checkpoint_array){"first diagnostics", b->first, sizeof b->first};
    count += bioheat_marks_checkpoint(b, arrays + count);
    arrays[count++] = (struct checkpoint_array){"warnings", &b->warnings, sizeof b->warnings};
    // Always, because the job's check may change between the legs of a run.
    arrays[count++] = (struct checkpoint_array){CHECK_RECORD_NAME, &b->base.check, sizeof b->base.check};
    return count;
}

// The solver's arrays and the stream's heat are divided, if its back end can divide a run; all others are the
// same on all ranks.
static void bioheat_checkpoint_rows(void *instance, struct checkpoint_rows *rows)
{
    struct bioheat *b = instance;
    const struct bioheat_planes own = bioheat_own(&b->params.body.grid);
    struct checkpoint_array arrays[CHECKPOINT_ARRAYS_MAX];
    if (!b->backend->halo)
        return;
    int count = b->backend->head.checkpoint_arrays(b->base.solver, arrays);
    count += streamed_array(b, arrays + count);
    for (int k = 0; k < count; k++)
        rows[k] = (struct checkpoint_rows){.row_bytes = arrays[k].bytes / (own.end - own.first),
                                           .first = own.first,
                                           .end = own.end,
                                           .rows = b->params.body.grid.cells[BIOHEAT_Z]};
}

// ---- the run

static bool is_void(const void *context, uint64_t index)
{
    return bioheat_role_at(context, index) == BIOHEAT_VOID;
}

static enum status bioheat_prepare(void *instance)
{
    struct bioheat *b = instance;
    CHECK(bioheat_domain_prepare(b->params.domain));
    if (b->chain)
        CHECK(bioheat_chain_prepare(b->chain));
    else
        CHECK(bioheat_initial_prepare(b->params.initial, &(struct bioheat_voids){is_void, b}));
    return bioheat_heating_prepare(b->heating);
}

static enum status bioheat_start(void *instance)
{
    struct bioheat *b = instance;
    CHECK(bioheat_sensors_settle(b));
    CHECK(b->backend->start(b->base.solver));
    if (b->base.reference)
        CHECK(bioheat_backend_reference.start(b->base.reference));
    if (b->chain)
        CHECK(bioheat_chain_apply(b->chain, b->backend, b->base.solver, b->base.ranks));
    else
        CHECK(bioheat_initial_apply(b->params.initial, b->backend, b->base.solver));
    CHECK(bioheat_power_start(b));
    // Of the state of record 0, on the host, because the first checkpoint holds it.
    CHECK(instance_fetch(&b->base));
    bioheat_drained_start(b);
    CHECK(bioheat_diagnose(b, 0, b->first));
    CHECK(bioheat_diagnostics_complete(b, b->first, b->start_s));
    memcpy(b->last, b->first, sizeof b->last);
    b->has_first = true;
    return STATUS_OK;
}

static enum status take_layer(void *context, int layer)
{
    struct bioheat *b = context;
    bioheat_power_layer_changed(b, layer);
    return b->backend->take_layer ? b->backend->take_layer(b->base.solver, layer) : STATUS_OK;
}

static enum status layer_taken(void *context, int layer)
{
    struct bioheat *b = context;
    return b->backend->layer_taken ? b->backend->layer_taken(b->base.solver, layer) : STATUS_OK;
}

static enum status bioheat_begin(void *context, struct pipeline *pipeline, int64_t step)
{
    struct bioheat *b = context;
    const struct bioheat_layer_user user = {b, take_layer, layer_taken};
    return bioheat_heating_begin(b->heating, pipeline, user, step);
}

// Of `count` steps from `step`: how many of the first are all divided, or all whole. Divided are the first
// step of the run and those that begin where the source is switched.
static int64_t steps_alike(const struct bioheat *b, int64_t step, int64_t count, bool *is_divided)
{
    const size_t terms = bioheat_terms(b->setup.source);
    *is_divided = false;
    if (b->params.physics.substeps <= 1)
        return count;
    if (step > 0)
        bioheat_heating_amplitudes(b->heating, step - 1, 1, b->amplitudes_before);
    const double *before = b->amplitudes_before;
    for (int64_t k = 0; k < count; k++) {
        const double *now = b->amplitudes + (size_t)k * terms;
        const bool divides = step + k == 0 || bioheat_heating_is_switched(b->heating, before, now);
        if (k == 0)
            *is_divided = divides;
        else if (divides != *is_divided)
            return k;
        before = now;
    }
    return count;
}

static enum status advance_alike(const struct bioheat_backend *backend, struct solver *solver, int64_t step,
                                 int64_t count, const double *amplitudes, bool is_divided)
{
    if (backend->divide)
        backend->divide(solver, is_divided);
    return backend->advance(solver, step, count, amplitudes);
}

// A streamed field may be further on some ranks.
static enum status agree_on_steps(const struct bioheat *b, int64_t *granted)
{
    int64_t fewest = -*granted;
    CHECK(ranks_largest(b->base.ranks, TRANSPORT_STEPS, &fewest, 1));
    *granted = -fewest;
    return STATUS_OK;
}

// In pieces for which the source's fields are present. A check makes the same steps on the reference at once,
// because streamed fields are overwritten.
static enum status bioheat_advance(void *context, int64_t first_step, int64_t count)
{
    struct bioheat *b = context;
    for (int64_t step = first_step; step < first_step + count;) {
        int64_t wanted = first_step + count - step, granted, mark;
        CHECK(bioheat_marks_take(b, step, &mark));
        wanted = wanted < mark - step ? wanted : mark - step;
        wanted = wanted < b->batch_steps ? wanted : b->batch_steps;
        CHECK(bioheat_heating_ready(b->heating, step, wanted, &granted));
        CHECK(agree_on_steps(b, &granted));
        bioheat_heating_amplitudes(b->heating, step, granted, b->amplitudes);
        bool is_divided;
        granted = steps_alike(b, step, granted, &is_divided);
        CHECK(advance_alike(b->backend, b->base.solver, step, granted, b->amplitudes, is_divided));
        if (b->is_checking)
            CHECK(advance_alike(&bioheat_backend_reference, b->base.reference, step, granted, b->amplitudes,
                                is_divided));
        bioheat_heating_count(b->heating, step, granted);
        step += granted;
    }
    return first_step + count == b->steps ? end_stream(b) : STATUS_OK;
}

static enum status bioheat_finish(void *context, int64_t step)
{
    struct bioheat *b = context;
    (void)step;
    struct bioheat_nonfinite found = {.step = -1};
    if (b->backend->finish)
        CHECK(b->backend->finish(b->base.solver, &found));
    return bioheat_judge(b, &found);
}

// Images, then tables. As models/model.h has it.
static enum status write_products(void *instance, const char *directory, struct cJSON *report,
                                  struct cJSON *names)
{
    CHECK(bioheat_images_write(instance, directory, names));
    return bioheat_products_write(instance, directory, report, names);
}

static enum status list_products(void *instance, const char *directory, struct cJSON *names)
{
    (void)directory;
    bioheat_images_list(instance, names);
    bioheat_products_list(instance, names);
    return STATUS_OK;
}

const struct model bioheat_model = {
    .name = "bioheat",
    .summary = "heat in living tissue: temperature and thermal dose under sources that change in time",
    .keys = &bioheat_keys,
    .length_unit = "mm",
    .instance_bytes = sizeof(struct bioheat),
    .create = bioheat_create,
    .destroy = bioheat_destroy,
    .threads_worth = bioheat_threads_worth,
    .plan = bioheat_plan,
    .checkpoint_arrays = bioheat_checkpoint_arrays,
    .checkpoint_rows = bioheat_checkpoint_rows,
    .prepare = bioheat_prepare,
    .start = bioheat_start,
    .begin = bioheat_begin,
    .advance = bioheat_advance,
    .capture = bioheat_capture,
    .send = bioheat_send,
    .await = bioheat_await,
    .finish = bioheat_finish,
    .guard = bioheat_guard,
    .check = &bioheat_check,
    .describe = bioheat_describe,
    .conclude = bioheat_exposure_log,
    .verdict = bioheat_exposure_verdict,
    .write_products = write_products,
    .list_products = list_products,
};
