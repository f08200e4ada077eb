// Every way in which a file of spins can be wrong: one line, the right exit code, the file with the place and
// what was expected; and valid files: a run starts from another's end.
#include "tests/support/ising_job.h"
#include "tests/support/refusals.h"
#include "tests/support/test.h"

enum { COLUMNS = ISING_JOB_COLUMNS, ROWS = ISING_JOB_ROWS, RECORDS = 3, BYTES = (COLUMNS + 7) / 8 };

static cJSON *file_job(void)
{
    return cli_change(ising_job(), "start = {'kind': 'file', 'file': 'spins.nc'}");
}

// What a test changes in a good file of spins +1 and −1.
struct spins_file {
    const char *name; // of the variable
    nc_type type;
    int mode, rank; // 2: (row, column); 3: (time, row, column)
    size_t rows, columns, records;
    size_t index; // in the last record
    double value; // there
    bool is_changed;
    double *values; // of one record, instead of a pattern; or NULL
};

static const struct spins_file good = {.name = "spins",
                                       .type = NC_DOUBLE,
                                       .mode = NC_NETCDF4,
                                       .rank = 2,
                                       .rows = ROWS,
                                       .columns = COLUMNS,
                                       .records = 1};

static void write_spins(const struct spins_file *f)
{
    static double values[1024];
    const size_t count = f->rows * f->columns;
    assert_true(count * f->records <= 1024);
    for (size_t k = 0; k < count * f->records; k++)
        values[k] = f->values ? f->values[k] : k % 5 < 2 ? 1 : -1;
    if (f->is_changed)
        values[count * (f->records - 1) + f->index] = f->value;
    const int file = make_file(cli_path("spins.nc"), f->mode);
    const int d[] = {make_dimension(file, "time", f->records > 0 ? f->records : NC_UNLIMITED),
                     make_dimension(file, "row", f->rows), make_dimension(file, "column", f->columns)};
    const int variable = make_variable(file, f->name, f->type, NULL, f->rank, d + 3 - f->rank);
    if (f->records > 0)
        make_values(file, variable, values);
    NC(nc_close(file));
}

static void expect_file(const struct spins_file *f, int exit_code, const char *fragment)
{
    write_spins(f);
    EXPECT_BAD(file_job(), exit_code, NULL, fragment, "spins.nc");
}

TEST(files_that_cannot_be_read)
{
    write_spins(&good);
    static const struct bad cases[] = {
        BAD_AS(NO_INPUT, "start.file = 'nowhere.nc'", "start.file: ", "nowhere.nc"),
        BAD_AS(DATA, "start.file = 'job.json'", "job.json"),
        BAD("delete start.file", "start.file: is missing: start.kind is file"),
        BAD("start.record = 0", "start.record: ", "spins.nc: variable spins has no records"),
        BAD("start.record = -1", "start.record: -1 is out of range"),
        BAD("start.flie = 'spins.nc'", "start.flie: unknown key (did you mean start.file?)"),
    };
    EXPECT_ALL(file_job, cases);
    for (int k = 0; k < 6; k++) {
        struct spins_file f = good;
        f.mode = k % 2 == 0 ? NC_NETCDF4 : 0;
        write_spins(&f);
        cli_truncate("spins.nc", 0.2 + 0.15 * k);
        EXPECT_BAD(file_job(), DATA, NULL, "spins.nc");
    }
}

TEST(shapes)
{
    struct spins_file f = good;
    f.name = "spin";
    expect_file(&f, DATA, "spins.nc: no spins: a variable spins_packed or spins is expected");
    f = good;
    f.columns = COLUMNS + 2;
    expect_file(
        &f, DATA,
        "variable spins has the shape (8, 14): ([record, ]1 replicas, 8 rows, 12 columns) is expected");
    f = good;
    f.rows = ROWS - 1;
    expect_file(&f, DATA, "variable spins has the shape (7, 12)");
    f = good;
    f.name = "spins_packed";
    expect_file(&f, DATA,
                "variable spins_packed has the shape (8, 12): ([record, ]1 replicas, 8 rows, 2 bytes)");
    f = good;
    f.rank = 1;
    expect_file(&f, DATA, "variable spins has the shape (12)");
    f = good;
    f.rank = 3;
    f.records = 0;
    expect_file(&f, DATA, "variable spins has no records");
    f.records = 2;
    write_spins(&f);
    EXPECT_BAD(file_job(), DATA, "start.record = 2",
               "variable spins: record 2 was asked for, it has 2 (counted from 0)");
    EXPECT_BAD(file_job(), DATA, "lattice.replicas = 2",
               "has the shape (2, 8, 12): ([record, ]2 replicas, 8 rows, 12 columns)");
    // Texts are no spins.
    const int file = make_file(cli_path("spins.nc"), NC_NETCDF4);
    const int d[] = {make_dimension(file, "row", ROWS), make_dimension(file, "column", COLUMNS)};
    (void)make_variable(file, "spins", NC_CHAR, NULL, 2, d);
    NC(nc_close(file));
    EXPECT_BAD(file_job(), DATA, NULL, "variable spins is not numeric; spins are expected");
    write_spins(&f);
    cli_assert_done(run(file_job()));
}

