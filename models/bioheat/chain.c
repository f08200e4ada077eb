// The state of an earlier run as the start of another: see chain.h.
#include "models/bioheat/chain.h"

#include "io/netcdf/dataset.h"
#include "models/bioheat/results.h"
#include "parallel/ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char from_key[] = "initial.from";

// As output_streams.c names them.
enum { RISE, DOSE, LARGEST, LARGEST_AT, SECOND_DOSE, CHAIN_FIELDS };
static const char *const field_names[CHAIN_FIELDS] = {"rise", "dose", "largest_rise", "largest_at",
                                                      "second_dose"};

const char bioheat_lacks_name[] = "lacking", bioheat_earlier_name[] = "lacking_before",
           bioheat_index_name[] = "mechanical_index";
const char bioheat_label_hash_name[] = "labels_hash";

const char *const bioheat_dose_attributes[2] = {"dose_definition", "second_dose_definition"};

// Axes of two files count as the same up to this part of a cell.
static const double axis_slack = 1e-6;

struct bioheat_chain {
    char path[PATH_BYTES];
    struct dataset *file;
    const struct dataset_variable *variables[CHAIN_FIELDS];
    struct netcdf_packing packings[CHAIN_FIELDS];
    const struct bioheat_params *params;
    double end_s, reference_c;
    char definitions[2][32];      // of the file's doses; "" where it does not state them
    double *fields[CHAIN_FIELDS]; // [z][y][x]
    bool has_largest;
    char lacking[640];       // or ""
    double mechanical_index; // or 0
    char label_hash[20];     // or ""
};

static enum status find_field(struct bioheat_chain *c, int field)
{
    const struct bioheat_grid *grid = &c->params->grid;
    const struct dataset_variable *v = dataset_find(c->file, field_names[field]);
    if (!v || v->kind != DATASET_NUMBERS || v->rank != BIOHEAT_AXES)
        return FAIL(STATUS_DATA, "%s: has no variable %s(z, y, x): it is not a state of a heat run", c->path,
                    field_names[field]);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (v->lengths[axis] != grid->cells[axis])
            return FAIL(STATUS_DATA, "%s: has %zu cells along %s, but this run has %zu", c->path,
                        v->lengths[axis], bioheat_axis_names[axis], grid->cells[axis]);
    c->variables[field] = v;
    return dataset_packing(c->file, v, &c->packings[field]);
}

static enum status check_axis(const struct bioheat_chain *c, int axis)
{
    const char *name = bioheat_axis_names[axis];
    const struct bioheat_grid *grid = &c->params->grid;
    const struct dataset_variable *v = dataset_find(c->file, name);
    double *values;
    size_t length;
    if (!v)
        return FAIL(STATUS_DATA, "%s: has no coordinate %s", c->path, name);
    CHECK(dataset_read_line(c->file, v, &values, &length));
    enum status status = STATUS_OK;
    for (size_t i = 0; i < length && status == STATUS_OK; i++) {
        const double own = bioheat_position_m(grid, axis, i);
        if (!(fabs(values[i] - own) <= axis_slack * grid->spacing_m[axis]))
            status = FAIL(STATUS_DATA, "%s: %s[%zu] is %.9g m, this run's %.9g m: the grids must be the same",
                          c->path, name, i, values[i], own);
    }
    free(values);
    return status;
}

static enum status read_number(const struct bioheat_chain *c, const char *name, double *value)
{
    const struct dataset_variable *v = dataset_find(c->file, name);
    double *values;
    size_t length;
    if (!v || v->rank != 0)
        return FAIL(STATUS_DATA, "%s: the scalar %s is missing: not a state of a heat run", c->path, name);
    CHECK(dataset_read_line(c->file, v, &values, &length));
    *value = values[0];
    free(values);
    return isfinite(*value) ? STATUS_OK : FAIL(STATUS_DATA, "%s: %s is not finite", c->path, name);
}

