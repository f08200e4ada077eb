// See model_calls.h.
#include "tests/fuzz/support/model_calls.h"

#include "core/pipeline.h"
#include "io/job/job.h"
#include "models/model.h"

#include <math.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

enum { HOST_BYTES_MAX = 24 << 20, STEPS = 2 };

struct calls {
    const struct model *model;
    struct job *job;
    void *instance;
    struct memory_plan memory;
    struct model_plan plan;
    struct pipeline pipeline;
    struct checkpoint_array arrays[CHECKPOINT_ARRAYS_MAX];
};

// ---- from the file to the plan

static void check_plan(const struct calls *c)
{
    const struct model_plan *plan = &c->plan;
    FUZZ_EXPECT(plan->steps >= 0, "%lld steps planned", (long long)plan->steps);
    FUZZ_EXPECT(isfinite(plan->step_s) && plan->step_s > 0, "a step of %g s planned", plan->step_s);
    FUZZ_EXPECT(isfinite(plan->work_per_step) && plan->work_per_step >= 0, "work %g", plan->work_per_step);
    FUZZ_EXPECT(plan->stream_count >= 0 && plan->stream_count <= RUN_STREAMS_MAX, "%d streams",
                plan->stream_count);
    FUZZ_EXPECT(memory_plan_is_valid(&c->memory), "the memory plan contradicts itself");
    for (int k = 0; k < plan->stream_count; k++)
        FUZZ_EXPECT(plan->schedules[k].every_s >= 0, "stream %d every %g s", k, plan->schedules[k].every_s);
}

static bool read_job(const char *path, struct calls *c)
{
    struct job *again = NULL;
    if (!fuzz_ok(job_read(path, &c->job)))
        return false;
    FUZZ_EXPECT(fuzz_ok(job_read(path, &again)) && job_hash(again) == job_hash(c->job),
                "the job's hash is another again");
    job_free(again);
    c->model = job_model(c->job) ? model_find(job_model(c->job)) : NULL;
    if (!c->model)
        return false;
    const struct job_key_table tables[] = {job_shared_keys, *c->model->keys};
    return fuzz_ok(job_check(c->job, tables, 2));
}

static bool plan_run(struct calls *c)
{
    if (!fuzz_ok(model_create(c->model, c->job, &c->instance)))
        return false;
    memory_plan_begin(&c->memory);
    if (!fuzz_ok(c->model->plan(c->instance, &c->memory, &c->plan)))
        return false;
    check_plan(c);
    const int count = c->model->checkpoint_arrays(c->instance, c->arrays);
    FUZZ_EXPECT(count >= 0 && count <= CHECKPOINT_ARRAYS_MAX, "%d arrays in a checkpoint", count);
    return fuzz_ok(
        pipeline_plan(&c->pipeline, &c->memory, c->plan.streams, c->plan.stream_count, c->arrays, count));
}

// ---- the run

static void run_steps(struct calls *c)
{
    const struct model *model = c->model;
    if (memory_plan_host_bytes(&c->memory) > HOST_BYTES_MAX || c->plan.work_per_step > 2e5)
        return;
    if (!fuzz_ok(memory_plan_reserve(&c->memory, SIZE_MAX, SIZE_MAX)) ||
        !fuzz_ok(model_warm_up(c->instance)) || !fuzz_ok(model->prepare(c->instance)) ||
        !fuzz_ok(model->start(c->instance)))
        return;
    const struct simulation simulation = model_simulation(c->instance);
    if (simulation.begin && !fuzz_ok(simulation.begin(c->instance, NULL, 0)))
        return;
    for (int64_t step = 0; step < STEPS && step < c->plan.steps; step++)
        if (!fuzz_ok(simulation.advance(c->instance, step, 1)) ||
            (simulation.guard && !fuzz_ok(simulation.guard(c->instance, step + 1))))
            return;
}

bool model_calls_make(const char *job_path)
{
    static struct calls c;
    memset(&c, 0, sizeof c);
    const bool is_planned = read_job(job_path, &c) && plan_run(&c);
    if (is_planned)
        run_steps(&c);
    memory_plan_release(&c.memory); // first: the plan holds pointers into the instance
    model_destroy(c.instance);
    job_free(c.job);
    fuzz_files_closed();
    return is_planned;
}

