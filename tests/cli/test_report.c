// `fathom report` as a whole: a small result folder is written here with netCDF-C, the command is run in this
// process, and its output is inspected by other means: the PNGs pixel by pixel and the page by a short
// Python program (standard library only), the JSON against figures known beforehand. Without gnuplot the
// tests that draw are skipped.
#include "cli/commands.h"
#include "tests/cli/in_process.h"
#include "tests/support/gnuplot.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/test.h"

#include <sys/stat.h>

enum { NX = 60, NY = 40, NT = 3, SAMPLES = 241 };

#define RESULTS "a \"run\" it's" // a name that needs quoting
static const char *results, *temporary;

static int set_up(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    results = owned_take(strdup(cli_path(RESULTS)));
    temporary = owned_take(strdup(cli_path("temporary")));
    return mkdir(results, 0777) != 0 || mkdir(temporary, 0777) != 0 || setenv("TMPDIR", temporary, 1) != 0;
}

static int tear_down(void **state)
{
    unsetenv("TMPDIR");
    return cli_teardown(state);
}

// The command of these arguments must end with the exit code, and a message with the fragment.
#define REPORT(...)                        run_in_process(command_report, "report " __VA_ARGS__)
#define EXPECT_REPORT(code, fragment, ...) expect_report(REPORT(__VA_ARGS__), code, fragment)
static void expect_report(const struct cli_result *result, int exit_code, const char *fragment)
{
    assert_int_equal(result->exit_code, exit_code);
    assert_has(result->error, fragment);
}

static void write_text(const char *name, const char *text)
{
    cli_write_text(format_text(RESULTS "/%s", name), text);
}

static int create(const char *name)
{
    return make_file(cli_path(format_text(RESULTS "/%s", name)), NC_NETCDF4);
}

static int define(int nc, const char *name, nc_type type, int rank, const int *dimensions, const char *units)
{
    int id;
    NC(nc_def_var(nc, name, type, rank, dimensions, &id));
    if (units)
        NC(nc_put_att_text(nc, id, "units", strlen(units), units));
    if (type == NC_FLOAT)
        NC(nc_def_var_fill(nc, id, NC_FILL, &(float){NAN}));
    return id;
}

// Axes from (160 E, 20 S) in steps of 1 degree, over the antimeridian; or of 0.1 m.
static void define_axes(int nc, bool is_geographic, int dimensions[2])
{
    double x[NX], y[NY];
    for (int i = 0; i < NX; i++)
        x[i] = is_geographic ? 160 + i : 0.1 * i;
    for (int j = 0; j < NY; j++)
        y[j] = is_geographic ? -20 + j : 0.1 * j;
    NC(nc_def_dim(nc, is_geographic ? "lat" : "y", NY, &dimensions[0]));
    NC(nc_def_dim(nc, is_geographic ? "lon" : "x", NX, &dimensions[1]));
    int y_id = define(nc, is_geographic ? "lat" : "y", NC_DOUBLE, 1, &dimensions[0],
                      is_geographic ? "degrees_north" : "m");
    int x_id = define(nc, is_geographic ? "lon" : "x", NC_DOUBLE, 1, &dimensions[1],
                      is_geographic ? "degrees_east" : "m");
    NC(nc_put_var_double(nc, x_id, x));
    NC(nc_put_var_double(nc, y_id, y));
}

// Land: the eastern quarter. The highest wave, of 5 m, at column 10, row 30; else 1 cm … 0.3 m.
static bool is_land(int i)
{
    return i >= 45;
}

static float wave_height_m(int i, int j)
{
    if (is_land(i))
        return NAN;
    return i >= 9 && i <= 11 && j >= 29 && j <= 31 ? 5.f : 0.01f * powf(30, (float)i / 44);
}

