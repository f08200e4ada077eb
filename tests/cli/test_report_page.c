// The interactive page of a tsunami: its data against the results, forecast points with hostile names, the
// page without the libraries, and the page in a browser (Chromium without a window, no network): no errors,
// the map has its layers, the table sorts, times are shown in another zone.
#include "report/tsunami/report.h"
#include "tests/support/gnuplot.h"
#include "tests/support/report_page.h"
#include "tests/support/test.h"

#include <math.h>
#include <sys/wait.h>
#include <webp/decode.h>

#define HOSTILE "Hilo </script><b>\\\\'&"

// Points and zones as docs/points.md has them, in the order of their file, not of their arrival.
static const char fixture[] =
    "import netCDF4, numpy as np\n"
    "names = ['late', 'Ōfunato 大船渡', \"" HOSTILE "\", 'never']\n"
    "def texts(nc, dimension, values):\n"
    "    nc.createDimension(dimension, len(values)); nc.createDimension('name_strlen', 60)\n"
    "    v = nc.createVariable('name', 'S1', (dimension, 'name_strlen'))\n"
    "    for i, t in enumerate(values): v[i, :] = np.frombuffer(t.encode().ljust(60, b'\\0'), 'S1')\n"
    "def put(nc, dimension, **columns):\n"
    "    for name, values in columns.items(): nc.createVariable(name, 'f8', (dimension,))[:] = values\n"
    "nc = netCDF4.Dataset('out/points.nc', 'w')\n"
    "texts(nc, 'point', names)\n"
    "put(nc, 'point', longitude=[148, 144, -214, 147], latitude=[33, 34, 35, 36],\n"
    "    arrival=[1500, 300, 600, np.nan], first_motion=[1, -1, 1, 0], first_crest=[.2, .5, .1, np.nan],\n"
    "    first_crest_time=[1600, 400, 700, np.nan], crest=[.2, 2, .1, .01], crest_time=[1700, 500, 800, 9],\n"
    "    trough=[-.1, -.2, -.3, 0], trough_time=[1, 2, 3, 4], duration=[60, 120, 0, 0],\n"
    "    depth=[10, 20, 30, 40], distance=[100, 200, 300, 400], coastal_height=[.4, 4, .2, .02],\n"
    "    threat=[1, 3, 0, 0])\n"
    "nc.threshold_m = 0.03; nc.green_depth_m = 1.0; nc.threat_levels_m = [0.3, 1.0, 3.0]; nc.close()\n"
    "nc = netCDF4.Dataset('out/zones.nc', 'w')\n"
    "texts(nc, 'zone', ['North <i>'])\n"
    "put(nc, 'zone', crest=[2], crest_longitude=[144], crest_latitude=[34], arrival=[300], threat=[3]); "
    "nc.close()\n";

static bool has_libraries(void)
{
    if (access("/usr/share/javascript/leaflet/leaflet.css", R_OK) == 0 &&
        access("/usr/share/javascript/chart.js/chart.min.js", R_OK) == 0)
        return true;
    print_message("skipped: libjs-leaflet and libjs-chart.js are not installed\n");
    return false;
}

static void draw_report(void)
{
    cJSON *job = cli_sea_job();
    cli_write_gauges("gauges.json");
    cli_run_job(cli_change(job,
                           "time.origin = '2011-03-11T05:46:24Z'; output.gauges = {'file': 'gauges.json', "
                           "'every': '1 min'}"));
    cli_write_text("fixture.py", fixture);
    folder_shell("cd '%s' && /usr/bin/python3 fixture.py", folder_root());
    cli_do("report out --size 500x400");
}

static cJSON *page_data(const char *page)
{
    static const char lead[] = "<script type=\"application/json\" id=\"page-data\">";
    const char *block = strstr(page, lead);
    assert_non_null(block);
    return cli_own_json(cJSON_Parse(block + sizeof lead - 1));
}

// ---- the map's images against the results

static unsigned char *decode(const char *uri, int *width, int *height)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static unsigned char bytes[1 << 20];
    size_t used = 0;
    unsigned group = 0;
    int bits = 0;
    assert_memory_equal(uri, "data:image/webp;base64,", 23);
    for (const char *p = uri + 23; *p && *p != '='; p++) {
        group = group << 6 | (unsigned)(strchr(digits, *p) - digits);
        bits += 6;
        if (bits >= 8)
            bytes[used++] = (unsigned char)(group >> (bits -= 8));
    }
    unsigned char *pixels = WebPDecodeRGBA(bytes, used, width, height);
    assert_non_null(pixels);
    return pixels;
}

