// The fault tables and gauge lists in data/. With the public check files at hand: three known deformations,
// computed by another program, the whole table of unit sources, and the figures that the Tohoku table was
// made from.
#include "tests/support/test.h"

#include "tests/support/benchmarks.h"
#include "tests/support/fault_fixture.h"
#include "tests/support/numbers.h"

#include <cjson/cJSON.h>

// ---- tables in data/

static const char *data_path(const char *name)
{
    return format_text("%s/data/%s", TEST_SOURCE_DIRECTORY, name);
}

TEST_SUITE(.group_setup = fault_group_setup, .group_teardown = fault_group_teardown, .setup = clear_status);

TEST(test_tohoku_table)
{
    const struct fault_table *table = read_table_file(data_path("faults/tohoku2011.json"));
    assert_int_equal(table->count, 48);
    double largest_m = 0.0, potency_m3 = 0.0;
    for (size_t i = 0; i < table->count; i++) {
        const struct fault *f = &table->faults[i];
        largest_m = fmax(largest_m, f->slip_m);
        potency_m3 += f->slip_m * f->length_m * f->width_m;
        assert_int_equal(f->reference, FAULT_CENTRE);
        assert_true(f->start_s == 0.0 && f->rise_s == 0.0);
    }
    assert_near("largest slip", largest_m, 44.614, 0);
    // Summed from the source's own file with awk: 8.7305848077e11 m³.
    assert_near("potency", potency_m3, 8.7305848077e11, 1e2);
    assert_near("Mw, 4e10 Pa", fault_table_magnitude(table, 4e10),
                (log10(4e10 * 8.7305848077e11) - 9.1) / 1.5, 1e-9);
}

// M0 = 4e10 Pa × 450 km × 100 km × 15 m = 2.7e22 N m, Mw 8.9 (the source is coarse: the event had 8.8).
TEST(test_chile_table)
{
    const struct fault_table *table = read_table_file(data_path("faults/chile2010.json"));
    assert_int_equal(table->count, 1);
    const struct fault *f = &table->faults[0];
    assert_int_equal(f->reference, FAULT_TOP_CENTRE);
    assert_near("longitude", f->longitude_deg, -72.668, 0);
    assert_near("latitude", f->latitude_deg, -35.826, 0);
    assert_near("depth", f->depth_m, 35e3, 1e-10);
    assert_near("length", f->length_m, 450e3, 1e-9);
    assert_near("width", f->width_m, 100e3, 1e-9);
    assert_true(f->strike_deg == 16 && f->dip_deg == 14 && f->rake_deg == 104 && f->slip_m == 15);
    assert_near("Mw", fault_table_magnitude(table, 4e10), (log10(2.7e22) - 9.1) / 1.5, 1e-12);
}

// ---- gauge lists in data/

static double angle_of(const cJSON *gauge, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(gauge, key);
    double value = NAN;
    assert_true(cJSON_IsString(item));
    assert_ok(units_parse_quantity(item->valuestring, "degree", &value));
    return value;
}

static void check_observed(const cJSON *observed)
{
    static const char *const keys[] = {"file", "format", "time_column", "value_column", "skip_lines"};
    assert_int_equal(cJSON_GetArraySize(observed), 5);
    for (size_t k = 0; k < 5; k++)
        assert_non_null(cJSON_GetObjectItemCaseSensitive(observed, keys[k]));
    const char *format = cJSON_GetObjectItemCaseSensitive(observed, "format")->valuestring;
    assert_true(strcmp(format, "columns") == 0 || strcmp(format, "csv") == 0);
}

static void check_gauges(const cJSON *gauges)
{
    for (const cJSON *gauge = gauges->child; gauge != NULL; gauge = gauge->next) {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(gauge, "name");
        const cJSON *observed = cJSON_GetObjectItemCaseSensitive(gauge, "observed");
        assert_true(cJSON_IsString(name) && strlen(name->valuestring) == 5);
        assert_true(cJSON_IsString(cJSON_GetObjectItemCaseSensitive(gauge, "description")));
        assert_in_range(angle_of(gauge, "longitude") + 180.0, 0, 540);
        assert_in_range(angle_of(gauge, "latitude") + 90.0, 0, 180);
        assert_int_equal(cJSON_GetArraySize(gauge), observed == NULL ? 4 : 5);
        if (observed != NULL)
            check_observed(observed);
        for (const cJSON *later = gauge->next; later != NULL; later = later->next)
            assert_string_not_equal(name->valuestring,
                                    cJSON_GetObjectItemCaseSensitive(later, "name")->valuestring);
    }
}