static void write_maxima(bool is_geographic)
{
    int nc = create("maxima.nc"), axes[2], threshold;
    define_axes(nc, is_geographic, axes);
    NC(nc_def_dim(nc, "threshold", 1, &threshold));
    int depth = define(nc, "depth", NC_FLOAT, 2, axes, "m"),
        eta = define(nc, "max_eta", NC_FLOAT, 2, axes, "m");
    int arrival = define(nc, "arrival", NC_FLOAT, 3, (int[]){threshold, axes[0], axes[1]}, "s");
    int level = define(nc, "threshold", NC_DOUBLE, 1, &threshold, "m");
    float depths[NY][NX], heights[NY][NX], times[NY][NX];
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            depths[j][i] = is_land(i) ? NAN : 4000;
            heights[j][i] = wave_height_m(i, j);
            times[j][i] = is_land(i) ? NAN : (float)(300 * i);
        }
    NC(nc_put_var_float(nc, depth, &depths[0][0]));
    NC(nc_put_var_float(nc, eta, &heights[0][0]));
    NC(nc_put_var_float(nc, arrival, &times[0][0]));
    NC(nc_put_var_double(nc, level, &(double){0.02}));
    NC(nc_close(nc));
}

static int define_time(int nc, size_t length, double step_s, int *dimension)
{
    NC(nc_def_dim(nc, "time", NC_UNLIMITED, dimension));
    int id = define(nc, "time", NC_DOUBLE, 1, dimension, "seconds since 2011-03-11 05:46:24");
    for (size_t k = 0; k < length; k++)
        NC(nc_put_var1_double(nc, id, &k, &(double){step_s * (double)k}));
    return id;
}