// In words, for a sum of reasons.
static void list_lacks(int lacks, char *text, size_t bytes)
{
    static const struct {
        int lack;
        const char *words;
    } all[] = {{BIOHEAT_LACKS_PASS, "thermal safety EXCEEDED"},
               {BIOHEAT_LACKS_BEFORE, "it begins after a part of its plan"},
               {BIOHEAT_LACKS_AFTER, "it ends before its plan"},
               {BIOHEAT_LACKS_LAYERS, "heat in layers of fixed faces is left out"},
               {BIOHEAT_LACKS_UNSOLVED, "heat in air or cells of fixed temperature is left out"},
               {BIOHEAT_LACKS_UNHEATED, "pressure in tissue that is void or of fixed temperature"},
               {BIOHEAT_LACKS_BODY, "a temperature of the start or the blood that no body has"},
               {BIOHEAT_LACKS_STEPS, "the error of its steps is larger than allowed"},
               {BIOHEAT_LACKS_SOUND, "its pressure is zero in all tissue"},
               {BIOHEAT_LACKS_DRAINED, "layers of fixed faces carry heat off"},
               {BIOHEAT_LACKS_MODEL, "temperatures beyond -50 or 100 degC"},
               {BIOHEAT_LACKS_UNKNOWN, "its state does not say whether all of its heat is in it"}};
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (lacks & all[k].lack && used < bytes)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s", used > 0 ? ", " : "", all[k].words);
}

static enum status find_lacking(struct bioheat_chain *c)
{
    double lacks = BIOHEAT_LACKS_UNKNOWN;
    char own[480], before[sizeof c->lacking] = "";
    const char *from = c->params->from_directory;
    const size_t length = strlen(from), most = 80; // the end of a path names the run
    if (dataset_find(c->file, bioheat_lacks_name))
        CHECK(read_number(c, bioheat_lacks_name, &lacks));
    if (!(lacks >= 0 && lacks <= BIOHEAT_LACKS_ALL && lacks == floor(lacks)))
        return FAIL(STATUS_DATA, "%s: %s is %.9g: expected a whole number from 0 to %d", c->path,
                    bioheat_lacks_name, lacks, BIOHEAT_LACKS_ALL);
    if ((int)lacks & BIOHEAT_LACKS_EARLIER)
        CHECK(dataset_text(c->file, NULL, bioheat_earlier_name, before, sizeof before));
    list_lacks((int)lacks, own, sizeof own);
    if (own[0])
        snprintf(c->lacking, sizeof c->lacking, "earlier run %s%s: %s%s%.240s", length > most ? "..." : "",
                 from + (length > most ? length - most : 0), own, before[0] ? "; " : "", before);
    else if (lacks > 0)
        snprintf(c->lacking, sizeof c->lacking, "%s", before[0] ? before : "an earlier run");
    return STATUS_OK;
}

// States of an earlier version have none.
static enum status read_index(struct bioheat_chain *c)
{
    if (!dataset_find(c->file, bioheat_index_name))
        return STATUS_OK;
    CHECK(read_number(c, bioheat_index_name, &c->mechanical_index));
    return c->mechanical_index >= 0 ? STATUS_OK
                                    : FAIL(STATUS_DATA, "%s: %s is %.9g: expected at least 0", c->path,
                                           bioheat_index_name, c->mechanical_index);
}

