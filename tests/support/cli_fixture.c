// A folder, inputs and jobs: see cli_fixture.h. Knows nothing of the program's inside.
#include "tests/support/cli_fixture.h"
#include "tests/support/netcdf_maker.h"

#include <sys/stat.h>

// ---- the folder

int cli_setup(void **state)
{
    cli_pace_as_usual();
    return folder_make(state);
}

int cli_teardown(void **state)
{
    cli_pace_as_usual();
    return folder_remove(state);
}

const char *cli_path(const char *name)
{
    return folder_path("%s", name);
}

bool cli_exists(const char *name)
{
    return folder_has(name);
}

void cli_write_text(const char *name, const char *text)
{
    folder_write_text(name, text);
}

int cli_count_entries(const char *name)
{
    return folder_count(name);
}

void cli_remove(const char *name)
{
    folder_delete(name);
}

void cli_copy(const char *from, const char *to)
{
    size_t length;
    char *bytes = folder_read(from, &length);
    folder_write(to, bytes, length);
}

void cli_flip_byte(const char *name, long offset)
{
    size_t length;
    char *bytes = folder_read(name, &length);
    const size_t place = offset >= 0 ? (size_t)offset : length - (size_t)-offset;
    assert_true(place < length);
    bytes[place] = (char)(bytes[place] ^ 0x10);
    folder_write(name, bytes, length);
}

void cli_truncate(const char *name, double share)
{
    struct stat information;
    assert_int_equal(stat(cli_path(name), &information), 0);
    assert_int_equal(truncate(cli_path(name), (off_t)(share * (double)information.st_size)), 0);
}

// ---- input grids

static double sea_elevation(double x, double y, double time_s)
{
    if (x < 140.7)
        return 200;
    if (fabs(x - 147.5) < 0.3 && fabs(y - 35) < 0.3)
        return 50;
    return -(1000 + 3500 * fmin(1, (x - 140.7) / 4));
}

const struct cli_grid cli_sea =
    CLI_GLOBE(40, 30, 140, 30, 0.25, 0.25, {"elevation", "m", "up", NULL, sea_elevation});

static double basin_elevation(double x, double y, double time_s)
{
    if (x > 22200)
        return 5;
    return -100 + 40 * exp(-((x - 15000) * (x - 15000) + (y - 8000) * (y - 8000)) / 9e6);
}

const struct cli_grid cli_basin = CLI_PLANE(48, 32, 0, 0, 500, 500, {"z", "m", "up", NULL, basin_elevation});

static void define_axis(int file, const struct cli_grid *grid, bool is_x, int *dimension)
{
    static const char *const names[2][2] = {{"lat", "y"}, {"lon", "x"}};
    static const char *const units[2][2] = {{"degrees_north", "m"}, {"degrees_east", "m"}};
    static const char *const standard[2][2] = {{"latitude", "projection_y_coordinate"},
                                               {"longitude", "projection_x_coordinate"}};
    const size_t count = is_x ? grid->nx : grid->ny;
    int variable;
    NC(nc_def_dim(file, names[is_x][grid->is_plane], count, dimension));
    NC(nc_def_var(file, names[is_x][grid->is_plane], NC_DOUBLE, 1, dimension, &variable));
    make_text(file, variable, "units", units[is_x][grid->is_plane]);
    make_text(file, variable, "standard_name", standard[is_x][grid->is_plane]);
    double *places = owned_zeros(count, sizeof *places);
    for (size_t k = 0; k < count; k++)
        places[k] = is_x ? grid->x0 + (double)k * grid->dx : grid->y0 + (double)k * grid->dy;
    NC(nc_put_var_double(file, variable, places));
    owned_end(places);
}

static void write_values(int file, int variable, const struct cli_grid *grid,
                         const struct cli_variable *description)
{
    const size_t records = grid->records > 0 ? grid->records : 1;
    double *values = owned_zeros(records * grid->ny * grid->nx, sizeof *values), *to = values;
    for (size_t t = 0; t < records; t++)
        for (size_t j = 0; j < grid->ny; j++)
            for (size_t i = 0; i < grid->nx; i++)
                *to++ = description->value(grid->x0 + (double)i * grid->dx, grid->y0 + (double)j * grid->dy,
                                           grid->records > 0 ? grid->times_s[t] : 0);
    NC(nc_put_var_double(file, variable, values));
    owned_end(values);
}

void cli_write_grid(const char *name, const struct cli_grid *grid)
{
    int file, dimensions[3], time = -1;
    NC(nc_create(cli_path(name), NC_NETCDF4 | NC_CLOBBER, &file));
    if (grid->records > 0) {
        NC(nc_def_dim(file, "time", grid->records, &dimensions[0]));
        NC(nc_def_var(file, "time", NC_DOUBLE, 1, dimensions, &time));
        make_text(file, time, "units", "seconds since 2011-03-11 05:46:24");
        NC(nc_put_var_double(file, time, grid->times_s));
    }
    define_axis(file, grid, false, &dimensions[1]);
    define_axis(file, grid, true, &dimensions[2]);
    for (int k = 0; k < grid->variable_count; k++) {
        const struct cli_variable *description = &grid->variables[k];
        int variable;
        NC(nc_def_var(file, description->name, NC_DOUBLE, time >= 0 ? 3 : 2,
                      time >= 0 ? dimensions : dimensions + 1, &variable));
        make_text(file, variable, "units", description->units);
        make_text(file, variable, "positive", description->positive);
        make_text(file, variable, "standard_name", description->standard_name);
        write_values(file, variable, grid, description);
    }
    NC(nc_close(file));
}