// The share of the way from the first colour of a legend to the last one at which a value lies.
static double place_of(const cJSON *legend, double value)
{
    const double low = cli_json_number(legend, "low"), high = cli_json_number(legend, "high");
    const double place = strcmp(cli_text(legend, "kind"), "logarithmic") == 0
                             ? log(fmax(value, low) / low) / log(high / low)
                             : (value - low) / (high - low);
    return fmax(0, fmin(1, place));
}

static void assert_colour(const cJSON *legend, double place, const unsigned char *pixel)
{
    enum { STEPS = 65 };
    const cJSON *colours = cJSON_GetObjectItem(legend, "colours");
    const double exact = place * STEPS, step = fmin(floor(exact), STEPS - 1);
    if (fabs(exact - round(exact)) < 1e-3) // of two steps either
        return;
    const double at = (step + 0.5) / STEPS * (cJSON_GetArraySize(colours) - 1);
    const int k = (int)fmin(floor(at), cJSON_GetArraySize(colours) - 2);
    unsigned ends[2];
    for (int e = 0; e < 2; e++)
        assert_int_equal(sscanf(cJSON_GetArrayItem(colours, k + e)->valuestring, "#%x", &ends[e]), 1);
    for (int c = 0; c < 3; c++) {
        const double a = ends[0] >> (16 - 8 * c) & 255, b = ends[1] >> (16 - 8 * c) & 255;
        assert_true(fabs(pixel[c] - (a + (at - k) * (b - a))) <= 0.51);
    }
}

// One pixel for each node, in the colour of its value; land is transparent.
static void check_maximum(const cJSON *map)
{
    enum { NX = 40, NY = 30 };
    const cJSON *overlay = cli_item(map, "overlays.0"), *legend = cJSON_GetObjectItem(overlay, "legend");
    const double *eta = cli_read_values("out/maxima.nc", "max_eta", NX * NY);
    int width, height, shown = 0;
    assert_string_equal(cli_text(overlay, "name"), "Largest elevation");
    unsigned char *pixels = decode(cli_text(overlay, "image"), &width, &height);
    assert_int_equal(width, NX);
    assert_int_equal(height, NY);
    static const double bounds[] = {139.875, 29.875, 149.875, 37.375}; // half a node beyond the outermost
    for (int k = 0; k < 4; k++)
        assert_true(fabs(cJSON_GetArrayItem(cJSON_GetObjectItem(overlay, "bounds"), k)->valuedouble -
                         bounds[k]) < 1e-6);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const unsigned char *pixel = pixels + 4 * ((NY - 1 - j) * NX + i);
            const double value = eta[j * NX + i];
            assert_int_equal(pixel[3], isfinite(value) && fabs(value) < 1e30 ? 255 : 0);
            if (pixel[3] == 0)
                continue;
            assert_colour(legend, place_of(legend, value), pixel);
            shown++;
        }
    assert_true(shown > 300 && shown < NX * NY);
    WebPFree(pixels);
}

static const cJSON *find_mark(const cJSON *map, const char *name)
{
    const cJSON *mark;
    cJSON_ArrayForEach(mark, cJSON_GetObjectItem(map, "marks"))
    {
        if (strcmp(cli_text(mark, "name"), name) == 0)
            return mark;
    }
    fail_msg("the map has no mark %s", name);
    return NULL;
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        count++;
    return count;
}