static void write_fields(void)
{
    int nc = create("fields.nc"), axes[3];
    define_time(nc, NT, 7200, &axes[0]);
    define_axes(nc, true, axes + 1);
    int eta = define(nc, "eta", NC_FLOAT, 3, axes, "m");
    static float values[NT][NY][NX];
    for (int t = 0; t < NT; t++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                values[t][j][i] = is_land(i) ? NAN : (float)(0.5 * exp(-0.02 * pow(i - 12 * t, 2)));
    NC(nc_put_vara_float(nc, eta, (size_t[]){0, 0, 0}, (size_t[]){NT, NY, NX}, &values[0][0][0]));
    NC(nc_close(nc));
}

// Gauge A: a crest of 0.8 m at 4800 s, then a trough. Gauge B: never moves.
static float gauge_level_m(double time_s)
{
    return (float)(0.8 * exp(-pow((time_s - 4800) / 600, 2)) - 0.5 * exp(-pow((time_s - 7200) / 600, 2)));
}

static void write_gauges(void)
{
    int nc = create("gauges.nc"), time, station, width;
    define_time(nc, SAMPLES, 60, &time);
    NC(nc_def_dim(nc, "station", 2, &station));
    NC(nc_def_dim(nc, "name_strlen", 16, &width));
    int eta = define(nc, "eta", NC_FLOAT, 2, (int[]){time, station}, "m");
    int name = define(nc, "name", NC_CHAR, 2, (int[]){station, width}, NULL);
    int lon = define(nc, "lon", NC_DOUBLE, 1, &station, "degrees_east");
    int lat = define(nc, "lat", NC_DOUBLE, 1, &station, "degrees_north");
    int depth = define(nc, "depth", NC_DOUBLE, 1, &station, "m");
    int distance = define(nc, "distance", NC_DOUBLE, 1, &station, "m");
    static float values[SAMPLES][2];
    for (int k = 0; k < SAMPLES; k++)
        values[k][0] = gauge_level_m(60 * k);
    NC(nc_put_vara_float(nc, eta, (size_t[]){0, 0}, (size_t[]){SAMPLES, 2}, &values[0][0]));
    NC(nc_put_var_text(nc, name, format_text("%-16s%-16s", "A<b>&'`", "B_2")));
    NC(nc_put_var_double(nc, lon, (double[]){-175.5, 170})); // another turn of longitude than the map's
    NC(nc_put_var_double(nc, lat, (double[]){-5, 10}));
    NC(nc_put_var_double(nc, depth, (double[]){4000, 4000}));
    NC(nc_put_var_double(nc, distance, (double[]){1234, 0}));
    NC(nc_close(nc));
}

static void write_diagnostics(void)
{
    int nc = create("diagnostics.nc"), time;
    define_time(nc, 5, 3600, &time);
    const char *const names[] = {"mass", "energy_kinetic", "energy_potential", "max_abs_eta",
                                 "something_else"};
    for (int v = 0; v < 5; v++) {
        int id = define(nc, names[v], NC_DOUBLE, 1, &time, "1");
        NC(nc_put_vara_double(nc, id, (size_t[]){0}, (size_t[]){5}, (double[]){3, 2.5, 2 + v, 1.5, 1}));
    }
    NC(nc_close(nc));
}

static const char run_json[] =
    "{\"program\":\"Fathom 0.1.0\",\"title\":\"It's a <test> & "
    "more\",\"model\":\"tsunami\",\"backend\":\"openmp\",\"precision\":\"single\",\"step_s\":60,\"grid\":{"
    "\"nx\":60,\"ny\":40},\"timings\":{\"total_s\":75.2,\"rate_per_s\":3.4e8,\"rate_unit\":\"node-steps/"
    "s\"},\"memory\":{\"planned_bytes\":123456789},\"checks\":[{\"verdict\":\"passed\"}],\"warnings\":[\"a "
    "warning of the "
    "run\"],\"gauges\":[{\"name\":\"A<b>&'`\",\"observed\":{\"file\":\"records/"
    "a.txt\",\"skip_lines\":1}},{\"name\":\"B_2\",\"observed\":{\"file\":\"missing.txt\"}}]}";

static void write_ocean(void)
{
    write_maxima(true);
    write_fields();
    write_gauges();
    write_diagnostics();
    write_text("run.json", run_json);
}

// The observed record of gauge A, in a folder of its own: the model's crest 120 s later and 1.0 m high, after
// seismic waves of 2 m.
static const char *write_record(void)
{
    assert_int_equal(mkdir(cli_path("records"), 0777), 0);
    FILE *stream = fopen(cli_path("records/a.txt"), "w");
    assert_non_null(stream);
    fprintf(stream, "time_s,level_m\n");
    for (int k = 0; k < SAMPLES; k++) {
        double time_s = 60 * k, level = 1.25 * gauge_level_m(time_s - 120);
        fprintf(stream, "%g,%g\n", time_s, time_s == 600 ? 2.0 : level);
    }
    assert_int_equal(fclose(stream), 0);
    return cli_path("records");
}

// Looks at the page and the pictures with nothing but Python's standard library.
static const char inspector[] =
    "import sys, os, re, zlib, struct, base64\n"
    "from html.parser import HTMLParser\n"
    "folder = sys.argv[1]\n"
    "def decode(path):\n"
    "    data = open(path, 'rb').read(); assert data[:8] == b'\\x89PNG\\r\\n\\x1a\\n', path\n"
    "    at, idat = 8, b''\n"
    "    while at < len(data):\n"
    "        n, kind = struct.unpack('>I4s', data[at:at+8]); body = data[at+8:at+8+n]\n"
    "        assert zlib.crc32(kind + body) == struct.unpack('>I', data[at+8+n:at+12+n])[0], 'CRC'\n"
    "        if kind == b'IHDR': w, h, depth, colour = struct.unpack('>IIBB', body[:10])\n"
    "        if kind == b'IDAT': idat += body\n"
    "        at += 12 + n\n"
    "    assert depth == 8 and colour in (2, 6); size = 3 if colour == 2 else 4\n"
    "    raw, rows, before = zlib.decompress(idat), [], bytearray(w * size)\n"
    "    for j in range(h):\n"
    "        f = raw[j * (w * size + 1)]; row = bytearray(raw[j * (w * size + 1) + 1:(j + 1) * (w * size + "
    "1)])\n"
    "        for i in range(w * size if f else 0):\n"
    "            a = row[i - size] if i >= size else 0; b = before[i]; c = before[i - size] if i >= size "
    "else 0\n"
    "            p = a + b - c; q = (abs(p - a), abs(p - b), abs(p - c))\n"
    "            pick = a if q[0] <= q[1] and q[0] <= q[2] else b if q[1] <= q[2] else c\n"
    "            row[i] = (row[i] + (0, a, b, (a + b) // 2, pick)[f]) & 255\n"
    "        rows.append([tuple(row[i * size:i * size + 3]) for i in range(w)]); before = row\n"
    "    return w, h, rows\n"
    "def box(rows, colour):\n"
    "    at = [(i, j) for j, r in enumerate(rows) for i, c in enumerate(r) if c == colour]\n"
    "    assert at, 'no pixel of colour %s' % (colour,)\n"
    "    return (min(i for i, j in at), min(j for i, j in at), max(i for i, j in at), max(j for i, j in at), "
    "len(at))\n"
    "w, h, rows = decode(folder + '/pictures/maximum.png')\n"
    "land = box(rows, (0xc9, 0xc6, 0xc0)); peak = box([r[:land[0]] for r in rows], (0x2d, 0x19, 0x48))\n"
    "pixel = (land[2] - land[0] + 1) / 15  # of a column of nodes: land is 15 wide and 40 high\n"
    "tall = (land[3] - land[1] + 1) / 40\n"
    "left = land[2] + 1 - 60 * pixel\n"
    "column, row = ((peak[0] + peak[2] + 1) / 2 - left) / pixel, (land[3] + 1 - (peak[1] + peak[3] + 1) / 2) "
    "/ tall\n"
    "assert abs(column - 10.5) < 0.3 and abs(row - 30.5) < 0.3, (column, row)\n"
    "assert abs((peak[2] - peak[0] + 1) / pixel - 3) < 0.3, 'the peak is 3 columns wide'\n"
    "assert land[4] > 0.95 * 600 * pixel * tall, 'the east is land'\n"
    "names = sorted(os.listdir(folder + '/pictures'))\n"
    "for name in names:\n"
    "    assert name.endswith('.png') and not name.startswith('.'), name\n"
    "    data = open(folder + '/pictures/' + name, 'rb').read(); w, h = struct.unpack('>II', data[16:24])\n"
    "    assert w <= 800 and len(set(data)) > 100\n"
    "class Page(HTMLParser):\n"
    "    void = {'meta', 'img', 'br', 'wbr'}\n"
    "    def __init__(self):\n"
    "        super().__init__(); self.open, self.images, self.text = [], [], ''\n"
    "    def handle_starttag(self, tag, attributes):\n"
    "        assert tag not in ('link', 'iframe', 'object'), tag\n"
    "        if tag not in self.void: self.open.append(tag)\n"
    "        for key, value in attributes:\n"
    "            assert key not in ('src', 'href') or value.startswith('data:image/webp;base64,'), "
    "value[:80]\n"
    "        if tag == 'img': self.images.append(dict(attributes))\n"
    "    def handle_endtag(self, tag):\n"
    "        assert self.open and self.open.pop() == tag, tag\n"
    "    def handle_data(self, data): self.text += data\n"
    "html = open(folder + '/report.html', encoding='utf-8').read(); page = Page(); page.feed(html)\n"
    "assert not page.open and html.startswith('<!DOCTYPE html>')\n"
    "# Nothing is loaded: styles have their images inside; #… is a part of the page itself.\n"
    "style = re.sub(r'<script.*?</script>', '', html, flags=re.S)\n"
    "assert '@import' not in style and all(u[:1] == '#' or u.startswith('data:') for u in "
    "re.findall(r'url\\((.{5})', style))\n"
    "def webp_size(uri):\n"
    "    b = base64.b64decode(uri.split(',', 1)[1], validate=True)\n"
    "    assert b[:4] == b'RIFF' and b[8:16] == b'WEBPVP8L' and b[20] == 0x2f, b[:24]\n"
    "    assert struct.unpack('<I', b[4:8])[0] + 8 == len(b)\n"
    "    bits = struct.unpack('<I', b[21:25])[0]; return (bits & 16383) + 1, (bits >> 14 & 16383) + 1\n"
    "stored = [struct.unpack('>II', open(folder + '/pictures/' + n, 'rb').read(24)[16:]) for n in names]\n"
    "shown = [webp_size(i['src']) for i in page.images]\n"
    "assert sorted(shown) == sorted(stored) and len(names) == int(sys.argv[2]), (shown, stored, names)\n"
    "assert all(i['alt'].strip() for i in page.images)\n"
    "for text in sys.argv[3:]: assert text in page.text, text\n";

static void inspect(const char *expectations)
{
    folder_write_text("inspect.py", inspector);
    setenv("RESULTS", results, 1);
    folder_shell("/usr/bin/python3 '%s' \"$RESULTS\" %s", folder_path("inspect.py"), expectations);
}

TEST(draws_an_ocean)
{
    need_gnuplot();
    write_ocean();
    // A record that is missing is a warning only.
    EXPECT_REPORT(0, "missing.txt", "%s --size 800x500 --observations %s", results, write_record());
    // maximum, arrival, snapshots, gauges, diagnostics
    inspect("5 \"It's a <test> & more\" \"A<b>&'\\`\" 'a warning of the run' 'missing.txt' '5 m' '123 MB' '1 "
            "min 15 s' '175.500°W' '340 M' 'Observed'");
    assert_int_equal(folder_count("temporary"), 0);
}

TEST(gives_the_figures_as_json)
{
    need_gnuplot();
    write_ocean();
    const struct cli_result *result =
        REPORT("--json --no-html --size 400x400 --observations %s %s", write_record(), results);
    cli_assert_done(result);
    assert_false(cli_exists(RESULTS "/report.html"));
    cJSON *root = cli_output_json(result);
    assert_int_equal(cli_count(root, "pictures"), 5);
    assert_true(fabs(cli_json_number(root, "largest_elevation_m") - 5) < 1e-6);
    cli_expect_number(root, "arrival_threshold_m", 0.02);
    const cJSON *gauge = cli_item(root, "gauges.0");
    assert_string_equal(cli_text(gauge, "name"), "A<b>&'`");
    cli_expect_number(gauge, "longitude_degree", -175.5);
    assert_true(cli_json_number(gauge, "distance_m") == 1234);
    // 0.8 exp(-x²) = 0.02 at x = 1.9206 → 4800 − 1152.4 s: the sample after it.
    assert_true(cli_json_number(gauge, "arrival_s") == 3660);
    assert_true(cli_json_number(gauge, "first_peak_s") == 4800);
    assert_true(fabs(cli_json_number(gauge, "first_peak_m") - 0.8) < 1e-6);
    assert_true(fabs(cli_json_number(gauge, "minimum_m") + 0.5) < 1e-4);
    assert_true(cli_json_number(gauge, "observed_peak_s") == 4920); // not the seismic wave of 2 m at 600 s
    assert_true(fabs(cli_json_number(gauge, "observed_peak_m") - 1) < 1e-6);
    const cJSON *calm = cli_item(root, "gauges.1");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(calm, "arrival_s")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(calm, "first_peak_m")));
    assert_null(cJSON_GetObjectItem(calm, "observed_peak_m"));
    assert_int_equal(cli_count(root, "warnings"), 1);
}

