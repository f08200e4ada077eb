// Results read back: see cli_results.h. Knows nothing of the program's inside.
#include "tests/support/cli_results.h"
#include "tests/support/folder.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <float.h>
#include <math.h>

// ---- JSON

OWNED(own_json, cJSON, cJSON_Delete);

cJSON *cli_own_json(cJSON *json)
{
    assert_non_null(json);
    return own_json(json);
}

cJSON *cli_read_json(const char *name)
{
    char *text = folder_read(name, NULL);
    cJSON *json = cJSON_Parse(text);
    if (!json)
        fail_msg("%s: not JSON: %.200s", name, text);
    return cli_own_json(json);
}

cJSON *cli_output_json(const struct cli_result *result)
{
    cJSON *json = cJSON_Parse(result->output);
    if (!json)
        fail_msg("not JSON: %.200s", result->output);
    return cli_own_json(json);
}

const cJSON *cli_item(const cJSON *json, const char *key)
{
    char path[128];
    assert_true(snprintf(path, sizeof path, "%s", key) < (int)sizeof path);
    char *rest = path;
    for (char *part; json && (part = strsep(&rest, "."));)
        json = cJSON_IsArray(json) ? cJSON_GetArrayItem(json, atoi(part))
                                   : cJSON_GetObjectItemCaseSensitive(json, part);
    if (!json)
        fail_msg("there is no \"%s\"", key);
    return json;
}

double cli_json_number(const cJSON *json, const char *key)
{
    const cJSON *item = cli_item(json, key);
    if (!cJSON_IsNumber(item))
        fail_msg("\"%s\" is not a number", key);
    return item->valuedouble;
}

void cli_expect_number(const cJSON *json, const char *key, double expected)
{
    const double number = cli_json_number(json, key);
    if (!(fabs(number - expected) <= 2 * DBL_EPSILON * fabs(expected)))
        fail_msg("\"%s\" is %.17g, not %.17g", key, number, expected);
}

const char *cli_text(const cJSON *json, const char *key)
{
    const cJSON *item = cli_item(json, key);
    if (!cJSON_IsString(item))
        fail_msg("\"%s\" is not a text", key);
    return item->valuestring;
}

int cli_count(const cJSON *json, const char *key)
{
    return cJSON_GetArraySize(cli_item(json, key));
}

bool cli_has_warning(const char *directory, const char *first, const char *second)
{
    bool is_there = false;
    const char *path = format_text("%s/run.json", directory);
    cJSON *report = cli_read_json(path);
    const cJSON *item, *list = cJSON_GetObjectItemCaseSensitive(report, "warnings");
    assert_true(cJSON_IsArray(list));
    cJSON_ArrayForEach(item, list)
    {
        is_there = is_there || (strstr(item->valuestring, first) && strstr(item->valuestring, second));
    }
    return is_there;
}

double cli_run_number(const char *directory, const char *key)
{
    const char *name = format_text("%s/run.json", directory);
    return cli_json_number(cli_read_json(name), key);
}

// ---- netCDF

static int open_netcdf(const char *file)
{
    int id;
    const int status = nc_open(folder_path("%s", file), NC_NOWRITE, &id);
    if (status != NC_NOERR)
        fail_msg("%s: %s", file, nc_strerror(status));
    return id;
}

// One variable: its type, shape, and bytes as stored.
struct contents {
    nc_type type;
    int rank;
    size_t shape[NC_MAX_VAR_DIMS];
    bool has_records; // the first dimension is unlimited
    size_t count, bytes;
    void *data;
};