TEST(a_page_has_the_results)
{
    need_gnuplot();
    if (!has_libraries())
        skip();
    draw_report();
    const char *page = read_page();
    const cJSON *data = page_data(page), *map = cli_item(data, "maps.0");
    assert_true(cli_json_number(data, "origin_s") == 1299822384); // date -u -d '2011-03-11 05:46:24' +%s
    check_maximum(map);
    assert_int_equal(cli_count(map, "frames.images"), 4);
    assert_true(cli_json_number(map, "frames.times_s.3") == 1800);
    assert_true(fabs(cli_json_number(find_mark(map, "Hilo </script><b>\\'&"), "x") - 146) < 1e-6);
    assert_true(cli_json_number(find_mark(map, "Ōfunato 大船渡"), "level") == 3);
    const cJSON *centre = find_mark(map, "Centre of the slip");
    assert_has(cli_text(centre, "svg"), "<svg", "strike 195, dip 14, rake 90");
    assert_true(fabs(cli_json_number(centre, "x") - 144.5) < 1e-6); // of one fault, given by its centre
    const double *eta = cli_read_variable("out/gauges.nc", "eta", NULL, NULL);
    assert_int_equal(cli_count(data, "charts.0.series"), 3);
    double largest = 0;
    for (int k = 0; k <= 30; k++)
        largest = fmax(largest, fabs(eta[3 * k + 1]));
    for (int k = 0; k <= 30; k += 10)
        assert_true(fabs(cli_json_number(data, format_text("charts.0.series.1.curves.0.values.%d", k)) -
                         eta[3 * k + 1]) < 1e-3 * largest);
    // No text ends an element, or begins one.
    assert_int_equal(count_of(page, "<script"), count_of(page, "</script>"));
    assert_has(page, "<th scope=\"row\">Hilo &lt;/script&gt;&lt;b&gt;", "North &lt;i&gt;", "34.00°N 144.00°E",
               "threat threat-3", ">11 Mar 05:51 UTC</time>", "<b>4 m</b><span>worst point, at the coast");
    assert_true(strstr(page, ">Ōfunato 大船渡<small>") < strstr(page, ">late<small>")); // by arrival
    assert_true(strstr(page, ">late<small>") < strstr(page, ">never<small>"));
}

// The row of a table that begins with a name, to its end.
static const char *row_of(const char *page, const char *name)
{
    const char *row = strstr(page, format_text("<th scope=\"row\">%s", name));
    if (!row)
        fail_msg("no table has a row %s", name);
    return format_text("%.*s", (int)(strstr(row, "</tr>") - row), row);
}

static void assert_path(const cJSON *map, const char *list, const double *expected, size_t count)
{
    const cJSON *path = cli_item(map, list);
    assert_int_equal(cJSON_GetArraySize(path), count);
    for (int k = 0; k < (int)count; k++)
        if (fabs(cJSON_GetArrayItem(path, k)->valuedouble - expected[k]) > 2e-6)
            fail_msg("%s: number %d is %.9g, expected %.9g", list, k,
                     cJSON_GetArrayItem(path, k)->valuedouble, expected[k]);
}

// Zones of a run: their outlines on the map at the map's longitudes, their levels of threat in the table, and
// none where no wave can have come.
TEST(zones_have_outlines_and_threats)
{
    static const double near_ring[] = {143, 32, 146, 32, 146, 35.5, 143, 35, 143, 32},
                        hole[] = {144, 33, 144, 34, 145, 34, 145, 33, 144, 33},
                        far_ring[] = {148.5, 36.5, 149.5, 36.5, 149.5, 37, 148.5, 37, 148.5, 36.5};
    need_gnuplot();
    cli_write_json(
        "zones.json",
        "{'type': 'FeatureCollection', 'features': [{'type': 'Feature', 'properties': {'name': 'near'}, "
        "'geometry': {'type': 'Polygon', 'coordinates': [[[143, 32], [146, 32], [146, 35.5], [143, 35], "
        "[143, "
        "32]], [[144, 33], [145, 33], [145, 34], [144, 34], [144, 33]]]}}, {'type': 'Feature', 'properties': "
        "{'name': 'far'}, 'geometry': {'type': 'Polygon', 'coordinates': [[[-211.5, 36.5], [-210.5, 36.5], "
        "[-210.5, 37], [-211.5, 37], [-211.5, 36.5]]]}}]}");
    cli_run_job(cli_change(cli_sea_job(), "time.duration = '10 min'; output.zones.file = 'zones.json'; "
                                          "output.travel_time = true; output.threat_levels = ['1 cm', '20 "
                                          "m']"));
    cli_remove("zones.json");
    cli_do("report out --size 500x400");
    const char *page = read_page();
    const double *crest = cli_read_values("out/zones.nc", "crest", 2);
    assert_true(crest[0] > 0.01 && crest[0] < 20 && crest[1] < 0.01);
    assert_has(row_of(page, "near"), "threat threat-1");
    assert_has(row_of(page, "far"), "not reached");
    assert_null(strstr(row_of(page, "far"), "threat-"));
    if (!has_libraries())
        return;
    // A line for each colour: of the level reached, and grey where none is known.
    const cJSON *map = cli_item(page_data(page), "maps.0"), *line, *lines[2] = {NULL};
    int count = 0;
    cJSON_ArrayForEach(line, cJSON_GetObjectItem(map, "lines"))
    {
        if (strcmp(cli_text(line, "name"), "Zones") == 0 && count++ < 2)
            lines[count - 1] = line;
    }
    assert_int_equal(count, 2);
    assert_int_equal(cli_count(lines[0], "paths"), 2);
    assert_path(lines[0], "paths.0", near_ring, COUNT(near_ring));
    assert_path(lines[0], "paths.1", hole, COUNT(hole));
    assert_path(lines[1], "paths.0", far_ring, COUNT(far_ring));
    assert_string_equal(cli_text(lines[0], "colour"), cli_text(map, "swatches.list.1.colour"));
    assert_string_equal(cli_text(lines[1], "colour"), cli_text(map, "swatches.list.3.colour"));
    assert_string_equal(cli_text(map, "swatches.list.3.text"), "not known");
}