static enum status open_state(struct bioheat_chain *c)
{
    if (access(c->params->from_directory, F_OK) == 0 && access(c->path, F_OK) != 0)
        return FAIL(STATUS_NO_INPUT,
                    "%s: missing: the earlier run must keep its state (\"output.state\": true)", c->path);
    CHECK(dataset_open(c->path, &c->file));
    for (int field = 0; field < CHAIN_FIELDS; field++)
        if (field != SECOND_DOSE || dataset_find(c->file, field_names[field]))
            CHECK(find_field(c, field));
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        CHECK(check_axis(c, axis));
    CHECK(read_number(c, "clock", &c->end_s));
    CHECK(read_number(c, "reference_temperature", &c->reference_c));
    CHECK(find_lacking(c));
    CHECK(read_index(c));
    CHECK(dataset_text(c->file, NULL, bioheat_label_hash_name, c->label_hash, sizeof c->label_hash));
    for (int k = 0; k < 2; k++)
        CHECK(dataset_text(c->file, NULL, bioheat_dose_attributes[k], c->definitions[k],
                           sizeof c->definitions[k]));
    return STATUS_OK;
}

// What the earlier run kept, for a message.
static void list_doses(const struct bioheat_chain *c, char *text, size_t bytes)
{
    const char *first = c->definitions[0], *second = c->definitions[1];
    const bool has_any = strcmp(first, bioheat_doses[BIOHEAT_DOSE_OFF]) != 0;
    if (!first[0])
        snprintf(text, bytes, "does not state the definition of its dose (an earlier version made it)");
    else if (!has_any)
        snprintf(text, bytes, "has no dose");
    else
        snprintf(text, bytes, "has the dose by %s%s%s", first, second[0] ? " and by " : "", second);
}

// Takes each dose of this run from the variable of the same definition: doses of two laws cannot be added.
static enum status match_doses(const struct job *job, struct bioheat_chain *c)
{
    const struct bioheat_physics *physics = &c->params->physics;
    const enum bioheat_dose wanted[] = {physics->dose, physics->second_dose};
    const int own[] = {DOSE, SECOND_DOSE};
    const struct dataset_variable *variables[] = {c->variables[DOSE], c->variables[SECOND_DOSE]};
    const struct netcdf_packing packings[] = {c->packings[DOSE], c->packings[SECOND_DOSE]};
    for (int k = 0; k < 2; k++) {
        int found = -1;
        for (int earlier = 0; earlier < 2; earlier++)
            if (variables[earlier] && strcmp(c->definitions[earlier], bioheat_doses[wanted[k]]) == 0)
                found = earlier;
        if (wanted[k] == BIOHEAT_DOSE_OFF)
            continue;
        if (found < 0) {
            char kept[160];
            list_doses(c, kept, sizeof kept);
            return job_fail(job, from_key,
                            "%s %s, but this run continues that by %s (dose.definition, dose.definitions): "
                            "keep the same in both runs",
                            c->path, kept, bioheat_doses[wanted[k]]);
        }
        c->variables[own[k]] = variables[found];
        c->packings[own[k]] = packings[found];
    }
    return STATUS_OK;
}

enum status bioheat_chain_create(const struct job *job, const struct bioheat_params *params,
                                 struct bioheat_chain **chain)
{
    *chain = NULL;
    if (!params->from_directory[0])
        return STATUS_OK;
    struct bioheat_chain *c = calloc(1, sizeof *c);
    if (!c)
        return FAIL(STATUS_SYSTEM, "no memory for an earlier run's state");
    *chain = c;
    c->params = params;
    if (snprintf(c->path, sizeof c->path, "%s/state.nc", params->from_directory) >= (int)sizeof c->path)
        return job_fail(job, from_key, "is too long a path");
    CHECK_KEY(job, from_key, open_state(c));
    return match_doses(job, c);
}

void bioheat_chain_destroy(struct bioheat_chain *c)
{
    if (!c)
        return;
    dataset_close(c->file);
    free(c);
}

const char *bioheat_chain_path(const struct bioheat_chain *c)
{
    return c->path;
}

double bioheat_chain_end_s(const struct bioheat_chain *c)
{
    return c->end_s;
}

const char *bioheat_chain_lacking(const struct bioheat_chain *c)
{
    return c->lacking;
}

double bioheat_chain_index(const struct bioheat_chain *c)
{
    return c->mechanical_index;
}

const char *bioheat_chain_label_hash(const struct bioheat_chain *c)
{
    return c->label_hash;
}

