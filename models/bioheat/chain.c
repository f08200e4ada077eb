// The state of an earlier run as the start of another: see chain.h.
#include "models/bioheat/chain.h"

#include "core/log.h"
#include "io/json_file.h"
#include "io/netcdf/dataset.h"
#include "io/output/finished.h"
#include "models/bioheat/results.h"
#include "models/bioheat/state_values.h"
#include "parallel/ranks.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char from_key[] = "initial.from";

enum {
    RISE = BIOHEAT_STATE_RISE,
    DOSE = BIOHEAT_STATE_DOSE,
    LARGEST = BIOHEAT_STATE_LARGEST,
    LARGEST_AT = BIOHEAT_STATE_LARGEST_AT,
    SECOND_DOSE = BIOHEAT_STATE_SECOND_DOSE,
    CHAIN_FIELDS = BIOHEAT_STATE_FIELDS
};

const char bioheat_lacks_name[] = "lacking", bioheat_earlier_name[] = "lacking_before",
           bioheat_index_name[] = "mechanical_index", bioheat_rounding_name[] = "rounding",
           bioheat_reasons_name[] = "lacking_reasons";
const char bioheat_label_hash_name[] = "labels_hash";

const char *const bioheat_dose_attributes[2] = {"dose_definition", "second_dose_definition"};

// Axes of two files count as the same up to this part of a cell.
static const double axis_slack = 1e-6;
// What a run may have: 32 years, beyond which steps of a clock would not be resolved; the index of the
// largest pressure at the lowest frequency of a job, 7100.
static const double most_clock_s = 1e9, most_index = 1e4;

struct bioheat_chain {
    char path[PATH_BYTES];
    struct dataset *file;
    const struct dataset_variable *variables[CHAIN_FIELDS];
    struct netcdf_packing packings[CHAIN_FIELDS];
    const struct bioheat_params *params;
    double end_s, reference_c;
    char definitions[2][32];             // of the file's doses; "" where it does not state them
    double *fields[CHAIN_FIELDS];        // [z][y][x]
    bool has_first_largest, has_largest; // of the file's first cell; of all
    char lacking[860];                   // or ""
    bool has_carried;
    struct bioheat_carried carried;
    double mechanical_index; // or 0
    double rounding_k;       // or 0
    char label_hash[20];     // or ""
};

static bool has_axes(const struct dataset_variable *v)
{
    bool has = v && v->kind == DATASET_NUMBERS && v->rank == BIOHEAT_AXES;
    for (int axis = 0; axis < BIOHEAT_AXES && has; axis++)
        has = strcmp(v->dimension_names[axis], bioheat_axis_names[axis]) == 0;
    return has;
}

static enum status find_field(struct bioheat_chain *c, int field)
{
    const struct bioheat_grid *grid = &c->params->body.grid;
    const struct bioheat_state_text *text = &bioheat_state_texts[field];
    const struct dataset_variable *v = dataset_find(c->file, text->name);
    if (!has_axes(v))
        return FAIL(STATUS_DATA, "%s: has no variable %s(z, y, x): it is not a state of a heat run", c->path,
                    text->name);
    CHECK(bioheat_state_check_units(c->path, v, text->units));
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
    const struct bioheat_grid *grid = &c->params->body.grid;
    const struct dataset_variable *v = dataset_find(c->file, name);
    double *values;
    size_t length;
    if (!v || v->kind != DATASET_NUMBERS || v->rank != 1 || v->lengths[0] != grid->cells[axis])
        return FAIL(STATUS_DATA, "%s: has no coordinate %s(%s) of %zu cells", c->path, name, name,
                    grid->cells[axis]);
    CHECK(bioheat_state_check_units(c->path, v, "m"));
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

void bioheat_list_lacks(int lacks, char *text, size_t bytes)
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
               {BIOHEAT_LACKS_STEPS, "the error of its steps is too large"},
               {BIOHEAT_LACKS_SOUND, "its pressure is zero in all tissue"},
               {BIOHEAT_LACKS_DRAINED, "faces of the domain carry heat off"},
               {BIOHEAT_LACKS_MODEL, "temperatures beyond -50 or 100 degC"},
               {BIOHEAT_LACKS_UNKNOWN, "its state does not say whether all of its heat is in it"}};
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (lacks & all[k].lack && used < bytes)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s", used > 0 ? ", " : "", all[k].words);
}

