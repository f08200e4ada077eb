// The start of a heat run from a file: see start_check.h.
#include "models/bioheat/start_check.h"

#include "models/bioheat/body/domain.h"
#include "models/bioheat/initial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A file's temperatures may be in kelvin and in single precision.
static const double rounding_k = 1e-3;

bool bioheat_is_of_body(double temperature_c)
{
    return temperature_c >= BIOHEAT_BODY_LEAST_C && temperature_c <= BIOHEAT_BODY_MOST_C;
}

// Of what is judged: tissue, and of labels not the water that couples a transducer to a body.
static void take_plane(struct bioheat_params *p, size_t z, const uint8_t *roles, const uint8_t *labels,
                       const double *start_c)
{
    const size_t nx = p->body.grid.cells[BIOHEAT_X], count = p->body.grid.cells[BIOHEAT_Y] * nx;
    for (size_t i = 0; i < count; i++) {
        const bool is_water = strcmp(p->body.label_names[labels[i]], "water") == 0;
        if (roles[i] != BIOHEAT_TISSUE)
            continue;
        const struct bioheat_start_cell cell = {true, labels[i], start_c[i], {z, i / nx, i % nx}};
        struct bioheat_start_cell *least = &p->start_least[is_water], *most = &p->start_most[is_water];
        if (!least->is_known || cell.temperature_c < least->temperature_c)
            *least = cell;
        if (!most->is_known || cell.temperature_c > most->temperature_c)
            *most = cell;
    }
}

// `planes`: four.
static enum status check_plane(struct bioheat_params *p, size_t z, uint8_t *roles, uint8_t *labels,
                               double *planes)
{
    const struct bioheat_media *media = bioheat_domain_media(p->domain);
    const size_t cells = p->body.grid.cells[BIOHEAT_Y] * p->body.grid.cells[BIOHEAT_X];
    double *start_c = planes + 3 * cells;
    memset(labels, 0, cells);
    if (media->has_labels)
        CHECK(bioheat_domain_read_labels(p->domain, z, labels, planes));
    else
        CHECK(bioheat_domain_read_roles(p->domain, z, roles, planes));
    for (size_t i = 0; i < cells && media->has_labels; i++)
        roles[i] = (uint8_t)media->table[labels[i]].role;
    CHECK(bioheat_initial_check(p->initial, z, roles, start_c));
    take_plane(p, z, roles, labels, start_c);
    return STATUS_OK;
}

enum status bioheat_start_check(struct bioheat_params *p)
{
    const size_t cells = p->body.grid.cells[BIOHEAT_Y] * p->body.grid.cells[BIOHEAT_X];
    if (!bioheat_initial_path(p->initial))
        return STATUS_OK;
    uint8_t *bytes = malloc(2 * cells);
    double *planes = malloc(4 * cells * sizeof *planes);
    enum status status =
        bytes && planes ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for planes of %zu cells", cells);
    for (size_t z = 0; z < p->body.grid.cells[BIOHEAT_Z] && status == STATUS_OK; z++)
        status = check_plane(p, z, bytes, bytes + cells, planes);
    free(bytes);
    free(planes);
    return status;
}

// Water counts where there is nothing else, as in a phantom.
const struct bioheat_start_cell *bioheat_start_strange(const struct bioheat_params *p)
{
    const int kind = !p->start_least[0].is_known;
    const struct bioheat_start_cell *least = &p->start_least[kind], *most = &p->start_most[kind];
    const double cold_k = BIOHEAT_BODY_LEAST_C - least->temperature_c,
                 hot_k = most->temperature_c - BIOHEAT_BODY_MOST_C;
    if (!least->is_known || !(fmax(cold_k, hot_k) > rounding_k))
        return NULL;
    return cold_k > hot_k ? least : most;
}