// An edited file: all numbers of a variable times a factor, in other units.
static void change_units(const char *file, const char *variable, float factor, const char *units)
{
    int nc, id;
    size_t count;
    const double *values = cli_read_variable(format_text(RESULTS "/%s", file), variable, &count, NULL);
    float *changed = calloc(count, sizeof *changed);
    assert_non_null(changed);
    for (size_t k = 0; k < count; k++)
        changed[k] = factor * (float)values[k];
    NC(nc_open(cli_path(format_text(RESULTS "/%s", file)), NC_WRITE, &nc));
    NC(nc_inq_varid(nc, variable, &id));
    NC(nc_put_var_float(nc, id, changed));
    NC(nc_put_att_text(nc, id, "units", strlen(units), units));
    NC(nc_close(nc));
    free(changed);
}

TEST(units_of_an_edited_file_are_converted)
{
    need_gnuplot();
    write_ocean();
    change_units("maxima.nc", "max_eta", 100, "cm");
    change_units("gauges.nc", "eta", 1000, "mm");
    const cJSON *root = cli_output_json(REPORT("--json --no-html --size 400x400 %s", results));
    assert_true(fabs(cli_json_number(root, "largest_elevation_m") - 5) < 1e-5);
    assert_true(fabs(cli_json_number(root, "gauges.0.first_peak_m") - 0.8) < 1e-6);
    const double last_s = cli_json_number(root, "gauges.0.first_peak_s");
    change_units("gauges.nc", "time", 1 / 60.0F, "minutes since 2011-03-11 05:46:24");
    root = cli_output_json(REPORT("--json --no-html --size 400x400 %s", results));
    print_message("the crest at %g s, by minutes at %g s\n", last_s,
                  cli_json_number(root, "gauges.0.first_peak_s"));
    assert_true(last_s > 1000);
    assert_true(fabs(cli_json_number(root, "gauges.0.first_peak_s") - last_s) < 0.01);
    change_units("maxima.nc", "max_eta", 0.01F, "kelvin");
    EXPECT_REPORT(65, "maxima.nc: max_eta: ", "%s", results);
    change_units("maxima.nc", "max_eta", 1, "m");
    change_units("gauges.nc", "eta", 1, "elbows");
    EXPECT_REPORT(65, "gauges.nc: eta: ", "%s", results);
}