// ---- jobs

cJSON *cli_sea_job(void)
{
    cli_write_grid("sea.nc", &cli_sea);
    return cli_json(
        "{'fathom': 1, 'model': 'tsunami', 'title': 'A small sea', 'backend': 'openmp', 'domain': "
        "{'bathymetry': {'file': 'sea.nc'}}, 'source': {'faults': {'fathom_faults': 1, 'reference': "
        "'centre',  'columns': ['longitude', 'latitude', 'depth', 'length', 'width', 'strike', 'dip', "
        "'rake', 'slip'],  'units': ['degree', 'degree', 'km', 'km', 'km', 'degree', 'degree', 'degree', "
        "'m'],  'rows': [[144.5, 33.5, 20, 150, 80, 195, 14, 90, 8]]}}, 'time': {'duration': '30 min', "
        "'step': '30 s'}, 'output': {'directory': 'out', 'fields': {'every': '10 min', 'variables': ['eta', "
        "'u', 'v']},  'maxima': true, 'arrival': ['1 cm', '10 cm']}}");
}

// Single quotes become double ones, outside texts in double quotes.
static void use_double_quotes(char *text)
{
    bool is_text = false;
    for (char *c = text; *c; c++)
        if (*c == '\'' && !is_text)
            *c = '"';
        else if (*c == '"' && (c == text || c[-1] != '\\'))
            is_text = !is_text;
}

void cli_set(cJSON *job, const char *key, const char *json)
{
    char path[128];
    assert_true(snprintf(path, sizeof path, "%s", key) < (int)sizeof path);
    cJSON *object = job;
    char *part = path;
    for (char *dot; (dot = strchr(part, '.')); part = dot + 1) {
        *dot = '\0';
        cJSON *next = cJSON_GetObjectItemCaseSensitive(object, part);
        object = next ? next : cJSON_AddObjectToObject(object, part);
        assert_true(cJSON_IsObject(object));
    }
    cJSON_DeleteItemFromObjectCaseSensitive(object, part);
    if (!json)
        return;
    char *text = owned_take(strdup(json));
    use_double_quotes(text);
    cJSON *value = cJSON_Parse(text);
    if (!value)
        fail_msg("%s: not JSON: %s", key, json);
    assert_true(cJSON_AddItemToObject(object, part, value));
}

void cli_set_text(cJSON *job, const char *key, const char *format, ...)
{
    char text[1024] = "\"";
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text + 1, sizeof text - 2, format, arguments);
    va_end(arguments);
    assert_in_range(length, 0, sizeof text - 3);
    text[1 + length] = '"'; // the rest is '\0'
    cli_set(job, key, text);
}

static char *format_json(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    assert_true(length >= 0);
    char *text = owned_zeros((size_t)length + 1, 1);
    assert_int_equal(vsnprintf(text, (size_t)length + 1, format, again), length);
    va_end(again);
    use_double_quotes(text);
    return text;
}

static void assign(cJSON *job, char *text)
{
    text += strspn(text, " ");
    if (strncmp(text, "delete ", 7) == 0) {
        cli_set(job, text + 7, NULL);
        return;
    }
    char *equals = strstr(text, " = ");
    if (!equals)
        fail_msg("not an assignment: %s", text);
    *equals = '\0';
    cli_set(job, text, equals + 3);
}

cJSON *cli_change(cJSON *job, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_json(format, arguments), *begin = text;
    va_end(arguments);
    bool is_text = false;
    for (char *c = text; *c; c++)
        if (*c == '"' && (c == text || c[-1] != '\\')) {
            is_text = !is_text;
        } else if (*c == ';' && !is_text) {
            *c = '\0';
            assign(job, begin);
            begin = c + 1;
        }
    assign(job, begin);
    return job;
}

static cJSON *parse_json(const char *format, va_list arguments)
{
    char *text = format_json(format, arguments);
    cJSON *json = cJSON_Parse(text);
    if (!json)
        fail_msg("not JSON: %s", text);
    return cli_own_json(json);
}

cJSON *cli_json(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cJSON *json = parse_json(format, arguments);
    va_end(arguments);
    return json;
}

void cli_write_json(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cli_write_job(parse_json(format, arguments), name);
    va_end(arguments);
}

void cli_write_job(const cJSON *job, const char *name)
{
    char *text = owned_take(cJSON_Print(job));
    cli_write_text(name, text);
}

const struct cli_result *cli_try(const cJSON *job)
{
    cli_save_job(job);
    return cli_run("run -q job.json");
}

void cli_run_job(const cJSON *job)
{
    cli_assert_done(cli_try(job));
}

void cli_run_to(const cJSON *job, const char *directory)
{
    cli_save_job(job);
    cli_do("run -q -o %s job.json", directory);
}

const struct cli_result *cli_rerun(const cJSON *job)
{
    cli_save_job(job);
    return cli_run("run -q --restart job.json");
}

void cli_save_job(const cJSON *job)
{
    cli_write_job(job, "job.json");
}

void cli_write_gauges(const char *name)
{
    cli_write_json(
        name, "{'fathom_gauges': 1, 'gauges': [ {'name': 'west', 'longitude': '142.1 degree', 'latitude': "
              "'33.4 degree'}, {'name': 'east', 'longitude': '148.4 degree', 'latitude': '34.1 degree'}, "
              "{'name': 'south', 'longitude': '145 degree', 'latitude': '30.5 degree'}]}");
}