// ---- jobs

#define JOB(model, rest) "{\"fathom\": 1, \"model\": \"" model "\", \"backend\": \"openmp\", " rest "}"
#define OUT              "\"output\": {\"directory\": \"out\"}"

const char *const model_jobs[] = {
    JOB("tsunami",
        "\"domain\": {\"bathymetry\": {\"file\": \"grid.nc\"}}, \"source\": {\"faults\": \"faults.json\"}, "
        "\"time\": {\"duration\": \"10 min\"}, \"output\": {\"directory\": \"out\", \"maxima\": true, "
        "\"gauges\": {\"file\": \"gauges.json\", \"every\": \"1 min\"}}"),
    JOB("tsunami", "\"domain\": {\"bathymetry\": {\"file\": \"grid.nc\"}}, \"source\": {\"displacement\": "
                   "{\"file\": \"lift.nc\"}}, \"time\": {\"duration\": \"10 min\", \"step\": \"5 s\"}, "
                   "\"method\": \"muscl-hancock\", \"output\": {\"directory\": \"out\", \"fields\": "
                   "{\"every\": \"1 min\", \"variables\": [\"eta\"]}, \"arrival\": [\"1 cm\"]}, \"nested\": "
                   "{\"bay\": {\"domain\": {\"bathymetry\": {\"file\": \"bay.nc\"}}}}"),
    JOB("tsunami", "\"domain\": {\"bathymetry\": {\"file\": \"plane.asc\", \"axes\": \"plane\"}}, "
                   "\"source\": {\"edges\": {\"west\": {\"file\": \"wave.txt\", \"time_unit\": \"s\", "
                   "\"eta\": 2, \"eta_unit\": \"m\"}}}, \"time\": {\"duration\": \"60 s\"}, " OUT),
    JOB("bioheat", "\"domain\": {\"labels\": {\"file\": \"head.nc\"}, \"faces\": {\"all\": {\"kind\": "
                   "\"insulated\"}}}, \"tissues\": {\"labels\": {\"1\": \"skin\", \"2\": \"brain\"}, "
                   "\"void\": [0]}, \"initial\": {\"temperature\": \"37 degC\"}, \"dose\": {\"definition\": "
                   "\"kwave\"}, \"source\": {\"stream\": {\"file\": \"heating.nc\", \"variable\": \"q\", "
                   "\"after_end\": \"last\"}}, \"time\": {\"duration\": \"4 s\"}, " OUT),
    JOB("bioheat",
        "\"domain\": {\"uniform\": {\"tissue\": \"liver\", \"cells\": {\"x\": 8, \"y\": 8, \"z\": 8}, "
        "\"spacing\": \"1 mm\"}}, \"initial\": {\"temperature\": \"37 degC\"}, \"dose\": {\"definition\": "
        "\"kwave\"}, \"source\": {\"boxes\": {\"at\": [{\"first\": {\"x\": 3, \"y\": 3, \"z\": 2}, \"last\": "
        "{\"x\": 3, \"y\": 3, \"z\": 4}}], \"times\": [\"0 s\", \"120 s\"], \"values\": [[0.01]], \"units\": "
        "\"W mm-3\", \"after_end\": \"zero\"}}, \"time\": {\"duration\": \"4 s\"}, \"output\": "
        "{\"directory\": \"out\", \"fields\": {\"every\": \"1 s\", \"variables\": [\"temperature\", "
        "\"dose\"]}, \"sensors\": {\"file\": \"sensors.json\", \"every\": \"1 s\"}}"),
    JOB("nbody", "\"particles\": {\"plummer\": {\"count\": 64, \"seed\": 1}}, \"physics\": {\"softening\": "
                 "0.01}, \"time\": {\"duration\": 1, \"step\": 0.01}, \"method\": {\"name\": \"barnes-hut\", "
                 "\"theta\": 0.7}, " OUT),
    JOB("nbody", "\"particles\": {\"file\": {\"file\": \"particles.nc\"}}, \"physics\": {\"softening\": "
                 "0.01}, \"time\": {\"duration\": 1, \"step\": 0.01}, \"precision\": \"double\", " OUT),
    JOB("gas", "\"particles\": {\"lattice\": {\"count\": 64, \"seed\": 1, \"temperature\": 1}}, \"domain\": "
               "{\"density\": 0.5, \"walls\": \"periodic\"}, \"physics\": {\"potential\": {\"name\": "
               "\"lennard-jones\"}, \"thermostat\": {\"name\": \"langevin\", \"temperature\": 1, \"seed\": "
               "2}}, \"time\": {\"duration\": 1, \"step\": 0.01}, \"output\": {\"directory\": \"out\", "
               "\"diagnostics\": {\"every\": 0.2}, \"structure\": {\"every\": 0.5}}"),
    JOB("gas",
        "\"particles\": {\"file\": {\"file\": \"particles.nc\"}}, \"domain\": {\"size\": [10, 10], "
        "\"walls\": \"damped\", \"damping\": 0.2}, \"physics\": {\"potential\": {\"name\": \"condensing\", "
        "\"attraction\": 1e-5, \"attraction2\": 10, \"repulsion\": 250, \"cut_off\": 2, \"smooth\": true}}, "
        "\"method\": {\"name\": \"cells\", \"regions\": {\"columns\": 5, \"rows\": 5, \"near\": 1.5, "
        "\"far\": 3}}, \"time\": {\"duration\": 1, \"step\": 0.001}, " OUT),
    JOB("ising", "\"lattice\": {\"columns\": 8}, \"temperatures\": {\"beta\": [0.4, 0.44]}, \"sweeps\": "
                 "{\"count\": 80, \"every\": 2}, \"output\": {\"directory\": \"out\", \"configurations\": "
                 "{\"every\": 10}, \"correlations\": {\"every\": 10}}"),
    JOB("ising", "\"lattice\": {\"columns\": 8}, \"temperatures\": {\"beta\": [0.44]}, \"start\": {\"kind\": "
                 "\"file\", \"file\": \"spins.nc\"}, \"method\": {\"name\": \"swendsen-wang\"}, \"sweeps\": "
                 "{\"count\": 80}, " OUT),
    NULL};