// Found after the start of the run, with its place.
TEST(values)
{
    static const struct {
        double value;
        const char *fragment;
    } cases[] = {{0, "row 3, column 4 (counted from 0): 0: +1 or, as before for down, -1 is expected"},
                 {2, "row 3, column 4 (counted from 0): 2: +1 or, as before for down, -1"},
                 {0.5, "row 3, column 4 (counted from 0): 0.5: "},
                 {NAN, "row 3, column 4 (counted from 0): missing or not a number"},
                 {9.969209968386869e+36, "row 3, column 4 (counted from 0): missing or not a number"},
                 {INFINITY, "row 3, column 4 (counted from 0): inf"}};
    struct spins_file f = good;
    f.is_changed = true;
    f.index = 3 * COLUMNS + 4;
    for (size_t k = 0; k < COUNT(cases); k++) {
        f.value = cases[k].value;
        expect_file(&f, DATA, cases[k].fragment);
    }
    f.index = 0;
    f.value = 3;
    expect_file(&f, DATA, "replica 0, row 0, column 0 (counted from 0): 3: +1 for up, and -1 or 0 for down,");
    f = good;
    f.name = "spins_packed";
    f.columns = BYTES;
    expect_file(&f, DATA, "replica 0, row 1, byte 0 (counted from 0): -1: a byte, 0 to 255, is expected");
}

// Columns up and down in turn, and diagonals two wide: what Metropolis never leaves is seen in a file, too.
TEST(stripes)
{
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        double pattern[ROWS * COLUMNS];
        struct spins_file f = good;
        f.values = pattern;
        for (int k = 0; k < ROWS * COLUMNS; k++)
            pattern[k] = (diagonal ? (k % COLUMNS + k / COLUMNS) / 2 : k) % 2 == 0 ? 1 : -1;
        expect_file(&f, DATA,
                    "replica 0 (counted from 0): each spin has two neighbours up and two down: on a periodic "
                    "lattice method metropolis flips all of them");
        cli_assert_done(run(cli_change(file_job(), "method = {'name': 'heat-bath'}")));
        cli_remove("out");
        pattern[40] *= -1;
        write_spins(&f);
        cli_assert_done(run(file_job()));
        cli_remove("out");
    }
}

// ---- from one run to the next

// The lattices of these runs are larger: with the same random numbers small ones soon forget where they
// began.
enum { SIDE = 32 };

static cJSON *larger_job(void)
{
    return cli_change(ising_job(), "lattice = {'columns': 32}");
}

// The last spins of a run that begins with these; so short that it does not forget them.
static double *run_from(const char *start)
{
    size_t count;
    cJSON *job = larger_job();
    cli_set(job, "start", start);
    cli_assert_done(run(cli_change(
        job,
        "sweeps = {'count': 16, 'thermalisation': 0}; temperatures.beta = 0.6; output.directory = 'next'")));
    double *end = cli_read_variable("next/final.nc", "spins_packed", &count, NULL);
    assert_int_equal(count, SIDE * SIDE / 8);
    return end;
}

// A run whose files are in "out"; so hot that its spins have no common sign.
static void run_to_files(const char *format)
{
    cJSON *job =
        cli_change(larger_job(), "temperatures.beta = [0.1, 0.2]; output.configurations = {'every': 400}");
    cli_set(job, "output.configurations.format", format);
    cli_assert_done(run(job));
}

// The last spins of that run as another would write them.
static void write_as_another(void)
{
    size_t count;
    struct spins_file f = good;
    f.rows = f.columns = SIDE;
    f.values = cli_read_variable("out/final.nc", "spins", &count, NULL);
    assert_int_equal(count, SIDE * SIDE);
    for (size_t k = 0; k < count; k++)
        f.values[k] = 2 * f.values[k] - 1;
    write_spins(&f);
}

// Our own files, eight spins a byte or one, with records or without, and the same spins as another writes
// them: a run that begins with any of them ends with the same spins; one that begins with others does not.
TEST(a_run_starts_from_a_file)
{
    static const struct {
        const char *start;
        bool is_same;
    } starts[] = {{"{'kind': 'file', 'file': 'out/final.nc'}", true},
                  {"{'kind': 'file', 'file': 'out/configurations.nc'}", true},
                  {"{'kind': 'file', 'file': 'out/configurations.nc', 'record': 1}", true},
                  {"{'kind': 'file', 'file': 'out/configurations.nc', 'record': 0}", false},
                  {"{'kind': 'cold'}", false}};
    run_to_files("\"bytes\"");
    write_as_another();
    double *expected = run_from("{'kind': 'file', 'file': 'spins.nc'}");
    for (int format = 0; format < 2; format++) {
        if (format == 1)
            run_to_files("\"packed\"");
        for (size_t k = 0; k < COUNT(starts); k++) {
            double *end = run_from(starts[k].start);
            const bool is_same = memcmp(end, expected, SIDE * SIDE / 8 * sizeof *end) == 0;
            if (is_same != starts[k].is_same)
                fail_msg("format %d: %s: %s", format, starts[k].start, is_same ? "the same" : "another");
        }
    }
}

TEST(another_lattice_than_the_file)
{
    cli_assert_done(run(ising_job()));
    cJSON *job = file_job();
    // 14 columns fill the same two bytes a row as 12.
    cli_assert_error(
        run(cli_change(job, "start.file = 'out/final.nc'; output.directory = 'next'; lattice.columns = 14")),
        DATA, false, "out/final.nc: its lattice has 12 columns: 14 are expected");
}

TEST_MAIN(cli_setup, cli_teardown)
