// Memory is worked out before a run and never grows: from the seal to the last file no thread but the I/O
// thread may ask for any. Whole runs in this process, with the C library's allocators replaced by ones that
// keep count.
//
// The I/O thread is exempt, for netCDF-C allocates; what it holds is measured against the ceiling in the
// plan.
#include "cli/commands.h"
#include "core/memory_plan.h"
#include "io/netcdf/netcdf.h"
#include "tests/fault/allocation_books.h"
#include "tests/support/bioheat_job.h"
#include "tests/support/cuda_test.h"
#include "tests/support/gas_job.h"
#include "tests/support/ising_job.h"
#include "tests/support/test.h"

#include <fcntl.h>
#include <getopt.h>
#include <omp.h>
#include <pthread.h>
#include <sys/mman.h>

#ifdef FATHOM_TEST_HAS_CUDA
#include <cuda_runtime_api.h>
#endif

// ---- the counters count

static void *volatile kept; // so that no compiler leaves the pair of malloc and free out

static void seal_of(struct memory_plan *plan, void **pointer)
{
    memory_plan_begin(plan);
    assert_int_equal(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, 1, pointer, "array"), STATUS_OK);
    assert_int_equal(memory_plan_reserve(plan, SIZE_MAX, SIZE_MAX), STATUS_OK);
    reset_books();
    memory_plan_seal(plan);
}

static void skip_unless_counting(void)
{
    if (IS_COUNTING)
        return;
    skip_because("allocations cannot be counted under a sanitizer");
}

TEST(test_each_way_to_allocate_is_counted)
{
    skip_unless_counting();
    struct memory_plan plan;
    void *pointer, *aligned = NULL;
    seal_of(&plan, &pointer);
    long counts[8];
    kept = malloc(100);
    counts[0] = atomic_load(&forbidden_count);
    kept = realloc(kept, 100000);
    counts[1] = atomic_load(&forbidden_count);
    free(kept);
    kept = calloc(3, 5);
    free(kept);
    counts[2] = atomic_load(&forbidden_count);
    const int error = posix_memalign(&aligned, 64, 640);
    kept = aligned;
    free(aligned);
    counts[3] = atomic_load(&forbidden_count);
    kept = aligned_alloc(64, 640);
    free(kept);
    counts[4] = atomic_load(&forbidden_count);
    void *const mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    counts[5] = atomic_load(&forbidden_count);
    kept = strdup("from inside the C library");
    counts[6] = atomic_load(&forbidden_count);
    free(kept);
    counts[7] = atomic_load(&forbidden_count); // free is none
    const size_t first = atomic_load(&forbidden_bytes);
    memory_plan_release(&plan);
    munmap(mapped, 4096);
    assert_int_equal(error, 0);
    for (int k = 0; k < 7; k++)
        assert_int_equal(counts[k], k + 1);
    assert_int_equal(counts[7], 7);
    assert_int_equal(first, 100);
    kept = malloc(10); // not sealed any more
    free(kept);
    assert_int_equal(atomic_load(&forbidden_count), 7);
}

static void *allocate_much(void *argument)
{
    memory_thread_may_allocate = *(const bool *)argument;
    kept = malloc(100000);
    free(kept);
    kept = malloc(40000);
    free(kept);
    return NULL;
}

TEST(test_only_the_exempt_thread_is_exempt)
{
    skip_unless_counting();
    struct memory_plan plan;
    void *pointer;
    for (int may = 0; may < 2; may++) {
        const bool argument = may;
        pthread_t thread;
        seal_of(&plan, &pointer);
        // Making a thread allocates by itself; what matters comes after it.
        const int error = pthread_create(&thread, NULL, allocate_much, (void *)&argument);
        pthread_join(thread, NULL);
        const long forbidden = atomic_load(&forbidden_count), exempt = atomic_load(&exempt_count);
        memory_plan_release(&plan);
        assert_int_equal(error, 0);
        if (may) {
            assert_int_equal(exempt, 2);
            assert_in_range(atomic_load(&peak_bytes), 100000, 101000); // one after the other
        } else {
            assert_true(forbidden >= 2);
            assert_int_equal(exempt, 0);
        }
    }
}