static cJSON *read_gauges(const char *name)
{
    cJSON *json = cJSON_Parse(folder_text(data_path(name)));
    if (json == NULL)
        fail_msg("%s is not valid JSON", name);
    assert_int_equal(cJSON_GetArraySize(json), 4);
    assert_true(cJSON_GetObjectItemCaseSensitive(json, "fathom_gauges")->valuedouble == 1.0);
    assert_true(cJSON_IsString(cJSON_GetObjectItemCaseSensitive(json, "title")));
    assert_true(cJSON_IsString(cJSON_GetObjectItemCaseSensitive(json, "source")));
    assert_true(cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(json, "gauges")));
    return json;
}

static const cJSON *find_gauge(const cJSON *json, const char *name)
{
    const cJSON *gauge = cJSON_GetObjectItemCaseSensitive(json, "gauges")->child;
    while (gauge != NULL && strcmp(cJSON_GetObjectItemCaseSensitive(gauge, "name")->valuestring, name) != 0)
        gauge = gauge->next;
    return gauge;
}

static double distance_km(const cJSON *a, const cJSON *b)
{
    const double degree = 3.14159265358979323846 / 180.0;
    double fa = angle_of(a, "latitude") * degree, fb = angle_of(b, "latitude") * degree;
    double dl = (angle_of(a, "longitude") - angle_of(b, "longitude")) * degree;
    double h = pow(sin(0.5 * (fa - fb)), 2) + cos(fa) * cos(fb) * pow(sin(0.5 * dl), 2);
    return 2.0 * 6371.0 * asin(sqrt(h));
}

TEST(test_gauge_lists)
{
    cJSON *all = read_gauges("gauges/dart.json"), *tohoku = read_gauges("gauges/tohoku2011.json");
    check_gauges(cJSON_GetObjectItemCaseSensitive(all, "gauges"));
    const cJSON *gauges = cJSON_GetObjectItemCaseSensitive(tohoku, "gauges");
    check_gauges(gauges);
    int observed = 0;
    for (const cJSON *gauge = gauges->child; gauge != NULL; gauge = gauge->next) {
        double longitude = fmod(angle_of(gauge, "longitude") + 360.0, 360.0);
        double latitude = angle_of(gauge, "latitude");
        assert_true(longitude >= 120.0 && longitude <= 290.0 && latitude >= -60.0 && latitude <= 62.0);
        observed += cJSON_GetObjectItemCaseSensitive(gauge, "observed") != NULL ? 1 : 0;
        // A buoy set out anew stays near its station: a wrong digit in either list would show.
        const cJSON *same = find_gauge(all, cJSON_GetObjectItemCaseSensitive(gauge, "name")->valuestring);
        assert_non_null(same);
        assert_true(distance_km(gauge, same) < 20.0);
    }
    assert_int_equal(observed, 3);
    cJSON_Delete(all);
    cJSON_Delete(tohoku);
}

// ---- public check files

struct tt3 {
    int mx, my, mt;
    double west, south, dx, dy;
};

static double header_number(FILE *stream)
{
    char line[200];
    assert_non_null(fgets(line, sizeof line, stream));
    return strtod(line, NULL);
}