// ---- input files

struct shape {
    int file, rank, dimensions[4];
    size_t lengths[4];
};

static void nc(int code)
{
    FUZZ_EXPECT(code == NC_NOERR, "an input file cannot be made: %s", nc_strerror(code));
}

static struct shape make_shape(const char *name, int rank, const char *const *names, const size_t *lengths)
{
    struct shape shape = {.rank = rank};
    nc(nc_create(fuzz_path(name), NC_NETCDF4 | NC_CLOBBER, &shape.file));
    for (int k = 0; k < rank; k++) {
        nc(nc_def_dim(shape.file, names[k], lengths[k], &shape.dimensions[k]));
        shape.lengths[k] = lengths[k];
    }
    return shape;
}

static void put_axis(const struct shape *shape, int k, const char *name, const char *units, double first,
                     double step)
{
    int variable;
    nc(nc_def_var(shape->file, name, NC_DOUBLE, 1, &shape->dimensions[k], &variable));
    nc(nc_put_att_text(shape->file, variable, "units", strlen(units), units));
    for (size_t i = 0; i < shape->lengths[k]; i++) {
        const double value = first + step * (double)i;
        nc(nc_put_var1_double(shape->file, variable, &i, &value));
    }
}

// Values k → (k · factor) mod modulus · scale + offset, k over the whole variable.
static void put_field(const struct shape *shape, const char *name, const char *units, nc_type type,
                      const double pattern[4])
{
    static double values[4096];
    size_t count = 1;
    int variable;
    for (int k = 0; k < shape->rank; k++)
        count *= shape->lengths[k];
    for (size_t k = 0; k < count; k++)
        values[k] = fmod((double)k * pattern[0], pattern[1]) * pattern[2] + pattern[3];
    nc(nc_def_var(shape->file, name, type, shape->rank, shape->dimensions, &variable));
    if (units)
        nc(nc_put_att_text(shape->file, variable, "units", strlen(units), units));
    nc(nc_put_var_double(shape->file, variable, values));
}

static void make_grid(const char *name, const char *positive, double first, double step, size_t nodes,
                      const double pattern[4])
{
    static const char *const names[] = {"lat", "lon"};
    const struct shape shape = make_shape(name, 2, names, (const size_t[]){nodes, nodes});
    put_axis(&shape, 0, "lat", "degrees_north", first, step);
    put_axis(&shape, 1, "lon", "degrees_east", first + 140, step);
    put_field(&shape, "z", "m", NC_DOUBLE, pattern);
    int variable;
    nc(nc_inq_varid(shape.file, "z", &variable));
    nc(nc_put_att_text(shape.file, variable, "positive", strlen(positive), positive));
    nc(nc_close(shape.file));
}