// On a map of arrivals the sea that the source lifted, and that did not rise as much again from there, is the
// source's area, and not water that no wave reached.
TEST(arrivals_in_the_source_area_are_at_once)
{
    cli_run_job(cli_change(cli_sea_job(), "time.duration = '10 min'; output.arrival = ['3 cm']"));
    struct report_grid grid = {0};
    assert_int_equal(result_open(folder_path("out/maxima.nc"), &grid.files.maxima), STATUS_OK);
    const struct map_part part = {4000, 4000, NULL};
    struct map_pair before = {0}, after = {0}, highest = {0};
    const size_t first[RESULT_RANK_MAX] = {0};
    const struct result_file *file = grid.files.maxima;
    assert_int_equal(report_tsunami_read_pair(&grid, file, "arrival", first, RESULT_MINIMUM, &part, &before),
                     STATUS_OK);
    assert_int_equal(report_tsunami_read_pair(&grid, file, "arrival", first, RESULT_MINIMUM, &part, &after),
                     STATUS_OK);
    assert_int_equal(report_tsunami_read_pair(&grid, file, "max_eta", NULL, RESULT_MAXIMUM, &part, &highest),
                     STATUS_OK);
    assert_int_equal(report_tsunami_mark_source(&grid, 0.03, &part, &after), STATUS_OK);
    size_t lifted = 0, calm = 0;
    for (size_t k = 0; k < before.values.nx * before.values.ny; k++) {
        const bool is_lifted = isnan(before.values.values[k]) && highest.values.values[k] >= 0.03F;
        lifted += is_lifted;
        calm += isnan(after.values.values[k]) ? 1 : 0;
        assert_true(is_lifted
                        ? after.values.values[k] == 0
                        : memcmp(&after.values.values[k], &before.values.values[k], sizeof(float)) == 0);
    }
    assert_true(lifted > 0 && calm > 0);
    map_free_pair(&before);
    map_free_pair(&after);
    map_free_pair(&highest);
    result_close(grid.files.maxima);
}

// Keys of run.json as a reader's words, with units and powers of ten.
TEST(keys_are_shown_as_words)
{
    need_gnuplot();
    cli_run_job(cli_change(
        cli_sea_job(), "source = {'earthquake': {'tensor': {'mrr': '3e21 N m', 'mtt': '-1e21 N m', 'mpp': "
                       "'-2e21 N m', 'mrt': '0 N m', 'mrp': '1e21 N m', 'mtp': '0 N m'}, 'longitude': "
                       "'144.5 degree', 'latitude': '33.5 degree', 'depth': '25 km'}}"));
    cli_do("report out --size 500x400");
    const char *page = read_page();
    assert_has(page, "<th>Rigidity</th><td><span class=\"whole\">40 GPa</span>", "<th>Moment tensor</th>",
               "<th>Mrr</th><td><span class=\"whole\">3 × 10<sup>21</sup> N m</span>", "Moment magnitude Mw",
               "<th>Longitude</th><td><span class=\"whole\">144.5°</span>",
               "<th>Moment magnitude Mw with a rigidity of 40 GPa</th>");
    static const char *const raw[] = {" n m<", " pa<", "at 40 gpa", "log10 length", "_n_m"};
    for (size_t k = 0; k < COUNT(raw); k++)
        assert_page_lacks(raw[k]);
}