#ifdef FATHOM_TEST_HAS_CUDA
CUDA_TEST(test_device_memory_is_counted)
{
    struct memory_plan plan;
    void *pointer, *block[2] = {NULL};
    reset_books();
    assert_int_equal(cudaMalloc(&block[0], 100), cudaSuccess);
    assert_int_equal(cudaFree(block[0]), cudaSuccess);
    assert_int_equal(atomic_load(&device_count), 1);
    seal_of(&plan, &pointer); // begins the books anew
    const cudaError_t errors[2] = {cudaMalloc(&block[0], 100), cudaMallocHost(&block[1], 100)};
    const long early = atomic_load(&device_count), late = atomic_load(&device_late_count);
    memory_plan_release(&plan);
    assert_true(errors[0] == cudaSuccess && errors[1] == cudaSuccess);
    assert_int_equal(cudaFree(block[0]), cudaSuccess);
    assert_int_equal(cudaFreeHost(block[1]), cudaSuccess);
    assert_int_equal(early, 0);
    assert_int_equal(late, 2);
}
#endif

// ---- whole runs

// A million nodes instead of 1200, in as many steps: a map or an array of records has some MB.
static void make_fine(cJSON *job)
{
    cli_change(job, "domain.spacing = '0.5 arcmin'; time = {'duration': '2 min', 'step': '2 s'}; "
                    "output.fields.every = '1 min'");
}

// A grid in the sea, one for run-up in that, with eddies and dispersion, and one beside: other steps, other
// methods, edges that are handed on.
static void add_nested(cJSON *job)
{
    cli_change(job,
               "nested = {'harbour': {'parent': 'coast', 'method': 'muscl-hancock', 'physics': "
               "{'dispersion': true, 'eddy_viscosity': {'type': 'smagorinsky'}}, 'domain': {'bathymetry': "
               "{'file': 'sea.nc'}, 'longitude': ['143.5 "
               "degree', '144.5 degree'], 'latitude': ['33 degree', '34 degree'], 'spacing': '1.5 "
               "arcmin'}},'coast': {'domain': {'bathymetry': {'file': 'sea.nc'}, 'longitude': ['143 degree', "
               "'146 degree'], 'latitude': ['32 degree', '35 degree'], 'spacing': '5 arcmin'}},'beside': "
               "{'method': 'vtcs2', 'domain': {'bathymetry': {'file': 'sea.nc'}, 'longitude': ['147 degree', "
               "'149 degree'], 'latitude': ['31 degree', '34 degree'], 'spacing': '10 arcmin'}}}");
}

enum fineness { COARSE, FINE, NESTED };

// Runs "job.json" in this process, and inspects what it left in `directory`.
static void run_job_and_count(const char *directory, int checkpoints)
{
    char *arguments[] = {"run", "-q", format_text("%s", cli_path("job.json")), NULL};
    optind = 0; // getopt anew
    status_clear();
    reset_books();
    assert_int_equal(command_run(3, arguments), 0);
    assert_true(atomic_load(&exempt_count) > 0); // the seal was there, and the counters at work
    const double ceiling = cli_run_number(directory, "memory.library_ceiling_bytes");
    if ((double)atomic_load(&peak_bytes) > ceiling)
        fail_msg("%s: the I/O thread held %lld bytes, the plan's ceiling is %.0f", directory,
                 atomic_load(&peak_bytes), ceiling);
    assert_true(cli_run_number(directory, "memory.planned_bytes") ==
                cli_run_number(directory, "memory.used_bytes"));
    assert_true(cli_run_number(directory, "pipeline.checkpoints") == checkpoints);
    assert_true(cli_run_number(directory, "reference_check.steps") == 6);
}