// Compares the vertical displacement at the file's last time with the table's, at every node.
// The check files were made with 6367.5 km and print seven figures: what is left is their rounding.
static void compare_with_tt3(const struct fault_table *table, const char *name)
{
    char path[FAULT_PATH];
    need_benchmark(name, path);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    struct tt3 h = {.mx = (int)header_number(stream), .my = (int)header_number(stream)};
    h.mt = (int)header_number(stream);
    h.west = header_number(stream);
    h.south = header_number(stream);
    (void)header_number(stream); // first time
    h.dx = header_number(stream);
    h.dy = header_number(stream);
    (void)header_number(stream); // time step
    assert_in_range(h.mx, 20, 50);
    assert_in_range(h.my, 20, 50);
    double value, largest_m = 0.0, error_m = 0.0;
    for (int k = 0; k < h.mx * h.my * (h.mt - 1); k++)
        assert_int_equal(fscanf(stream, "%lf", &value), 1);
    for (int row = 0; row < h.my; row++) { // north to south
        for (int column = 0; column < h.mx; column++) {
            assert_int_equal(fscanf(stream, "%lf", &value), 1);
            double longitude = h.west + column * h.dx, latitude = h.south + (h.my - 1 - row) * h.dy, up = 0.0;
            for (size_t i = 0; i < table->count; i++)
                up += fault_displacement_sphere(&table->faults[i], longitude, latitude, 6367.5e3).up_m;
            largest_m = fmax(largest_m, fabs(value));
            error_m = fmax(error_m, fabs(up - value));
        }
    }
    assert_int_equal(fclose(stream), 0);
    print_message("%s: largest %.4f m, largest difference %.2e of it\n", name, largest_m,
                  error_m / largest_m);
    assert_true(largest_m > 1.0);
    assert_true(error_m < 3e-6 * largest_m);
}

TEST(test_sift_pair_deformation)
{
    char path[FAULT_PATH];
    struct fault_table table;
    need_benchmark("okada/sift_test_data.tt3", path);
    need_benchmark("sift/info_sz.dat.txt", path);
    assert_ok(fault_table_read_sift(path, (const char *const[]){"acsza1", "acszb1"}, (const double[]){2, 3},
                                    2, &table));
    compare_with_tt3(&table, "okada/sift_test_data.tt3");
    fault_table_free(&table);
}

// Every one of NOAA's 1997 unit sources passes our checks.
TEST(test_whole_sift_table)
{
    char path[FAULT_PATH];
    need_benchmark("sift/info_sz.dat.txt", path);
    assert_refused(
        fault_table_read_sift(path, (const char *const[]){"acszz1"}, (const double[]){1}, 1, &refused),
        STATUS_CONFIGURATION, "\"acszz1\"", "the table has 1997");
}

// Our JSON made from the check file's own columns, units and reference rule.
TEST(test_alaska_deformation)
{
    char path[FAULT_PATH], line[500];
    need_benchmark("okada/alaska1964_test_data.tt3", path);
    need_benchmark("okada/alaska1964.csv", path);
    FILE *in = fopen(path, "r"), *out = fopen(table_path, "w");
    assert_non_null(in);
    assert_non_null(out);
    (void)fputs(
        "{\"fathom_faults\": 1, \"reference\": \"sift\", \"columns\": [\"longitude\", \"latitude\", "
        "\"depth\", \"length\", \"width\", \"strike\", \"dip\", \"rake\", \"slip\"], \"units\": [\"degree\", "
        "\"degree\", \"km\", \"km\", \"km\", \"degree\", \"degree\", \"degree\", \"m\"], \"rows\": [",
        out);
    assert_non_null(fgets(line, sizeof line, in)); // names
    for (int row = 0; fgets(line, sizeof line, in) != NULL; row++) {
        *strrchr(line, ',') = '\0'; // the source's name
        (void)fprintf(out, "%s[%s]", row == 0 ? "" : ", ", line);
    }
    (void)fputs("]}", out);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
    const struct fault_table *table = read_table_file(table_path);
    assert_int_equal(table->count, 12);
    compare_with_tt3(table, "okada/alaska1964_test_data.tt3");
}

// 190 subfaults of 25 × 20 km given by their centres, slip in cm; rupture and rise times kept.
TEST(test_tohoku_subfaults_deformation)
{
    char path[FAULT_PATH], line[500];
    need_benchmark("okada/tohoku_test_data.tt3", path);
    need_benchmark("okada/tohoku_ucsb.txt", path);
    FILE *in = fopen(path, "r"), *out = fopen(table_path, "w");
    assert_non_null(in);
    assert_non_null(out);
    (void)fputs("{\"fathom_faults\": 1, \"reference\": \"centre\", \"columns\": [\"latitude\", "
                "\"longitude\", \"depth\", \"slip\", \"rake\", \"strike\", \"dip\", \"start\", \"rise\", "
                "\"length\", \"width\"], \"units\": [\"degree\", \"degree\", \"km\", \"cm\", \"degree\", "
                "\"degree\", \"degree\", \"s\", \"s\", \"km\", \"km\"], \"rows\": [",
                out);
    int row = 0;
    while (fgets(line, sizeof line, in) != NULL) {
        double v[10];
        if (sscanf(line, "%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5],
                   &v[6], &v[7], &v[8], &v[9]) != 10)
            continue; // comments and the outline
        (void)fprintf(out, "%s[%.10g, %.10g, %.10g, %.10g, %.10g, %.10g, %.10g, %.10g, %.10g, 25, 20]",
                      row++ == 0 ? "" : ", ", v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8] + v[9]);
    }
    (void)fputs("]}", out);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
    const struct fault_table *table = read_table_file(table_path);
    assert_int_equal(table->count, 190);
    compare_with_tt3(table, "okada/tohoku_test_data.tt3");
}