// Where the libraries are absent the page is as it was: pictures, and no map that would stay empty.
TEST(without_libraries_pictures_stay)
{
    need_gnuplot();
    setenv("FATHOM_JAVASCRIPT", folder_root(), 1);
    draw_report();
    unsetenv("FATHOM_JAVASCRIPT");
    const char *page = read_page();
    assert_null(strstr(page, "id=\"page-data\""));
    assert_null(strstr(page, "class=\"web\""));
    assert_null(strstr(page, " by-map\""));
    assert_has(page, "class=\"gauges sortable\"", "threat threat-3");
    assert_int_equal(count_of(page, "<img "), cli_count_entries("out/pictures"));
}

TEST(scales_and_animations_are_refused_with_reason)
{
    cli_run_job(cli_sea_job());
    const struct cli_result *result = cli_run("report out --scale 2");
    assert_int_equal(result->exit_code, 64);
    assert_has(result->error, "--scale", "no unit");
    result = cli_run("report out --scale '-1 m'");
    assert_int_equal(result->exit_code, 64);
    assert_has(result->error, "--scale", "up to 10 km");
}

TEST(a_scale_is_fixed_and_frames_are_animated)
{
    need_gnuplot();
    cli_run_job(cli_sea_job());
    cli_do("report out --size 500x400 --scale '50 cm' --animation");
    if (has_libraries()) {
        const cJSON *map = cli_item(page_data(read_page()), "maps.0");
        cli_expect_number(map, "overlays.0.legend.high", 0.5);
        cli_expect_number(map, "frames.legend.high", 0.5);
    }
    size_t length;
    const char *bytes = folder_read("out/pictures/animation.webp", &length);
    assert_memory_equal(bytes, "RIFF", 4);
    assert_memory_equal(bytes + 8, "WEBPVP8X", 8);
    int frames = 0;
    for (size_t k = 12; k + 8 <= length;) { // the chunks: name, length, data to an even number
        const unsigned char *b = (const unsigned char *)bytes + k;
        frames += memcmp(b, "ANMF", 4) == 0;
        k += 8 + (((size_t)b[4] | (size_t)b[5] << 8 | (size_t)b[6] << 16 | (size_t)b[7] << 24) + 1) / 2 * 2;
    }
    assert_int_equal(frames, 4);
    assert_false(cli_exists("out/pictures/animation_frame.png"));
}

// Of fields alone the page has the map, too, with land and water under the frames.
TEST(fields_alone_make_a_map)
{
    need_gnuplot();
    if (!has_libraries())
        skip();
    cli_run_job(cli_sea_job());
    assert_int_equal(rename(cli_path("out/maxima.nc"), cli_path("maxima.nc")), 0);
    cli_do("report out --size 500x400");
    const char *page = read_page();
    const cJSON *map = cli_item(page_data(page), "maps.0");
    assert_int_equal(cli_count(map, "frames.images"), 4);
    assert_has(cli_text(map, "base.image"), "data:image/webp");
    assert_has(page, "id=\"tsunami-map\"", "class=\"by-map\"");
}

// Noise cannot be compressed: images that would be larger than docs/report.md says have fewer pixels, the
// same edges, and the largest value of all nodes.
static const char noise[] =
    "import netCDF4, numpy as np\n"
    "random = np.random.default_rng(1)\n"
    "def start(name, nx, ny, step):\n"
    "    nc = netCDF4.Dataset('out/' + name, 'w')\n"
    "    for axis, unit, n, first in (('lat', 'degrees_north', ny, -20), ('lon', 'degrees_east', nx, 160)):\n"
    "        nc.createDimension(axis, n); v = nc.createVariable(axis, 'f8', (axis,)); v.units = unit\n"
    "        v[:] = first + step * (np.arange(n) + .5)\n"
    "    return nc\n"
    "nc = start('maxima.nc', 900, 700, .05)\n"
    "eta = 10 ** random.uniform(-2.4, .17, (700, 900)); eta[123, 457] = 3.2\n"
    "v = nc.createVariable('max_eta', 'f4', ('lat', 'lon')); v.units = 'm'; v[:] = eta; nc.close()\n"
    "nc = start('fields.nc', 450, 350, .1); nc.createDimension('time', None)\n"
    "t = nc.createVariable('time', 'f8', ('time',)); t.units = 'seconds since 2011-03-11 05:46:24'\n"
    "v = nc.createVariable('eta', 'f4', ('time', 'lat', 'lon')); v.units = 'm'\n"
    "for k in range(16): t[k] = 60 * k; v[k] = random.normal(size=(350, 450))\n"
    "nc.close()\n";

