// See grid_calls.h.
#include "tests/fuzz/support/grid_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 1 << 16, WINDOW_NODES_MAX = 1 << 14, RECORDS_MAX = 3 };

static const char *const variables[] = {"z", "depth", "elevation", "lat", "ROSE"};
static const char *const units[] = {"m", "km", "cm", "METERS", "1", "degC", "s"};

void grid_calls_request(struct fuzz_bytes *bytes, const char *path, struct grid_calls *calls)
{
    const uint8_t flags = fuzz_byte(bytes), more = fuzz_byte(bytes);
    calls->request = (struct grid_request){.path = path,
                                           .positive = flags & 3,
                                           .axes = flags >> 2 & 3,
                                           .time_index = more % 8 < 5 ? -1 : more % 8 - 5};
    if (flags & 16)
        calls->request.variable = fuzz_text(bytes, variables, FUZZ_COUNT(variables), calls->own[0]);
    if (flags & 32)
        calls->request.units = fuzz_text(bytes, units, FUZZ_COUNT(units), calls->own[1]);
    if (flags & 64)
        calls->request.target_units = "m";
    if (more >= 200)
        calls->request.format = more % (GRID_FORMAT_GEOTIFF + 1);
}

static void check_axis(const double *values, size_t count, const char *name)
{
    FUZZ_EXPECT(count >= 2, "an axis %s of %zu nodes was accepted", name, count);
    for (size_t k = 0; k < count && k < NODES_MAX; k++) {
        FUZZ_EXPECT(isfinite(values[k]), "%s[%zu] = %g", name, k, values[k]);
        FUZZ_EXPECT(k == 0 || values[k] > values[k - 1], "%s[%zu] = %.17g after %.17g", name, k, values[k],
                    values[k - 1]);
    }
}

static void check_info(const struct grid_info *info)
{
    check_axis(info->x, info->nx, "x");
    check_axis(info->y, info->ny, "y");
    FUZZ_EXPECT(info->nx_once >= 1 && info->nx_once <= info->nx, "nx_once %zu of %zu", info->nx_once,
                info->nx);
    FUZZ_EXPECT(info->records >= 1, "no records");
    FUZZ_EXPECT(!info->wraps || info->is_geographic, "a plane grid goes round the Earth");
    for (size_t k = 0; info->times_s && k < info->records && k < NODES_MAX; k++)
        FUZZ_EXPECT(isfinite(info->times_s[k]), "time of record %zu: %g", k, info->times_s[k]);
}

static bool read_rows(struct grid_file *file, const struct grid_info *info, double *values)
{
    double *again = malloc(info->nx * sizeof *again);
    bool is_fine = again != NULL;
    for (size_t j = 0; j < info->ny && is_fine; j++) {
        is_fine = fuzz_ok(grid_read_row(file, j, values + j * info->nx));
        for (size_t i = 0; i < info->nx && is_fine; i++)
            FUZZ_EXPECT(!isinf(values[j * info->nx + i]), "an infinite value in row %zu, column %zu", j, i);
    }
    for (size_t j = info->ny; j-- > 0 && is_fine;) {
        FUZZ_EXPECT(fuzz_ok(grid_read_row(file, j, again)), "row %zu cannot be read again", j);
        FUZZ_EXPECT(memcmp(again, values + j * info->nx, info->nx * sizeof *again) == 0,
                    "row %zu is another when it is read again", j);
    }
    free(again);
    return is_fine;
}

// ---- a window of it

static void sample(struct grid_file *file, const struct grid_window *window,
                   const struct grid_window_request *request)
{
    struct grid_sampler *sampler = NULL;
    double *values = malloc(window->nx * sizeof *values);
    if (!values || !fuzz_ok(grid_sampler_open(file, window, request, &sampler))) {
        free(values);
        return;
    }
    for (size_t j = 0; j < window->ny; j++) {
        if (!fuzz_ok(grid_sampler_row(sampler, j, values)))
            break;
        for (size_t i = 0; i < window->nx; i++)
            FUZZ_EXPECT(isfinite(values[i]) || (isnan(values[i]) && request->keeps_missing),
                        "row %zu, column %zu of a window is %g", j, i, values[i]);
    }
    grid_sampler_close(sampler);
    free(values);
}