// data/faults/tohoku2011.json, figure by figure, against the file it was made from.
TEST(test_tohoku_table_against_its_source)
{
    static const struct {
        const char *label;
        size_t offset;
    } labels[] = {{"Fault Rupture Starting Time", offsetof(struct fault, start_s)},
                  {"Focal Depth", offsetof(struct fault, depth_m)},
                  {"Length of source area", offsetof(struct fault, length_m)},
                  {"Width of source area", offsetof(struct fault, width_m)},
                  {"Dislocation of fault plate", offsetof(struct fault, slip_m)},
                  {"Rake", offsetof(struct fault, rake_deg)},
                  {"Strike", offsetof(struct fault, strike_deg)},
                  {"Dip ", offsetof(struct fault, dip_deg)},
                  {"Epicenter: Latitude", offsetof(struct fault, latitude_deg)},
                  {"Epicenter: Longitude", offsetof(struct fault, longitude_deg)}};
    enum { LABELS = sizeof labels / sizeof labels[0] };
    char path[FAULT_PATH], line[300];
    need_benchmark("tohoku2011/FaultParameters.ctl", path);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    const struct fault_table *table = read_table_file(data_path("faults/tohoku2011.json"));
    size_t compared = 0;
    while (fgets(line, sizeof line, in) != NULL) {
        for (size_t k = 0; line[0] == ' ' && k < LABELS; k++) {
            if (strncmp(line + 1, labels[k].label, strlen(labels[k].label)) != 0)
                continue;
            double ours;
            assert_in_range(compared, 0, LABELS * table->count - 1);
            memcpy(&ours, (const char *)&table->faults[compared / LABELS] + labels[k].offset, sizeof ours);
            assert_near(labels[k].label, ours, strtod(strrchr(line, ':') + 1, NULL), 1e-9);
            compared++;
        }
    }
    assert_int_equal(compared, LABELS * table->count);
    assert_int_equal(fclose(in), 0);
}

// The observed series that the gauge list names hold the largest values, at the times, known of them.
TEST(test_observed_series_are_those_meant)
{
    static const struct {
        const char *name;
        double largest_m, time_s;
    } known[] = {{"21418", 1.888, 1957}, {"21413", 0.766, 4837}, {"21419", 0.542, 5377}};
    cJSON *json = read_gauges("gauges/tohoku2011.json");
    for (size_t k = 0; k < 3; k++) {
        const cJSON *observed = cJSON_GetObjectItemCaseSensitive(find_gauge(json, known[k].name), "observed");
        char path[FAULT_PATH], line[200];
        if (!has_benchmark(cJSON_GetObjectItemCaseSensitive(observed, "file")->valuestring, path)) {
            cJSON_Delete(json);
            skip();
        }
        FILE *in = fopen(path, "r");
        assert_non_null(in);
        bool is_csv = strcmp(cJSON_GetObjectItemCaseSensitive(observed, "format")->valuestring, "csv") == 0;
        int skipped = cJSON_GetObjectItemCaseSensitive(observed, "skip_lines")->valueint;
        double largest_m = -1.0, time_s = 0.0, t, value;
        for (int number = 0; fgets(line, sizeof line, in) != NULL; number++) {
            if (number < skipped)
                continue;
            assert_int_equal(sscanf(line, is_csv ? "%lf,%lf" : "%lf %lf", &t, &value), 2);
            if (t > 1500.0 && value > largest_m) { // before: seismic waves
                largest_m = value;
                time_s = t;
            }
        }
        assert_int_equal(fclose(in), 0);
        assert_near(known[k].name, largest_m, known[k].largest_m, 6e-4);
        assert_near(known[k].name, time_s, known[k].time_s, 1.0);
    }
    cJSON_Delete(json);
}