// What is no elevation in a record is left out and named; the crests stay.
TEST(marks_in_a_record_are_named)
{
    need_gnuplot();
    write_ocean();
    const char *folder = write_record();
    FILE *stream = fopen(cli_path("records/a.txt"), "a");
    assert_non_null(stream);
    fprintf(stream, "%d,nan\n%d,1e300\n", 60 * SAMPLES, 60 * SAMPLES + 60);
    assert_int_equal(fclose(stream), 0);
    const struct cli_result *result = REPORT("--json --observations %s %s", folder, results);
    cli_assert_done(result);
    assert_has(result->error, "samples are not a number, or beyond 1000 m: left out");
    assert_true(cli_json_number(cli_output_json(result), "gauges.0.observed_peak_s") == 4920);
}

// Corrected for the far field the crest at 4800 s is later by about 1 % of that, and the page says what
// was done.
TEST(corrects_for_the_far_field)
{
    need_gnuplot();
    write_ocean();
    const struct cli_result *result =
        REPORT("--json --size 400x400 --observations %s --far-field '4 km' %s", write_record(), results);
    cli_assert_done(result);
    cJSON *root = cli_output_json(result);
    assert_true(cli_json_number(root, "far_field_depth_m") == 4000);
    const double crest_s = cli_json_number(cli_item(root, "gauges.0"), "first_peak_s");
    assert_true(crest_s > 4800 && crest_s <= 4920);
    setenv("RESULTS", results, 1);
    folder_shell("grep -q 'corrected for the far field, over an ocean of' \"$RESULTS/report.html\"");
}