static void try_window(struct grid_file *file, const struct grid_info *info, struct fuzz_bytes *bytes)
{
    const uint8_t flags = fuzz_byte(bytes);
    struct grid_window window = {0};
    struct grid_window_request request = {.has_x = flags & 1,
                                          .has_y = flags & 2,
                                          .missing_value = flags & 4 ? NAN : 5,
                                          .outside_value = flags & 8 ? NAN : 7,
                                          .keeps_missing = flags & 16};
    for (int k = 0; k < 2; k++) {
        request.x_range[k] =
            flags & 64 ? fuzz_number(bytes) : info->x[k * (info->nx - 1)] + (fuzz_byte(bytes) - 128) / 64.0;
        request.y_range[k] =
            flags & 64 ? fuzz_number(bytes) : info->y[k * (info->ny - 1)] + (fuzz_byte(bytes) - 128) / 64.0;
    }
    if (flags & 32) {
        request.spacing[0] = fuzz_number(bytes);
        request.spacing[1] = fuzz_flag(bytes) ? request.spacing[0] : fuzz_number(bytes);
    }
    // The window's own memory is its axes: what does not fit is refused by the plan, later.
    for (int k = 0; k < 2; k++)
        if (request.spacing[k] > 0 &&
            request.spacing[k] < 1e-4 * fabs((k ? request.y_range[1] - request.y_range[0]
                                                : request.x_range[1] - request.x_range[0])))
            return;
    for (int k = 0; k < 2; k++) // a caller's own rules: no negative spacing, no NaN (tsunami/params.c)
        if (!(request.spacing[k] >= 0) || !isfinite(request.spacing[k]) || !isfinite(request.x_range[k]) ||
            !isfinite(request.y_range[k]))
            return;
    if (fuzz_ok(grid_window_resolve(file, &request, &window))) {
        FUZZ_EXPECT(window.nx >= 4 && window.ny >= 4, "a window of %zu x %zu nodes", window.nx, window.ny);
        check_axis(window.x, window.nx, "window x");
        check_axis(window.y, window.ny, "window y");
        if (window.nx * window.ny <= WINDOW_NODES_MAX)
            sample(file, &window, &request);
    }
    grid_window_free(&window);
}

// ---- written and read back

struct source {
    const double *values;
    size_t nx;
};

static enum status give_row(void *context, size_t row, double *values)
{
    const struct source *source = context;
    memcpy(values, source->values + row * source->nx, source->nx * sizeof *values);
    return STATUS_OK;
}

static void write_and_read(const struct grid_info *info, const double *values)
{
    struct source source = {values, info->nx};
    const char *path = fuzz_path("copy.nc");
    const struct grid_write write = {.path = path,
                                     .variable = "copy",
                                     .units = "m",
                                     .positive = "down",
                                     .nx = info->nx,
                                     .is_geographic = info->is_geographic,
                                     .ny = info->ny,
                                     .x = info->x,
                                     .y = info->y,
                                     .is_double = true,
                                     .has_missing = true,
                                     .context = &source,
                                     .row = give_row};
    if (!fuzz_ok(grid_write_netcdf(&write)))
        return;
    struct grid_file *copy = NULL;
    const struct grid_request request = {.path = path, .time_index = -1, .target_units = "m"};
    double *row = malloc(info->nx * sizeof *row);
    FUZZ_EXPECT(row && fuzz_ok(grid_open(&request, &copy)), "what was written cannot be opened");
    const struct grid_info *again = grid_info(copy);
    FUZZ_EXPECT(again->nx == info->nx && again->ny == info->ny,
                "what was written has %zu x %zu nodes, not %zu x %zu", again->nx, again->ny, info->nx,
                info->ny);
    for (size_t j = 0; j < info->ny; j++) {
        FUZZ_EXPECT(fuzz_ok(grid_read_row(copy, j, row)), "row %zu of what was written", j);
        for (size_t i = 0; i < info->nx; i++)
            FUZZ_EXPECT(row[i] == values[j * info->nx + i] ||
                            (isnan(row[i]) && isnan(values[j * info->nx + i])),
                        "row %zu, column %zu was written as %.17g and is read as %.17g", j, i,
                        values[j * info->nx + i], row[i]);
    }
    grid_close(copy);
    free(row);
}

void grid_calls_make(const struct grid_request *request, struct fuzz_bytes *bytes)
{
    struct grid_file *file = NULL;
    enum grid_format format;
    fuzz_ok(grid_identify(request->path, &format));
    if (!fuzz_ok(grid_open(request, &file))) {
        FUZZ_EXPECT(!file, "a grid that was refused is handed out");
        return;
    }
    const struct grid_info *info = grid_info(file);
    check_info(info);
    if (info->nx <= NODES_MAX && info->ny <= NODES_MAX && info->nx * info->ny <= NODES_MAX) {
        double *values = malloc(info->nx * info->ny * sizeof *values);
        const uint8_t wish = fuzz_byte(bytes);
        for (size_t record = 1; record < info->records && record < RECORDS_MAX; record++)
            if (fuzz_ok(grid_select_record(file, record)))
                read_rows(file, info, values);
        if (info->records > 1 && fuzz_ok(grid_select_record(file, 0)))
            ;
        if (read_rows(file, info, values) && wish % 4 == 1)
            write_and_read(info, values);
        try_window(file, info, bytes);
        try_window(file, info, bytes);
        free(values);
    }
    grid_close(file);
}