TEST(images_are_bounded)
{
    need_gnuplot();
    if (!has_libraries())
        skip();
    folder_shell("mkdir '%s/out'", folder_root());
    cli_write_text("noise.py", noise);
    folder_shell("cd '%s' && /usr/bin/python3 noise.py", folder_root());
    cli_do("report out --size 500x400 --scale '3 m'");
    const cJSON *map = cli_item(page_data(read_page()), "maps.0"), *overlay = cli_item(map, "overlays.0"),
                *image;
    size_t bytes = 0;
    cJSON_ArrayForEach(image, cli_item(map, "frames.images")) bytes += strlen(image->valuestring);
    assert_int_equal(cli_count(map, "frames.images"), 16);
    assert_true(bytes > 200 << 10 && bytes <= 1300 << 10);
    assert_true(strlen(cli_text(overlay, "image")) <= 500 << 10);
    static const double edges[] = {160, -20, 205, 15};
    int width, height, darkest = 0;
    unsigned char *pixels = decode(cli_text(overlay, "image"), &width, &height);
    assert_true(width < 900);
    for (int k = 0; k < 4; k++)
        assert_true(fabs(cJSON_GetArrayItem(cJSON_GetObjectItem(overlay, "bounds"), k)->valuedouble -
                         edges[k]) < 0.05 * 900 / width);
    for (int k = 0; k < width * height; k++) // #2d1948, nearly
        darkest += pixels[4 * k] < 0x32 && pixels[4 * k + 1] < 0x20;
    assert_int_equal(darkest, 1);
    WebPFree(pixels);
}

// ---- in a browser

// Clicks, and writes what it finds into the page.
static const char probe[] =
    "<script>var failed=[];addEventListener('error',function(e){failed.push(e.message||'not loaded')},true);"
    "addEventListener('load',function(){setTimeout(function(){var q=function(s){return "
    "Array.from(document.querySelectorAll(s))},found=[],rows=function(){return "
    "q('table.sortable')[0].tBodies[0]"
    ".rows},first=function(){return rows()[0].cells[0].firstChild.data};"
    "found.push('first '+first());q('table.sortable th button')[0].click();found.push('by name '+first());"
    "q('table.sortable th button')[0].click();found.push('by name down '+first());"
    "var arrival=Array.from(q('table.sortable th button')).find(function(b){return "
    "b.textContent==='Arrival'});arrival.click();arrival.click();"
    "found.push('latest '+first());"
    "found.push('last '+rows()[3].cells[0].firstChild.data);"
    "var zone=q('.offset select')[0];zone.value=9;zone.dispatchEvent(new Event('change'));"
    "found.push('clock '+q('time.clock')[0].textContent);"
    "found.push('layers '+q('.leaflet-control-layers-base label').map(function(l){return "
    "l.textContent.trim()}).join('|'));"
    "found.push('images '+q('.leaflet-fields-pane img').length);"
    "q('.leaflet-control-layers-base input')[1].click();found.push('labels '+(q('.line-label').length>0));"
    "var s=q('.slider input')[0];s.value=2;s.dispatchEvent(new Event('input'));"
    "found.push('time '+q('.slider output')[0].textContent);"
    "found.push('checked '+q('.leaflet-control-layers-base input').findIndex(function(i){return i.checked}));"
    "found.push('gauges '+q('.web select option').length);"
    "found.push('hidden '+q('figure.by-map').every(function(f){return "
    "getComputedStyle(f).display==='none'}));"
    "found.push('wide '+(document.documentElement.scrollWidth<=innerWidth));"
    "found.push('bold '+q('.mark-label b,th b b').length);"
    "found.push('failed '+failed.join(';'));"
    "document.title=found.join('\\n')},500)});</script></body>";

TEST(a_browser_shows_the_page)
{
    need_gnuplot();
    const char *name = page_browser();
    if (!name || !has_libraries())
        skip();
    draw_report();
    const char *title = page_probed_title(name, probe, 8000);
    assert_has(title, "first Ōfunato 大船渡\n", "by name Hilo &lt;/script&gt;&lt;b&gt;\\'&amp;\n",
               "by name down Ōf", "latest late\n", "last never\n", "UTC+9\n",
               "layers Largest elevation|Arrival of 1 cm|", "images 1\n", "labels true\n",
               "time 20 min 00 s · 11 Mar 15:06 UTC+9\n", "gauges 3\n", "hidden true\n", "wide true\n",
               "bold 0\n", "failed </title>");
}

TEST_MAIN(cli_setup, cli_teardown)