TEST(refuses_the_far_field_of_a_plane)
{
    need_gnuplot();
    write_maxima(false);
    EXPECT_REPORT(64, "needs longitudes and latitudes", "%s --far-field '4 km'", results);
    EXPECT_REPORT(64, "expected the depth of an ocean", "%s --far-field '40 km'", results);
}

TEST(draws_a_plane_with_maxima_only)
{
    need_gnuplot();
    write_maxima(false);
    EXPECT_REPORT(0, "run.json", "%s --size 800x500", results);
    inspect("2 'largest elevation'");
    assert_int_equal(folder_count("temporary"), 0);
    // Runs of the Ising model only are drawn together.
    EXPECT_REPORT(64, "are not drawn together", "%s %s", results, results);
}

TEST(replaces_an_older_report)
{
    need_gnuplot();
    write_maxima(false);
    cli_assert_done(REPORT("%s --size 800x500", results));
    write_text("report.html", "old");
    write_text("pictures/maximum.png", "old");
    cli_assert_done(REPORT("%s --size 800x500", results));
    inspect("2");
}

TEST(refuses_with_the_right_code)
{
    EXPECT_REPORT(64, "fathom report DIR", "");
    EXPECT_REPORT(64, "99x100", "%s --size 99x100", results);
    EXPECT_REPORT(64, "", "%s --size 800x600x", results);
    EXPECT_REPORT(64, "--colour", "%s --colour", results);
    EXPECT_REPORT(64, "", "%s --no-html --output x.html", results);
    EXPECT_REPORT(64, "ends in .html", "%s --output %s/run.json", results, results);
    EXPECT_REPORT(66, "/nonexistent/folder", "/nonexistent/folder");
    write_text("run.json", "{}");
    EXPECT_REPORT(66, "", "%s/run.json", results);
    assert_has(REPORT("--help")->output, "--observations");
}