static void run_and_count(const char *backend, const char *precision, const char *method,
                          enum fineness fineness)
{
    cJSON *job = cli_sea_job();
    if (fineness == FINE)
        make_fine(job);
    if (fineness == NESTED)
        add_nested(job);
    // Fewer steps where there are more grids; four checkpoints in either.
    const int every = fineness == NESTED ? 5 : 13;
    if (fineness == NESTED)
        cli_change(job, "time.duration = '12 min'");
    if (fineness == NESTED && strcmp(method, "c-grid-6") == 0) // which no nested grid can have
        cli_change(job, "nested.coast.method = 'vtcs2-o2'");
    cli_write_gauges("gauges.json");
    cli_write_text("towns.csv", "name,longitude,latitude\nnear,144.4,33.4\nwest,141.2,32\n");
    cli_write_json(
        "zones.geojson",
        "{'type': 'FeatureCollection', 'features': [{'type': 'Feature', 'properties': {'name': "
        "'all'}, 'geometry': {'type': 'Polygon', 'coordinates': [[[140, 30], [149, 30], [149, 37], "
        "[140, 30]]]}}]}");
    cli_change(job,
               "backend = '%s'; precision = '%s'; method = '%s'; output.points.file = 'towns.csv'; "
               "output.zones.file = 'zones.geojson'; output.travel_time = true",
               backend, precision, method);
    char *directory = format_text("%s-%s-%s", backend, precision, method);
    cli_change(job,
               "output.directory = '%s'; physics.manning_n = 0.025; output.gauges = {'file': 'gauges.json', "
               "'every': '1 min'}; output.drawdown = '1 cm'; output.diagnostics = {'every': '2 min'}; "
               "checkpoint.every_steps = %d; check = {'reference_steps': 6, 'tolerance': '1 cm'}; "
               "source.faults.columns = ['longitude', 'latitude', 'depth', 'length', 'width', 'strike', "
               "'dip', 'rake', 'slip', 'start', 'rise']; source.faults.units = ['degree', 'degree', 'km', "
               "'km', 'km', 'degree', 'degree', 'degree', 'm', 's', 's']; source.faults.rows = [[144.5, "
               "33.5, 20, 150, 80, 195, 14, 90, 8, 60, 120]]",
               cli_path(directory), every); // moves after the seal
    if (strcmp(precision, "single") == 0)   // compressed by threads of their own
        cli_change(job, "output.fields.every = '1 min'; output.fields.resolution.elevation = '0.1 mm'");
    cli_save_job(job);
    run_job_and_count(directory, 4);
}

// Heat in tissue: with a source in boxes, or streamed from its file during the run.
static void run_heat_and_count(const char *backend, const char *precision, const char *method,
                               bool is_streamed)
{
    cJSON *job = cli_change(bioheat_job(),
                            "backend = '%s'; precision = '%s'; method = '%s'; time = {'duration': '6 s', "
                            "'step': '0.1 s'}; checkpoint.every_steps = 12; check = {'reference_steps': 6}",
                            backend, precision, method);
    if (is_streamed) {
        bioheat_job_write_stream(20, 1.7);
        cli_change(job, "source = {'stream': {'file': 'heating.nc'}}");
    }
    char *directory = format_text("%s-%s-%s", backend, precision, method);
    cli_save_job(cli_change(job, "output.directory = '%s'", cli_path(directory)));
    run_job_and_count(directory, 4); // after 12, 24, 36 and 48 of 60 steps
}