static void make_volumes(void)
{
    static const char *const names[] = {"time", "z", "y", "x"};
    static const size_t lengths[] = {3, 6, 6, 6};
    struct shape shape = make_shape("head.nc", 3, names + 1, lengths + 1);
    for (int k = 0; k < 3; k++)
        put_axis(&shape, k, names[k + 1], "mm", 0, 1);
    put_field(&shape, "label", NULL, NC_UBYTE, (const double[]){1, 3, 1, 0});
    nc(nc_close(shape.file));
    shape = make_shape("heating.nc", 4, names, lengths);
    put_axis(&shape, 0, "time", "s", 0, 1);
    for (int k = 1; k < 4; k++)
        put_axis(&shape, k, names[k], "mm", 0, 1);
    put_field(&shape, "q", "W m-3", NC_FLOAT, (const double[]){7, 11, 1e5, 0});
    nc(nc_close(shape.file));
}

static void make_particles(void)
{
    static const char *const particles[] = {"body", "spatial"}, *const spins[] = {"row", "column"};
    struct shape shape = make_shape("particles.nc", 2, particles, (const size_t[]){30, 3});
    put_field(&shape, "position", NULL, NC_DOUBLE, (const double[]){1.37, 8, 1, 1});
    put_field(&shape, "velocity", NULL, NC_DOUBLE, (const double[]){0.7, 2, 1, -1});
    shape.rank = 1;
    put_field(&shape, "mass", NULL, NC_DOUBLE, (const double[]){0, 1, 1, 0.1});
    nc(nc_close(shape.file));
    shape = make_shape("spins.nc", 2, spins, (const size_t[]){8, 8});
    put_field(&shape, "spins", NULL, NC_BYTE, (const double[]){5, 2, 2, -1});
    nc(nc_close(shape.file));
}

static void write_text(const char *name, const char *text)
{
    fuzz_write(name, text, strlen(text));
}

void model_calls_inputs(void)
{
    static bool are_made;
    if (are_made)
        return;
    are_made = true;
    make_grid("grid.nc", "down", 30, 0.25, 12, (const double[]){37, 500, 1, 3000});
    make_grid("bay.nc", "down", 31, 0.05, 12, (const double[]){37, 500, 1, 3000});
    make_grid("lift.nc", "up", 30.5, 0.25, 6, (const double[]){1, 7, 0.1, 0});
    make_volumes();
    make_particles();
    write_text("plane.asc", "ncols 6\nnrows 6\nxllcorner 0\nyllcorner 0\ncellsize 100\n-50 -50 -50 -50 -50 "
                            "-50\n-50 -50 -50 -50 -50 -50\n-50 -50 -40 -40 -50 -50\n-50 -50 -40 -40 -50 "
                            "-50\n-50 -50 -50 -50 -50 -50\n-50 -50 -50 -50 -50 -50\n");
    write_text("wave.txt", "0 0\n10 0.1\n20 0.2\n30 0.1\n60 0\n");
    write_text("faults.json",
               "{\"fathom_faults\": 1, \"reference\": \"centre\", \"columns\": [\"longitude\", \"latitude\", "
               "\"depth\", \"length\", \"width\", \"strike\", \"dip\", \"rake\", \"slip\"], \"units\": "
               "[\"degree\", \"degree\", \"km\", \"km\", \"km\", \"degree\", \"degree\", \"degree\", \"m\"], "
               "\"rows\": [[171.2, 31.2, 20, 50, 25, 193, 14, 90, 5]]}");
    write_text("gauges.json", "{\"fathom_gauges\": 1, \"gauges\": [{\"name\": \"one\", \"longitude\": \"171 "
                              "degree\", \"latitude\": \"31 degree\"}]}");
    write_text("sensors.json", "{\"fathom_sensors\": 1, \"sensors\": [{\"name\": \"focus\", \"x\": \"3 mm\", "
                               "\"y\": \"3 mm\", \"z\": \"3 mm\"}]}");
}