TEST(reports_what_is_wrong_in_the_folder)
{
    need_gnuplot();
    EXPECT_REPORT(66, "holds no results", "%s", results);
    assert_int_equal(mkdir(cli_path(RESULTS "/partial"), 0777), 0);
    EXPECT_REPORT(66, "resume", "%s", results);
    write_text("maxima.nc", "this is not a netCDF file at all, only some text\n");
    EXPECT_REPORT(65, "maxima.nc", "%s", results);
    write_maxima(true);
    write_text("run.json", "{\"title\": }");
    EXPECT_REPORT(65, "run.json", "%s", results);
    assert_int_equal(folder_count("temporary"), 0);
}

TEST(names_the_package_when_gnuplot_is_missing)
{
    write_maxima(true);
    char *search = owned_take(strdup(getenv("PATH")));
    setenv("PATH", temporary, 1);
    const struct cli_result *result = REPORT("%s", results);
    setenv("PATH", search, 1);
    expect_report(result, 71, "gnuplot-nox");
}

// A gnuplot that answers the first question and then breaks: its message and exit code must come through, and
// nothing may be left in the place of the picture.
TEST(reports_a_failing_gnuplot)
{
    write_maxima(true);
    char *search = owned_take(strdup(getenv("PATH")));
    assert_int_equal(mkdir(folder_path("bin"), 0777), 0);
    setenv("PATH", folder_path("bin"), 1);
    folder_write_text("bin/gnuplot",
                      "#!/bin/sh\n[ \"$2\" = -e ] && exit 0\necho 'line 7: something broke' >&2\nexit 3\n");
    assert_int_equal(chmod(folder_path("bin/gnuplot"), 0755), 0);
    const struct cli_result *result = REPORT("%s", results);
    setenv("PATH", search, 1);
    expect_report(result, 71, "something broke");
    assert_has(result->error, "exit code 3");
    assert_int_equal(folder_count(RESULTS "/pictures"), 0);
    assert_int_equal(folder_count("temporary"), 0);
}

TEST_MAIN(set_up, tear_down)