// The end of a path, which names the run.
static const char *end_of_path(const char *path)
{
    const size_t length = strlen(path), most = 80;
    return path + (length > most ? length - most : 0);
}

static enum status find_lacking(struct bioheat_chain *c)
{
    double lacks = BIOHEAT_LACKS_UNKNOWN;
    char own[480], before[sizeof c->lacking] = "";
    const char *from = c->params->from_directory, *end = end_of_path(from);
    const struct bioheat_state_number number = {bioheat_lacks_name, "1", 0, BIOHEAT_LACKS_ALL, true};
    if (dataset_find(c->file, bioheat_lacks_name))
        CHECK(bioheat_state_read_number(c->file, &number, &lacks));
    if (!c->has_carried)
        lacks = (int)lacks | BIOHEAT_LACKS_UNKNOWN;
    if ((int)lacks & BIOHEAT_LACKS_EARLIER)
        CHECK(dataset_text(c->file, NULL, bioheat_earlier_name, before, sizeof before));
    bioheat_list_lacks((int)lacks, own, sizeof own);
    if (own[0])
        snprintf(c->lacking, sizeof c->lacking, "earlier run %s%s: %s%s%.240s", end > from ? "..." : "", end,
                 own, before[0] ? "; " : "", before);
    else if (lacks > 0)
        snprintf(c->lacking, sizeof c->lacking, "%s", before[0] ? before : "an earlier run");
    return STATUS_OK;
}

static struct bioheat_state_number carried_number(const struct bioheat_chain *c, int k)
{
    const struct bioheat_carried_text *text = &bioheat_carried_texts[k];
    struct bioheat_state_number number = {text->name, text->units, text->least, text->most, text->is_whole};
    if (text->is_whole) { // a cell, or a plane
        number.least = -(double)c->params->body.grid.cells[BIOHEAT_Z];
        number.most = (double)bioheat_cells(&c->params->body.grid) - 1;
    }
    return number;
}

// All of them, or, in a state of an earlier version, none, or not the last, which it then needs.
static enum status read_carried(struct bioheat_chain *c)
{
    double values[BIOHEAT_CARRIED_NUMBERS];
    c->has_carried = dataset_find(c->file, bioheat_carried_texts[BIOHEAT_CARRIED_NUMBERS - 1].name) != NULL;
    if (!c->has_carried)
        return STATUS_OK;
    for (int k = 0; k < BIOHEAT_CARRIED_NUMBERS; k++) {
        const struct bioheat_state_number number = carried_number(c, k);
        CHECK(bioheat_state_read_number(c->file, &number, &values[k]));
    }
    c->carried = bioheat_carried_read(values);
    const char *fault = bioheat_carried_fault(&c->carried);
    return fault ? FAIL(STATUS_DATA, "%s: %s does not fit the heat beside it: expected both or none to be 0",
                        c->path, fault)
                 : STATUS_OK;
}

// States of an earlier version have none.
static enum status read_index(struct bioheat_chain *c)
{
    const struct bioheat_state_number number = {bioheat_index_name, "1", 0, most_index, false};
    return dataset_find(c->file, bioheat_index_name)
               ? bioheat_state_read_number(c->file, &number, &c->mechanical_index)
               : STATUS_OK;
}

static enum status read_rounding(struct bioheat_chain *c)
{
    const struct bioheat_state_number number = {bioheat_rounding_name, "K", 0, BIOHEAT_ROUNDING_MOST_K,
                                                false};
    return dataset_find(c->file, bioheat_rounding_name)
               ? bioheat_state_read_number(c->file, &number, &c->rounding_k)
               : STATUS_OK;
}

// 16 hexadecimal digits, where the labels have one.
static enum status read_label_hash(struct bioheat_chain *c)
{
    CHECK(dataset_text(c->file, NULL, bioheat_label_hash_name, c->label_hash, sizeof c->label_hash));
    const size_t length = strlen(c->label_hash);
    return length == 0 || (length == 16 && strspn(c->label_hash, "0123456789abcdef") == length)
               ? STATUS_OK
               : FAIL(STATUS_DATA, "%s: attribute %s is \"%s\": expected 16 hexadecimal digits", c->path,
                      bioheat_label_hash_name, c->label_hash);
}