// Many bodies: with frames, diagnostics and checkpoints of a collapse.
static void run_bodies_and_count(const char *backend, const char *precision, const char *method)
{
    cJSON *job = cli_change(
        cli_json(
            "{'fathom': 1, 'model': 'nbody', 'title': 'memory', 'particles': {'cold-collapse': {'count': "
            "300}}, 'physics': {'softening': 0.1}, 'time': {'duration': 1, 'step': 0.01}, 'output': "
            "{'fields': {'every': 0.2, 'variables': ['position', 'velocity']}, 'diagnostics': {'every': "
            "0.1}}, 'checkpoint': {'every_steps': 30}, 'check': {'reference_steps': 6, 'tolerance': 0.01}}"),
        "backend = '%s'; precision = '%s'; method.name = '%s'", backend, precision, method);
    char *directory = format_text("%s-%s-%s", backend, precision, method);
    cli_save_job(cli_change(job, "output.directory = '%s'", cli_path(directory)));
    run_job_and_count(directory, 3); // after 30, 60 and 90 of 100 steps
}

// A gas: every pair; lists; regions, a thermostat and limiters that add up in between.
static const struct gas_job_system gases[] = {
    {"all-pairs", "{'name': 'log'}", NULL, "\"reflect\"", "{'name': 'all-pairs'}"},
    {"lists", "{'name': 'lennard-jones'}", "{'thermostat': {'name': 'langevin', 'temperature': 1}}",
     "\"periodic\"", "{'name': 'cells'}"},
    {"regions", "{'name': 'condensing', 'cut_off': 1.6, 'attraction': 0.05, 'attraction2': 2}",
     "{'thermostat': {'name': 'bussi', 'temperature': 1, 'relaxation_time': 0.1}}", "\"reflect\"",
     "{'name': 'cells', 'regions': {'columns': 9, 'rows': 9}}"},
};
enum { GASES = COUNT(gases) };

static void run_gas_and_count(const char *backend, const char *precision, const struct gas_job_system *system)
{
    cJSON *job = gas_job();
    gas_job_set(job, system);
    cli_change(job,
               "backend = '%s'; precision = '%s'; checkpoint = {'every_steps': 10}; check = "
               "{'reference_steps': 6, 'tolerance': 0.01}",
               backend, precision);
    char *directory = format_text("%s-%s-%s", backend, precision, system->name);
    cli_save_job(cli_change(job, "output.directory = '%s'", cli_path(directory)));
    run_job_and_count(directory, 3); // after 10, 20 and 30 of 32 steps
}

// Spins at two temperatures, each from its start: all kinds of result.
static void run_spins_and_count(const char *backend, const char *method)
{
    cJSON *job = cli_change(
        ising_job(),
        "backend = '%s'; method.name = '%s'; lattice.replicas = 2; temperatures.order = 'independent'; "
        "analysis.reweighting = {'points': 5}; output.configurations = {'every': 50}; output.correlations = "
        "{'every': 20}; checkpoint = {'every_steps': 300}; check = {'reference_steps': 6}",
        backend, method);
    char *directory = format_text("%s-%s", backend, method);
    cli_save_job(cli_change(job, "output.directory = '%s'", cli_path(directory)));
    run_job_and_count(directory, 2); // after 300 and 600 of 800 sweeps
}

static const char *const spin_methods[] = {"metropolis", "heat-bath", "wolff", "swendsen-wang"};

static const char *const heat_methods[] = {"euler", "euler-in-place", "three-colour", "source-three-colour",
                                           "rkl2"};

static const char *const backends[] = {"openmp", "reference"}, *const precisions[] = {"single", "double"},
                         *const methods[] = {"vtcs2", "vtcs2-o2", "c-grid-6"};

TEST(test_no_allocation_after_the_seal)
{
    skip_unless_counting();
    for (int k = 0; k < 12; k++) {
        // The team of threads outlives a run: each gets one more, so that each has some to make before its
        // seal.
        omp_set_num_threads(k + 2);
        run_and_count(backends[k & 1], precisions[k >> 1 & 1], methods[k >> 2], COARSE);
        if (atomic_load(&forbidden_count) != 0)
            fail_msg("%s %s %s: %ld allocations after the seal, the first of %zu bytes", backends[k & 1],
                     precisions[k >> 1 & 1], methods[k >> 2], atomic_load(&forbidden_count),
                     atomic_load(&forbidden_bytes));
    }
}

