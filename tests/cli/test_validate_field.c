// The validation's case of Tohoku 2011 with the public records: on a grid that can show the wave it meets the
// criteria, what the source or a coarse grid makes of it is shown and not judged. Skipped where the records
// or the ocean's depths are not there.
#include "tests/support/benchmarks.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

static const char record[] = "tohoku2011/TsunamiData/21418.dat";

static const char *text_of(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
    assert_non_null(text);
    return text;
}

// How many results of the buoy have the verdict.
static int count_results(const cJSON *results, const char *buoy, const char *verdict)
{
    const cJSON *result;
    int count = 0;
    cJSON_ArrayForEach(result, results) count +=
        strncmp(text_of(result, "quantity"), buoy, strlen(buoy)) == 0 &&
        strcmp(text_of(result, "verdict"), verdict) == 0;
    return count;
}

TEST(test_tohoku)
{
    char folder[BENCHMARK_PATH];
    need_benchmark(record, folder);
    folder[strlen(folder) - strlen(record)] = '\0';
    cJSON *report = cli_output_json(cli_do("validate --json --data %s tsunami-field/tohoku2011", folder));
    const cJSON *item = cli_item(report, "cases.0");
    const bool is_skipped = strcmp(text_of(item, "verdict"), "skipped") == 0;
    if (!is_skipped) {
        const cJSON *results = cJSON_GetObjectItem(item, "results");
        assert_int_equal(count_results(results, "21418", "passed"), 2); // height and time
        // The heights on two coarser grids and the time on one of them, the parts of grid and source, and the
        // far field's delay and dispersion.
        assert_int_equal(count_results(results, "21418", "shown"), 7);
        assert_int_equal(count_results(results, "21418, the grid's part", "shown"), 1);
        assert_int_equal(count_results(results, "21418, the source's part", "shown"), 1);
        assert_int_equal(count_results(results, "", "failed"), 0);
    }
    if (is_skipped)
        skip();
}

TEST_MAIN(cli_setup, cli_teardown)