// The laws of the file's doses; "" where an earlier version made it.
static enum status read_definitions(struct bioheat_chain *c)
{
    for (int k = 0; k < 2; k++) {
        const char *text = c->definitions[k];
        bool is_known = false;
        CHECK(dataset_text(c->file, NULL, bioheat_dose_attributes[k], c->definitions[k],
                           sizeof c->definitions[k]));
        for (int law = 0; law <= BIOHEAT_DOSE_ISO; law++)
            is_known |= strcmp(text, bioheat_doses[law]) == 0;
        if (text[0] && !is_known)
            return FAIL(STATUS_DATA, "%s: attribute %s is \"%s\": expected %s, %s, %s or %s", c->path,
                        bioheat_dose_attributes[k], text, bioheat_doses[0], bioheat_doses[1],
                        bioheat_doses[2], bioheat_doses[3]);
    }
    return STATUS_OK;
}

static enum status open_state(struct bioheat_chain *c)
{
    if (access(c->params->from_directory, F_OK) == 0 && access(c->path, F_OK) != 0)
        return FAIL(STATUS_NO_INPUT,
                    "%s: missing: the earlier run must keep its state (\"output.state\": true)", c->path);
    CHECK(dataset_open(c->path, &c->file));
    for (int field = 0; field < CHAIN_FIELDS; field++)
        if (field != SECOND_DOSE || dataset_find(c->file, bioheat_state_texts[field].name))
            CHECK(find_field(c, field));
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        CHECK(check_axis(c, axis));
    CHECK(bioheat_state_read_number(
        c->file, &(struct bioheat_state_number){"clock", "s", 0, most_clock_s, false}, &c->end_s));
    CHECK(bioheat_state_read_number(c->file,
                                    &(struct bioheat_state_number){"reference_temperature", "degC",
                                                                   BIOHEAT_ABSOLUTE_ZERO_C, BIOHEAT_HOTTEST_C,
                                                                   false},
                                    &c->reference_c));
    CHECK(read_carried(c));
    CHECK(find_lacking(c));
    CHECK(read_index(c));
    CHECK(read_rounding(c));
    CHECK(read_label_hash(c));
    return read_definitions(c);
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

static enum status check_values(struct bioheat_chain *c, const double *const values[CHAIN_FIELDS],
                                size_t first, size_t count)
{
    const struct bioheat_physics *physics = &c->params->physics;
    struct bioheat_state_cells cells = {.path = c->path,
                                        .first = first,
                                        .count = count,
                                        .reference_c = c->reference_c,
                                        .clock_s = c->end_s,
                                        .definitions = {physics->dose, physics->second_dose},
                                        .has_largest = c->has_first_largest};
    for (int field = 0; field < CHAIN_FIELDS; field++)
        if (values[field]) {
            cells.names[field] = c->variables[field]->name;
            cells.values[field] = values[field];
        }
    CHECK(bioheat_state_check_cells(&cells));
    if (values[LARGEST] && has_iso(physics) && !c->has_first_largest)
        return FAIL(STATUS_DATA,
                    "%s: the earlier run kept no largest temperatures (output.maxima), from which ISO's "
                    "dose finds out where 43 degC was passed",
                    c->path);
    return STATUS_OK;
}

// Whatever this run takes, largest temperatures and their times are looked at: doses depend on them.
static bool is_checked(const struct bioheat_chain *c, int field)
{
    return is_wanted(c, field) || field == LARGEST || field == LARGEST_AT;
}

static enum status check_plane(struct bioheat_chain *c, size_t z, double *planes, size_t plane)
{
    const struct bioheat_grid *grid = &c->params->body.grid;
    const double *values[CHAIN_FIELDS] = {0};
    for (int field = 0; field < CHAIN_FIELDS; field++) {
        if (!is_checked(c, field))
            continue;
        double *own = planes + (size_t)field * plane;
        CHECK(dataset_read(c->file, c->variables[field], &c->packings[field], (const size_t[]){z, 0, 0},
                           (const size_t[]){1, grid->cells[BIOHEAT_Y], grid->cells[BIOHEAT_X]}, own));
        values[field] = own;
    }
    if (z == 0)
        c->has_first_largest = !isnan(values[LARGEST][0]);
    return check_values(c, values, z * plane, plane);
}

// Before the plan, so that it says what the run would refuse.
static enum status check_planes(struct bioheat_chain *c)
{
    const struct bioheat_grid *grid = &c->params->body.grid;
    const size_t plane = grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X];
    double *planes = malloc(CHAIN_FIELDS * plane * sizeof *planes);
    enum status status = planes ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for planes of %zu cells", plane);
    for (size_t z = 0; z < grid->cells[BIOHEAT_Z] && status == STATUS_OK; z++)
        status = check_plane(c, z, planes, plane);
    free(planes);
    return status;
}