TEST(test_heat_allocates_nothing_either)
{
    skip_unless_counting();
    for (int k = 0; k < 10; k++) { // each method in one precision, in turn
        const char *backend = backends[k & 1], *method = heat_methods[k >> 1];
        omp_set_num_threads(k == 0 ? 1 : k + 2);
        run_heat_and_count(backend, precisions[k >> 1 & 1], method, k < 4);
        if (atomic_load(&forbidden_count) != 0)
            fail_msg("heat, %s %s: %ld allocations after the seal, the first of %zu bytes", backend, method,
                     atomic_load(&forbidden_count), atomic_load(&forbidden_bytes));
    }
}

TEST(test_bodies_allocate_nothing_either)
{
    static const char *const body_methods[] = {"direct", "barnes-hut"};
    skip_unless_counting();
    for (int k = 0; k < 10; k++) {
        const char *backend = backends[k & 1], *method = body_methods[k >> 2 & 1];
        omp_set_num_threads(k < 8 ? k + 2 : 1);
        run_bodies_and_count(backend, precisions[k >> 1 & 1], method);
        if (atomic_load(&forbidden_count) != 0)
            fail_msg("nbody, %s %s %s: %ld allocations after the seal, the first of %zu bytes", backend,
                     precisions[k >> 1 & 1], method, atomic_load(&forbidden_count),
                     atomic_load(&forbidden_bytes));
    }
}

TEST(test_a_gas_allocates_nothing_either)
{
    skip_unless_counting();
    for (int k = 0; k < 4 * GASES; k++) {
        const char *backend = backends[k & 1];
        omp_set_num_threads(k % 3 + 1);
        run_gas_and_count(backend, precisions[k >> 1 & 1], &gases[k >> 2]);
        if (atomic_load(&forbidden_count) != 0)
            fail_msg("gas, %s %s %s: %ld allocations after the seal, the first of %zu bytes", backend,
                     precisions[k >> 1 & 1], gases[k >> 2].name, atomic_load(&forbidden_count),
                     atomic_load(&forbidden_bytes));
    }
}

TEST(test_spins_allocate_nothing_either)
{
    skip_unless_counting();
    for (int k = 0; k < 8; k++) {
        const char *backend = backends[k & 1], *method = spin_methods[k >> 1];
        omp_set_num_threads(k % 3 + 1);
        run_spins_and_count(backend, method);
        if (atomic_load(&forbidden_count) != 0)
            fail_msg("ising, %s %s: %ld allocations after the seal, the first of %zu bytes", backend, method,
                     atomic_load(&forbidden_count), atomic_load(&forbidden_bytes));
    }
}

static const char *const outermosts[] = {"vtcs2-o2", "muscl-hancock", "c-grid-6"};

TEST(test_nested_grids_allocate_nothing_either)
{
    skip_unless_counting();
    for (int k = 0; k < 6; k++) {
        const char *outermost = outermosts[k >> 1];
        omp_set_num_threads(k + 2);
        run_and_count(backends[k & 1], precisions[k >> 1 & 1], outermost, NESTED);
        if (atomic_load(&forbidden_count) != 0)
            fail_msg("%s %s, nested: %ld allocations after the seal, the first of %zu bytes", backends[k & 1],
                     outermost, atomic_load(&forbidden_count), atomic_load(&forbidden_bytes));
    }
}

// GNU's OpenMP allocates and frees a team of one at every parallel region: one thread must go without.
TEST(test_one_thread_allocates_nothing_either)
{
    skip_unless_counting();
    omp_set_num_threads(1);
    for (int k = 0; k < 2; k++) {
        run_and_count(backends[k], "single", "vtcs2-o2", COARSE);
        assert_int_equal(atomic_load(&forbidden_peak_bytes), 0);
    }
}

// At a time: the driver's event thread replaces a small block each time it looks, so their sum grows with the
// time that a run takes, and reports nothing.
enum { DRIVER_TRIFLE_BYTES = 4096 };