static void read_contents(int id, int variable, struct contents *c)
{
    int dimensions[NC_MAX_VAR_DIMS], unlimited;
    NC(nc_inq_vartype(id, variable, &c->type));
    NC(nc_inq_varndims(id, variable, &c->rank));
    NC(nc_inq_vardimid(id, variable, dimensions));
    NC(nc_inq_unlimdim(id, &unlimited));
    c->count = 1;
    for (int k = 0; k < c->rank; k++) {
        NC(nc_inq_dimlen(id, dimensions[k], &c->shape[k]));
        c->count *= c->shape[k];
    }
    c->has_records = c->rank > 0 && dimensions[0] == unlimited;
    size_t size;
    NC(nc_inq_type(id, c->type, NULL, &size));
    c->bytes = c->count * size;
    c->data = calloc(c->bytes + 1, 1);
    assert_non_null(c->data);
    if (c->count > 0)
        NC(nc_get_var(id, variable, c->data));
}

static void free_contents(struct contents *c)
{
    if (c->type == NC_STRING)
        nc_free_string(c->count, c->data);
    free(c->data);
}

static bool same_bytes(const struct contents *a, const struct contents *b)
{
    if (a->type != NC_STRING)
        return memcmp(a->data, b->data, a->bytes) == 0;
    for (size_t k = 0; k < a->count; k++)
        if (strcmp(((char **)a->data)[k], ((char **)b->data)[k]) != 0)
            return false;
    return true;
}

// Appends the records of `more`; only for numbers.
static void append_records(struct contents *c, struct contents *more, const char *name)
{
    assert_true(c->type == more->type && c->rank == more->rank && c->type != NC_STRING);
    for (int k = 1; k < c->rank; k++)
        if (c->shape[k] != more->shape[k])
            fail_msg("%s: dimension %d differs", name, k);
    c->data = realloc(c->data, c->bytes + more->bytes + 1);
    assert_non_null(c->data);
    memcpy((char *)c->data + c->bytes, more->data, more->bytes);
    c->bytes += more->bytes;
    c->count += more->count;
    c->shape[0] += more->shape[0];
}

static void compare_variable(const int *ids, int count, int expected, int variable, const char *file)
{
    char name[NC_MAX_NAME + 1];
    NC(nc_inq_varname(expected, variable, name));
    struct contents want, have = {0};
    read_contents(expected, variable, &want);
    for (int k = 0; k < count; k++) {
        int id;
        struct contents part;
        if (nc_inq_varid(ids[k], name, &id) != NC_NOERR)
            fail_msg("%s lacks the variable %s", file, name);
        read_contents(ids[k], id, &part);
        if (k == 0) {
            have = part;
        } else {
            if (part.has_records)
                append_records(&have, &part, name);
            free_contents(&part);
        }
    }
    assert_int_equal(have.type, want.type);
    assert_int_equal(have.rank, want.rank);
    for (int k = 0; k < want.rank; k++)
        if (have.shape[k] != want.shape[k])
            fail_msg("%s: %s: length %zu of dimension %d, expected %zu", file, name, have.shape[k], k,
                     want.shape[k]);
    if (!same_bytes(&have, &want))
        fail_msg("%s: %s: the bits differ", file, name);
    free_contents(&have);
    free_contents(&want);
}

void cli_assert_same_joined(const char *const *files, int count, const char *expected)
{
    enum { FILES_MAX = 64 };
    int ids[FILES_MAX], wanted, have;
    assert_true(count >= 1 && count <= FILES_MAX);
    for (int k = 0; k < count; k++)
        ids[k] = open_netcdf(files[k]);
    const int id = open_netcdf(expected);
    NC(nc_inq_nvars(id, &wanted));
    assert_true(wanted > 0);
    for (int k = 0; k < count; k++) {
        NC(nc_inq_nvars(ids[k], &have));
        assert_int_equal(have, wanted);
    }
    for (int variable = 0; variable < wanted; variable++)
        compare_variable(ids, count, id, variable, files[0]);
    for (int k = 0; k < count; k++)
        NC(nc_close(ids[k]));
    NC(nc_close(id));
}

void cli_assert_same_data(const char *file, const char *expected)
{
    cli_assert_same_joined(&file, 1, expected);
}