bool bioheat_chain_has_largest(const struct bioheat_chain *c)
{
    return c->has_largest;
}

enum status bioheat_chain_read(const struct bioheat_chain *c, size_t z, double *theta_k)
{
    const struct bioheat_grid *grid = &c->params->grid;
    const size_t ny = grid->cells[BIOHEAT_Y], nx = grid->cells[BIOHEAT_X];
    CHECK(dataset_read(c->file, c->variables[RISE], &c->packings[RISE], (const size_t[]){z, 0, 0},
                       (const size_t[]){1, ny, nx}, theta_k));
    for (size_t k = 0; k < ny * nx; k++) {
        if (!isfinite(theta_k[k]))
            return FAIL(STATUS_DATA, "%s: rise[%zu] (index in [z][y][x] order) is not finite", c->path,
                        z * ny * nx + k);
        theta_k[k] += c->reference_c - c->params->reference_c;
    }
    return STATUS_OK;
}

static bool has_iso(const struct bioheat_physics *physics)
{
    return physics->dose == BIOHEAT_DOSE_ISO || physics->second_dose == BIOHEAT_DOSE_ISO;
}

// The run needs the earlier dose and largest temperatures only if it keeps its own.
static bool is_wanted(const struct bioheat_chain *c, int field)
{
    const struct bioheat_physics *physics = &c->params->physics;
    if (field == RISE)
        return true;
    if (field == DOSE)
        return physics->dose != BIOHEAT_DOSE_OFF;
    if (field == SECOND_DOSE)
        return physics->second_dose != BIOHEAT_DOSE_OFF;
    return physics->has_maximum || (field == LARGEST && has_iso(physics));
}

enum status bioheat_chain_plan(struct bioheat_chain *c, struct memory_plan *memory)
{
    const struct bioheat_grid *grid = &c->params->grid;
    size_t cache_bytes = 0;
    for (int field = 0; field < CHAIN_FIELDS; field++) {
        if (!is_wanted(c, field))
            continue;
        const struct bioheat_planes held = bioheat_held(grid);
        const size_t ny = grid->cells[BIOHEAT_Y];
        CHECK(memory_plan_add_rows(memory, MEMORY_HOST, ELEMENT_F64, held.first * ny, held.end * ny,
                                   grid->cells[BIOHEAT_X], (void **)&c->fields[field], "earlier run's %s",
                                   c->variables[field]->name));
        cache_bytes += dataset_cache_bytes(c->variables[field]);
    }
    return memory_plan_add_library(memory, cache_bytes, "netCDF, earlier run's state (ceiling)");
}

// Numbers of the cells in this rank's memory.
static void held_cells(const struct bioheat_chain *c, size_t *first, size_t *end)
{
    const struct bioheat_grid *grid = &c->params->grid;
    const size_t plane = grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X];
    *first = bioheat_held(grid).first * plane;
    *end = bioheat_held(grid).end * plane;
}

// What no run writes, and what would make a verdict wrong. NaN: not recorded, but for the temperature.
static const char *find_fault(const struct bioheat_chain *c, int field, size_t k)
{
    const double value = c->fields[field][k], rise_k = c->fields[RISE][k];
    switch (field) {
    case RISE:
        return !isfinite(value) ? "not finite"
               : bioheat_is_impossible(bioheat_temperature_c(value, c->reference_c))
                   ? "a temperature below absolute zero"
                   : NULL;
    case LARGEST:
        return isinf(value) ? "not finite" : value < rise_k ? "less than the rise in that cell" : NULL;
    case LARGEST_AT:
        return isinf(value) ? "not finite" : value > c->end_s ? "later than the state itself (clock)" : NULL;
    default: // a dose; ISO's may be infinite
        return isnan(value) ? "missing" : value < 0 ? "negative" : NULL;
    }
}