// A state without a checksum of its run may have been changed.
static void lack_checksum(struct bioheat_chain *c)
{
    static const char reason[] = "its state has no checksum in a run.json beside it";
    const char *from = c->params->from_directory, *end = end_of_path(from);
    char before[sizeof c->lacking];
    snprintf(before, sizeof before, "%s", c->lacking);
    snprintf(c->lacking, sizeof c->lacking, "earlier run %s%s: %s%s%.600s", end > from ? "..." : "", end,
             reason, before[0] ? "; " : "", before);
}

// A copy without run.json, and a state of an earlier version, have no checksum. Last, because the checks of
// values say what is wrong.
static enum status check_sum(struct bioheat_chain *c)
{
    const char *from = c->params->from_directory, *slash = strrchr(c->path, '/');
    cJSON *run = output_finished_read(from);
    bool has_sum;
    const enum status status = output_finished_check_file(run, from, slash + 1, &has_sum);
    cJSON_Delete(run);
    if (status == STATUS_OK && !has_sum)
        lack_checksum(c);
    return status == STATUS_DATA ? status_append(status, "run the earlier job again") : status;
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
    CHECK(match_doses(job, c));
    CHECK_KEY(job, from_key, check_planes(c));
    CHECK_KEY(job, from_key, check_sum(c));
    return STATUS_OK;
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

const struct bioheat_carried *bioheat_chain_carried(const struct bioheat_chain *c)
{
    return c->has_carried ? &c->carried : NULL;
}

double bioheat_chain_rounding_k(const struct bioheat_chain *c)
{
    return c->rounding_k;
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
    const struct bioheat_grid *grid = &c->params->body.grid;
    const size_t ny = grid->cells[BIOHEAT_Y], nx = grid->cells[BIOHEAT_X];
    CHECK(dataset_read(c->file, c->variables[RISE], &c->packings[RISE], (const size_t[]){z, 0, 0},
                       (const size_t[]){1, ny, nx}, theta_k));
    for (size_t k = 0; k < ny * nx; k++) {
        if (!isfinite(theta_k[k]))
            return FAIL(STATUS_DATA, "%s: rise[%zu] (index in [z][y][x] order) is not finite", c->path,
                        z * ny * nx + k);
        theta_k[k] += c->reference_c - c->params->body.reference_c;
    }
    return STATUS_OK;
}

enum status bioheat_chain_plan(struct bioheat_chain *c, struct memory_plan *memory)
{
    const struct bioheat_grid *grid = &c->params->body.grid;
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
    const struct bioheat_grid *grid = &c->params->body.grid;
    const size_t plane = grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X];
    *first = bioheat_held(grid).first * plane;
    *end = bioheat_held(grid).end * plane;
}

enum status bioheat_chain_prepare(struct bioheat_chain *c)
{
    const struct bioheat_grid *grid = &c->params->body.grid;
    const struct bioheat_planes held = bioheat_held(grid);
    const size_t start[] = {held.first, 0, 0},
                 count[] = {held.end - held.first, grid->cells[BIOHEAT_Y], grid->cells[BIOHEAT_X]};
    size_t first, end;
    held_cells(c, &first, &end);
    const double *values[CHAIN_FIELDS] = {0};
    for (int field = 0; field < CHAIN_FIELDS; field++) {
        if (!c->fields[field])
            continue;
        CHECK(dataset_read(c->file, c->variables[field], &c->packings[field], start, count,
                           c->fields[field] + first));
        values[field] = c->fields[field] + first;
    }
    CHECK(check_values(c, values, first, end - first));
    c->has_largest = c->fields[LARGEST] != NULL;
    for (size_t k = first; k < end && c->has_largest; k++)
        c->has_largest = !isnan(c->fields[LARGEST][k]);
    return STATUS_OK;
}

// From the earlier run's reference temperature to this one's; times relative to this run's start.
static void convert(const struct bioheat_chain *c)
{
    const double shift_k = c->reference_c - c->params->body.reference_c;
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
    const struct bioheat_grid *grid = &c->params->body.grid;
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