static int each_result(const char *directory, const char *other)
{
    DIR *entries = opendir(folder_path("%s", directory));
    assert_non_null(entries);
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        const size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".nc") != 0)
            continue;
        count++;
        if (!other)
            continue;
        char file[512], expected[512];
        snprintf(expected, sizeof expected, "%s/%s", directory, entry->d_name);
        snprintf(file, sizeof file, "%s/%s", other, entry->d_name);
        cli_assert_same_data(file, expected);
    }
    closedir(entries);
    return count;
}

void cli_assert_same_results(const char *directory, const char *expected)
{
    const int count = each_result(expected, directory);
    assert_true(count > 0);
    assert_int_equal(each_result(directory, NULL), count);
}

double *cli_read_variable(const char *file, const char *variable, size_t *count, size_t *shape)
{
    const int id = open_netcdf(file);
    int var, rank, dimensions[NC_MAX_VAR_DIMS];
    if (nc_inq_varid(id, variable, &var) != NC_NOERR)
        fail_msg("%s lacks the variable %s", file, variable);
    NC(nc_inq_varndims(id, var, &rank));
    NC(nc_inq_vardimid(id, var, dimensions));
    assert_true(rank <= 4);
    size_t total;
    count = count ? count : &total;
    *count = 1;
    for (int k = 0; k < rank; k++) {
        size_t length;
        NC(nc_inq_dimlen(id, dimensions[k], &length));
        *count *= length;
        if (shape)
            shape[k] = length;
    }
    double *values = owned_zeros(*count + 1, sizeof *values);
    if (*count > 0)
        NC(nc_get_var_double(id, var, values));
    NC(nc_close(id));
    return values;
}

double *cli_read_values(const char *file, const char *variable, size_t expected)
{
    size_t count;
    double *values = cli_read_variable(file, variable, &count, NULL);
    assert_int_equal(count, expected);
    return values;
}

double cli_difference(const char *file, const char *other, const char *variable)
{
    size_t count, other_count;
    const double *a = cli_read_variable(file, variable, &count, NULL),
                 *b = cli_read_variable(other, variable, &other_count, NULL);
    double largest = 0;
    assert_int_equal(count, other_count);
    for (size_t k = 0; k < count; k++) {
        assert_int_equal(isnan(a[k]) != 0, isnan(b[k]) != 0);
        largest = isnan(a[k]) || a[k] == b[k] ? largest : fmax(largest, fabs(a[k] - b[k]));
    }
    return largest;
}

size_t cli_dimension(const char *file, const char *dimension)
{
    const int id = open_netcdf(file);
    int dim;
    size_t length;
    if (nc_inq_dimid(id, dimension, &dim) != NC_NOERR)
        fail_msg("%s lacks the dimension %s", file, dimension);
    NC(nc_inq_dimlen(id, dim, &length));
    NC(nc_close(id));
    return length;
}

bool cli_has_variable(const char *file, const char *variable)
{
    const int id = open_netcdf(file);
    int var;
    const bool is_there = nc_inq_varid(id, variable, &var) == NC_NOERR;
    NC(nc_close(id));
    return is_there;
}

const char *cli_attribute(const char *file, const char *variable, const char *attribute)
{
    static char text[1024];
    const int id = open_netcdf(file);
    int var = NC_GLOBAL;
    size_t length;
    nc_type type;
    if (variable)
        NC(nc_inq_varid(id, variable, &var));
    if (nc_inq_att(id, var, attribute, &type, &length) != NC_NOERR)
        fail_msg("%s: %s lacks the attribute %s", file, variable ? variable : "the file", attribute);
    assert_true(type == NC_CHAR && length < sizeof text);
    NC(nc_get_att_text(id, var, attribute, text));
    text[length] = '\0';
    NC(nc_close(id));
    return text;
}

double cli_number_attribute(const char *file, const char *variable, const char *attribute, double otherwise)
{
    const int id = open_netcdf(file);
    int var;
    double number;
    NC(nc_inq_varid(id, variable, &var));
    if (nc_get_att_double(id, var, attribute, &number) != NC_NOERR)
        number = otherwise;
    NC(nc_close(id));
    return number;
}