static enum status check_values(const struct bioheat_chain *c, int field)
{
    const double *values = c->fields[field];
    size_t first, end;
    held_cells(c, &first, &end);
    for (size_t k = first; k < end; k++) {
        const char *fault = find_fault(c, field, k);
        if (fault)
            return FAIL(STATUS_DATA, "%s: %s[%zu] (index in [z][y][x] order) is %.9g: %s", c->path,
                        c->variables[field]->name, k, values[k], fault);
        if (field == LARGEST && isnan(values[k]) && has_iso(&c->params->physics))
            return FAIL(STATUS_DATA,
                        "%s: the earlier run kept no largest temperatures (output.maxima), from which ISO's "
                        "dose finds out where 43 degC was passed",
                        c->path);
    }
    return STATUS_OK;
}

enum status bioheat_chain_prepare(struct bioheat_chain *c)
{
    const struct bioheat_grid *grid = &c->params->grid;
    const struct bioheat_planes held = bioheat_held(grid);
    const size_t start[] = {held.first, 0, 0},
                 count[] = {held.end - held.first, grid->cells[BIOHEAT_Y], grid->cells[BIOHEAT_X]};
    size_t first, end;
    held_cells(c, &first, &end);
    for (int field = 0; field < CHAIN_FIELDS; field++) {
        if (!c->fields[field])
            continue;
        CHECK(dataset_read(c->file, c->variables[field], &c->packings[field], start, count,
                           c->fields[field] + first));
        CHECK(check_values(c, field));
    }
    c->has_largest = c->fields[LARGEST] != NULL;
    for (size_t k = first; k < end && c->has_largest; k++)
        c->has_largest = !isnan(c->fields[LARGEST][k]);
    return STATUS_OK;
}

// From the earlier run's reference temperature to this one's; times relative to this run's start.
static void convert(const struct bioheat_chain *c)
{
    const double shift_k = c->reference_c - c->params->reference_c;
    size_t first, end;
    held_cells(c, &first, &end);
    for (size_t k = first; k < end; k++) {
        c->fields[RISE][k] += shift_k;
        if (c->fields[LARGEST])
            c->fields[LARGEST][k] =
                isnan(c->fields[LARGEST][k]) ? -INFINITY : c->fields[LARGEST][k] + shift_k;
        if (c->fields[LARGEST_AT])
            c->fields[LARGEST_AT][k] =
                isnan(c->fields[LARGEST_AT][k]) ? 0 : c->fields[LARGEST_AT][k] - c->end_s;
    }
}

enum status bioheat_chain_apply(struct bioheat_chain *c, const struct bioheat_backend *backend,
                                struct solver *solver, struct ranks *ranks)
{
    int64_t lacks_largest = !c->has_largest; // in any rank's planes
    CHECK(ranks_largest(ranks, TRANSPORT_STEPS, &lacks_largest, 1));
    c->has_largest = !lacks_largest;
    const struct bioheat_grid *grid = &c->params->grid;
    const size_t nx = grid->cells[BIOHEAT_X];
    convert(c);
    const struct bioheat_planes held = bioheat_held(grid);
    for (size_t z = held.first; z < held.end; z++)
        for (size_t y = 0; y < grid->cells[BIOHEAT_Y]; y++) {
            const size_t at = (z * grid->cells[BIOHEAT_Y] + y) * nx;
            const double *rows[CHAIN_FIELDS];
            for (int field = 0; field < CHAIN_FIELDS; field++)
                rows[field] = c->fields[field] ? c->fields[field] + at : NULL;
            backend->set(solver, z, y, 0, nx, rows[RISE]);
            backend->set_records(solver, z, y, 0, nx, rows[DOSE], rows[LARGEST], rows[LARGEST_AT]);
            if (rows[SECOND_DOSE])
                backend->set_second_dose(solver, z, y, 0, nx, rows[SECOND_DOSE], rows[LARGEST]);
        }
    return solver_touch(&backend->head, solver, false);
}