// On the GPU the CUDA runtime and the driver are held to it as well: what they allocate at the first use of
// a kernel, a copy or an event must have happened before the seal.
static void expect_nothing_on_device(const char *model, const char *precision, const char *method)
{
    if (atomic_load(&forbidden_count) != 0)
        fail_msg("%s, cuda %s %s: %ld allocations after the seal, the first of %zu bytes", model, precision,
                 method, atomic_load(&forbidden_count), atomic_load(&forbidden_bytes));
    print_message(
        "%s, cuda %s %s: none; the driver's own threads %ld, %lld bytes, %lld at a time, %lld at the end\n",
        model, precision, method, atomic_load(&driver_count), atomic_load(&driver_bytes),
        atomic_load(&driver_peak_bytes), atomic_load(&driver_held_bytes));
    assert_true(atomic_load(&driver_peak_bytes) <= DRIVER_TRIFLE_BYTES);
    assert_true(atomic_load(&device_count) >= 2); // device memory and pinned memory
    assert_int_equal(atomic_load(&device_late_count), 0);
}

static void run_on_device(const char *precision, const char *method, enum fineness fineness)
{
    run_and_count("cuda", precision, method, fineness);
    expect_nothing_on_device("tsunami", precision, method);
}

CUDA_TEST(test_cuda_allocates_nothing_either)
{
    skip_unless_counting();
    for (int k = 0; k < 6; k++)
        run_on_device(precisions[k & 1], methods[k >> 1], COARSE);
}

// The driver copies a few kB to and from ordinary memory in one way and some MB in another.
CUDA_TEST(test_large_copies_allocate_nothing_either)
{
    skip_unless_counting();
    size_t count;
    for (int k = 0; k < 2; k++)
        run_on_device(precisions[k], "vtcs2", FINE);
    (void)cli_read_variable("cuda-single-vtcs2/maxima.nc", "max_eta", &count, NULL);
    assert_true(count * sizeof(float) > 2 << 20); // so much for an array of records
}

CUDA_TEST(test_nested_grids_on_cuda_allocate_nothing_either)
{
    skip_unless_counting();
    for (int k = 0; k < 6; k++)
        run_on_device(precisions[k & 1], outermosts[k >> 1], NESTED);
}

CUDA_TEST(test_heat_on_cuda_allocates_nothing_either)
{
    skip_unless_counting();
    for (int k = 0; k < 8; k++) {
        run_heat_and_count("cuda", precisions[k & 1], heat_methods[k >> 1], k < 4);
        expect_nothing_on_device("heat", precisions[k & 1], heat_methods[k >> 1]);
    }
}

CUDA_TEST(test_bodies_on_cuda_allocate_nothing_either)
{
    static const char *const body_methods[] = {"direct", "direct-tiled", "direct-naive", "barnes-hut"};
    skip_unless_counting();
    for (int k = 0; k < 8; k++) {
        run_bodies_and_count("cuda", precisions[k & 1], body_methods[k >> 1]);
        expect_nothing_on_device("nbody", precisions[k & 1], body_methods[k >> 1]);
    }
}

CUDA_TEST(test_a_gas_on_cuda_allocates_nothing_either)
{
    skip_unless_counting();
    for (int k = 0; k < 2 * GASES; k++) {
        run_gas_and_count("cuda", precisions[k & 1], &gases[k >> 1]);
        expect_nothing_on_device("gas", precisions[k & 1], gases[k >> 1].name);
    }
}

CUDA_TEST(test_spins_on_cuda_allocate_nothing_either)
{
    skip_unless_counting();
    for (int k = 0; k < 4; k++) {
        run_spins_and_count("cuda", spin_methods[k]);
        expect_nothing_on_device("ising", "spins", spin_methods[k]);
    }
}

static int begin(int argc, char **argv)
{
    netcdf_prepare_thread(); // this one writes inputs
    if (!wants_cuda(argc, argv))
        return 0;
    return cuda_begin(argc, argv);
}

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown, .begin = begin);
