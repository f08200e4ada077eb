// A source that is streamed during a run, by the whole program: a file many times larger than the
// memory that the job allows; one that breaks off in mid-stream; what run.json states about it. With the
// argument "cuda" on a GPU.
#include "tests/support/bioheat_job.h"
#include "tests/support/cuda_test.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/test.h"

enum { EDGE = 64, RECORDS = 202 };

static const char *backend = "openmp"; // under test

static void set_record(const char *name, size_t record, float value)
{
    int file, variable;
    const size_t at[] = {record, 3, 4, 5};
    NC(nc_open(cli_path(name), NC_WRITE, &file));
    NC(nc_inq_varid(file, "q", &variable));
    NC(nc_put_var1_float(file, variable, at, &value));
    NC(nc_close(file));
}

// The run ends with one line where the record is needed; what was computed until the last checkpoint stays,
// and a resume begins there.
TEST(test_breaks_off_in_mid_stream)
{
    cJSON *job = bioheat_job();
    bioheat_job_write_stream(30, 1);
    cli_save_job(cli_change(job,
                            "source = {'stream': {'file': 'heating.nc', 'variable': 'q'}}; checkpoint = "
                            "{'every_steps': 20}; backend = '%s'",
                            backend));
    set_record("heating.nc", 17, NAN);
    // Record 17 acts from 16 s on, step 80: the checkpoint after step 80 was made.
    cli_assert_error(cli_run("run -q -o out job.json"), DATA, false, "heating.nc",
                     "variable q, record 17 (17 s)", "cell z 3, y 4, x 5", "nan");
    assert_true(cli_exists("out/partial/checkpoint.a"));
    assert_false(cli_exists("out/fields.nc"));
    // From the checkpoint on: the same again, at once.
    cli_assert_error(cli_run("run -q --resume -o out job.json"), DATA, false, "variable q, record 17 (17 s)");
    assert_true(cli_exists("out/partial/checkpoint.a"));
}

// The acceptance of streaming in small: memory for a tenth of the file, every record another one. The same
// bits as from a run that holds all of it, which the limit refuses.
static void write_large(void)
{
    static float values[EDGE * EDGE * EDGE];
    static const char *const names[] = {"time", "z", "y", "x"};
    int file, variable, time, dimensions[4];
    uint32_t random = 1;
    NC(nc_create(cli_path("large.nc"), NC_NETCDF4 | NC_CLOBBER, &file));
    for (int d = 0; d < 4; d++)
        NC(nc_def_dim(file, names[d], d == 0 ? RECORDS : EDGE, &dimensions[d]));
    NC(nc_def_var(file, "time", NC_DOUBLE, 1, dimensions, &time));
    NC(nc_put_att_text(file, time, "units", 1, "s"));
    NC(nc_def_var(file, "q", NC_FLOAT, 4, dimensions, &variable));
    NC(nc_put_att_text(file, variable, "units", 6, "W cm-3"));
    NC(nc_def_var_chunking(file, variable, NC_CHUNKED, (const size_t[]){1, EDGE / 2, EDGE, EDGE}));
    for (size_t r = 0; r < RECORDS; r++) {
        const double time_s = (double)r * 0.3;
        for (size_t k = 0; k < COUNT(values); k++) {
            random = random * 1664525u + 1013904223u;
            values[k] = (float)(random >> 8) * 0x1p-25f - 0.1f;
        }
        NC(nc_put_vara_float(file, variable, (size_t[]){r, 0, 0, 0}, (size_t[]){1, EDGE, EDGE, EDGE},
                             values));
        NC(nc_put_var1_double(file, time, &r, &time_s));
    }
    NC(nc_close(file));
}

// What the program itself may need, by the plan of job.json: not the run's business. As another start may see
// it.
static double program_bytes(void)
{
    double bytes = 8 << 20;
    cJSON *plan = cli_output_json(cli_do("plan --json job.json"));
    const cJSON *array;
    cJSON_ArrayForEach(array, cJSON_GetObjectItem(plan, "arrays"))
    {
        if (strcmp(cli_text(array, "kind"), "program") == 0)
            bytes += cli_json_number(array, "bytes");
    }
    return bytes;
}

TEST(test_ten_times_the_memory)
{
    cJSON *job =
        cli_json("{'fathom': 1, 'model': 'bioheat', 'backend': 'openmp', 'precision': 'single','domain': "
                 "{'uniform': {'density': '1000 kg m-3', 'specific_heat': '3600 J kg-1 K-1','conductivity': "
                 "'0.5 W m-1 K-1', 'cells': {'x': 64, 'y': 64, 'z': 64}, 'spacing': '1 mm'},'faces': {'all': "
                 "{'kind': 'insulated'}}},'time': {'duration': '60.2 s', 'step': '0.2 s'}, 'checkpoint': "
                 "{'every_steps': 90},'source': {'stream': {'file': 'large.nc', 'variable': 'q'}},'output': "
                 "{'directory': 'streamed', 'fields': {'every': '11.6 s', 'variables': ['temperature'], 'z': "
                 "['30 mm', '33 mm']}, 'diagnostics': {'every': '1 s'},'maxima': false}}");
    write_large();
    cli_save_job(cli_change(job, "backend = '%s'", backend));
    cli_run_job(cli_change(job, "memory.host = '%.0f byte'", 21e6 + program_bytes()));
    assert_true(cli_run_number("streamed", "source.stream.bytes_read") >= 10 * 21e6);
    if (strcmp(backend, "cuda") != 0) // with a device's memory, which the limit is not for
        assert_true(cli_run_number("streamed", "memory.planned_bytes") <= 21e6);
    assert_true(cli_run_number("streamed", "source.stream.layers_read") == RECORDS);
    assert_true(cli_run_number("streamed", "source.stream.stall_s") >= 0);
    cli_write_job(cli_change(job, "source.stream.in_memory = true; output.directory = 'held'"), "held.json");
    cli_assert_error(cli_run("run -q held.json"), SYSTEM, false, "source stream, all of it");
    cli_write_job(cli_change(job, "memory = {'host': '1 GB'}"), "held.json");
    cli_do("run -q held.json");
    cli_assert_same_results("held", "streamed");
}

static int begin(int argc, char **argv)
{
    if (!wants_cuda(argc, argv))
        return 0;
    backend = "cuda";
    return has_cuda() ? 0 : EXIT_SKIPPED;
}

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown, .begin = begin);
