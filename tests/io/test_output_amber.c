// io/output: trajectories in AMBER's layout: what the files hold, segments, resuming, full disks, memory; and
// that other programs open them.
#include "tests/support/test.h"

#include "io/checkpoint.h"
#include "io/output/state.h"
#include "tests/support/folder.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/statuses.h"

#include <malloc.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

enum { ATOMS = 5, FRAMES = 9, RECORD = 2 * 3 * ATOMS };

static const double masses[ATOMS] = {1, 2, 3, 4, 5.5};

static struct stream trajectory(size_t atoms, enum element element)
{
    return (struct stream){
        .name = "trajectory",
        .title = "positions",
        .comment = "of a test",
        .has_records = true,
        .layout = STREAM_AMBER,
        .element = element,
        .records_per_frame = 1,
        .axis_count = 2,
        .axes = {{.name = "atom", .length = atoms}, {.name = "spatial", .length = 3}},
        .variable_count = 2,
        .variables =
            {{.name = "coordinates", .long_name = "position", .units = "angstrom", .rank = 2, .axes = {0, 1}},
             {.name = "velocities",
              .long_name = "velocity",
              .units = "angstrom/picosecond",
              .rank = 2,
              .axes = {0, 1}}},
        .time_scale = {"1", 1},
        .scales = {{"1", 1}, {"1", 1}},
        .constant_count = 1,
        .constants = {{.name = "mass", .long_name = "mass", .units = "kg", .axis = 0, .values = masses}}};
}

static struct stream stream;
static const struct stream *const streams[1] = {&stream};

static struct output_request request_to(const char *directory)
{
    return (struct output_request){.directory = directory,
                                   .streams = streams,
                                   .stream_count = 1,
                                   .title = "Test",
                                   .source = "Fathom 0.1.0",
                                   .history = "now fathom run test.json",
                                   .time_units = "1",
                                   .join = true};
}

static float value_of(size_t frame, size_t element)
{
    return (float)frame * 0.37f + (float)element * 1.25f - 3;
}

static double time_of(size_t frame)
{
    return 0.1 * (double)frame;
}

static enum status write_frame(struct sink *sink, size_t frame)
{
    float data[RECORD];
    double time = time_of(frame);
    for (size_t i = 0; i < RECORD; i++)
        data[i] = value_of(frame, i);
    return sink->write(sink->context, &(struct frame){.records = 1, .times_s = &time, .data = data});
}

static void open_sink(const struct output_request *request, struct sink *sink)
{
    if (output_open(request, sink) != STATUS_OK)
        fail_msg("open: %s", status_message());
}

static double state_array[1];
static const struct checkpoint_array state_arrays[1] = {{"state", state_array, sizeof state_array}};

static enum status save(struct sink *sink, int64_t step)
{
    struct checkpoint_header header = {.step = step, .version = "0.1.0"};
    return sink->checkpoint(sink->context, &header, state_arrays, 1);
}

static void finish(struct sink *sink)
{
    if (sink->finish(sink->context) != STATUS_OK)
        fail_msg("finish: %s", status_message());
    output_close(sink);
}

static void run_whole(const char *name)
{
    struct sink sink;
    const struct output_request request = request_to(folder_path("%s", name));
    open_sink(&request, &sink);
    for (size_t frame = 0; frame < FRAMES; frame++)
        assert_ok(write_frame(&sink, frame));
    finish(&sink);
}

static const char *text_of(int file, int variable, const char *name)
{
    static char text[256];
    size_t length;
    NC(nc_inq_attlen(file, variable, name, &length));
    assert_true(length < sizeof text);
    NC(nc_get_att_text(file, variable, name, text));
    text[length] = '\0';
    return text;
}

// Frames first … first + count − 1, bit for bit.
static void assert_frames(const char *path, size_t first, size_t count)
{
    int file, dimension, time, coordinates, velocities;
    size_t frames;
    NC(nc_open(path, NC_NOWRITE, &file));
    NC(nc_inq_unlimdim(file, &dimension));
    NC(nc_inq_dimlen(file, dimension, &frames));
    assert_int_equal(frames, count);
    NC(nc_inq_varid(file, "time", &time));
    NC(nc_inq_varid(file, "coordinates", &coordinates));
    NC(nc_inq_varid(file, "velocities", &velocities));
    for (size_t frame = 0; frame < count; frame++) {
        float data[RECORD];
        double at;
        const size_t start[3] = {frame, 0, 0}, counts[3] = {1, ATOMS, 3};
        NC(nc_get_var1_double(file, time, &frame, &at));
        assert_true(at == time_of(first + frame));
        NC(nc_get_vara_float(file, coordinates, start, counts, data));
        NC(nc_get_vara_float(file, velocities, start, counts, data + RECORD / 2));
        for (size_t i = 0; i < RECORD; i++)
            assert_true(data[i] == value_of(first + frame, i));
    }
    NC(nc_close(file));
}

// ---- the layout

TEST(test_the_file_follows_the_convention)
{
    run_whole("whole");
    const char *path = folder_path("whole/trajectory.nc");
    int file, format, id, rank, dims[3];
    nc_type type;
    NC(nc_open(path, NC_NOWRITE, &file));
    NC(nc_inq_format(file, &format));
    assert_int_equal(format, NC_FORMAT_64BIT_OFFSET);
    assert_string_equal(text_of(file, NC_GLOBAL, "Conventions"), "AMBER");
    assert_string_equal(text_of(file, NC_GLOBAL, "ConventionVersion"), "1.0");
    assert_string_equal(text_of(file, NC_GLOBAL, "program"), "Fathom");
    assert_string_equal(text_of(file, NC_GLOBAL, "programVersion"), "0.1.0");
    assert_string_equal(text_of(file, NC_GLOBAL, "title"), "Test: positions");
    const char *const names[3] = {"frame", "atom", "spatial"};
    const size_t lengths[3] = {FRAMES, ATOMS, 3};
    NC(nc_inq_varid(file, "coordinates", &id));
    NC(nc_inq_var(file, id, NULL, &type, &rank, dims, NULL));
    assert_true(type == NC_FLOAT && rank == 3);
    for (int k = 0; k < 3; k++) {
        char name[NC_MAX_NAME + 1];
        size_t length;
        NC(nc_inq_dim(file, dims[k], name, &length));
        assert_string_equal(name, names[k]);
        assert_int_equal(length, lengths[k]);
    }
    assert_string_equal(text_of(file, id, "units"), "angstrom");
    char letters[4] = "";
    NC(nc_inq_varid(file, "spatial", &id));
    NC(nc_get_var_text(file, id, letters));
    assert_string_equal(letters, "xyz");
    NC(nc_inq_varid(file, "time", &id));
    assert_string_equal(text_of(file, id, "units"), "picosecond");
    assert_string_equal(text_of(file, id, "run_units"), "1");
    assert_int_equal(nc_inq_varid(file, "cell_lengths", &id), NC_ENOTVAR);
    double found[ATOMS];
    NC(nc_inq_varid(file, "mass", &id));
    NC(nc_get_var_double(file, id, found));
    assert_memory_equal(found, masses, sizeof masses);
    NC(nc_close(file));
    assert_frames(path, 0, FRAMES);
}

static double number_of(int file, const char *variable, const char *name)
{
    double number;
    int id;
    NC(nc_inq_varid(file, variable, &id));
    NC(nc_get_att_double(file, id, name, &number));
    return number;
}

TEST(test_periodic_cell)
{
    static const double sides[3] = {3.5, 7, 7};
    memcpy(stream.cell, sides, sizeof sides);
    run_whole("cell");
    int file, id;
    double lengths[FRAMES][3], angles[FRAMES][3];
    char letters[3], names[15];
    NC(nc_open(folder_path("cell/trajectory.nc"), NC_NOWRITE, &file));
    NC(nc_inq_varid(file, "cell_lengths", &id));
    assert_string_equal(text_of(file, id, "units"), "angstrom");
    NC(nc_get_var_double(file, id, lengths[0]));
    NC(nc_inq_varid(file, "cell_angles", &id));
    assert_string_equal(text_of(file, id, "units"), "degree");
    NC(nc_get_var_double(file, id, angles[0]));
    for (size_t k = 0; k < FRAMES; k++) {
        assert_memory_equal(lengths[k], sides, sizeof sides);
        assert_true(angles[k][0] == 90 && angles[k][1] == 90 && angles[k][2] == 90);
    }
    NC(nc_inq_varid(file, "cell_spatial", &id));
    NC(nc_get_var_text(file, id, letters));
    NC(nc_inq_varid(file, "cell_angular", &id));
    NC(nc_get_var_text(file, id, names));
    assert_memory_equal(letters, "abc", 3);
    assert_memory_equal(names, "alphabeta gamma", 15);
    NC(nc_close(file));
    assert_frames(folder_path("cell/trajectory.nc"), 0, FRAMES);
}

// One picosecond of the file stands for 3e7 s: no factor of 2, so that going to and fro would round.
static void set_scales(void)
{
    stream.time_scale = (struct stream_scale){"s", 3e7};
    stream.scales[0] = (struct stream_scale){"m", 1e16};
}

// CDF-2 while every variable's record fits in it: 2³² − 4 bytes.
TEST(test_format_by_size)
{
    const size_t most = (UINT32_MAX - (size_t)3) / 12;
    struct stream large = trajectory(most, ELEMENT_F32);
    assert_int_equal(output_amber_format(&large), NC_64BIT_OFFSET);
    large.axes[0].length = most + 1;
    assert_int_equal(output_amber_format(&large), NC_64BIT_DATA);
    large = trajectory(most / 2, ELEMENT_F64);
    assert_int_equal(output_amber_format(&large), NC_64BIT_OFFSET);
    large.axes[0].length = most / 2 + 1;
    assert_int_equal(output_amber_format(&large), NC_64BIT_DATA);
}

TEST(test_descriptions_that_are_no_trajectory)
{
    struct sink sink;
    const struct output_request request = request_to(folder_path("never"));
    stream.axes[1].length = 2;
    assert_int_equal(output_open(&request, &sink), STATUS_SOFTWARE);
    stream = trajectory(ATOMS, ELEMENT_F32);
    stream.variables[1].rank = 1;
    assert_int_equal(output_open(&request, &sink), STATUS_SOFTWARE);
    stream = trajectory(ATOMS, ELEMENT_F32);
    stream.variables[0].has_missing = true;
    assert_int_equal(output_open(&request, &sink), STATUS_SOFTWARE);
    stream = trajectory(ATOMS, ELEMENT_F32);
    stream.has_records = false;
    assert_int_equal(output_open(&request, &sink), STATUS_SOFTWARE);
    stream = trajectory(ATOMS, ELEMENT_F32);
    stream.scales[1].size = 0;
    assert_int_equal(output_open(&request, &sink), STATUS_SOFTWARE);
}

// ---- segments

TEST(test_segments_are_joined)
{
    struct sink sink;
    const struct output_request request = request_to(folder_path("joined"));
    open_sink(&request, &sink);
    for (size_t frame = 0; frame < FRAMES; frame++) {
        assert_ok(write_frame(&sink, frame));
        if (frame % 4 == 2)
            assert_ok(save(&sink, (int64_t)frame));
    }
    assert_frames(folder_path("joined/partial/trajectory.0001.nc"), 3, 4);
    finish(&sink);
    assert_frames(folder_path("joined/trajectory.nc"), 0, FRAMES);
    run_whole("whole");
    folder_shell("cmp %s %s", folder_path("joined/trajectory.nc"), folder_path("whole/trajectory.nc"));
}

static void assert_resumed(const char *name, size_t from)
{
    char path[PATH_BYTES];
    struct checkpoint_header header;
    struct sink sink;
    struct output_request request = request_to(folder_path("%s", name));
    assert_ok(output_find_checkpoint(request.directory, path));
    assert_ok(checkpoint_read(path, &header, state_arrays, 1));
    assert_int_equal(header.records[0], from);
    request.resume = &header;
    request.resume_path = path;
    open_sink(&request, &sink);
    for (size_t frame = from; frame < FRAMES; frame++)
        assert_ok(write_frame(&sink, frame));
    finish(&sink);
}

static void resume(const char *name, size_t from)
{
    assert_resumed(name, from);
    assert_frames(folder_path("%s/trajectory.nc", name), 0, FRAMES);
}

// Joined from segments and resumed, a run with scales is the same to the last bit.
TEST(test_scales)
{
    set_scales();
    run_whole("whole");
    int file, id;
    double at;
    NC(nc_open(folder_path("whole/trajectory.nc"), NC_NOWRITE, &file));
    assert_true(number_of(file, "time", "run_scale") == 3e7);
    assert_true(number_of(file, "coordinates", "run_scale") == 1e16);
    NC(nc_inq_varid(file, "time", &id));
    assert_string_equal(text_of(file, id, "units"), "picosecond");
    assert_string_equal(text_of(file, id, "run_units"), "s");
    for (size_t frame = 0; frame < FRAMES; frame++) {
        NC(nc_get_var1_double(file, id, &frame, &at));
        assert_true(at == time_of(frame) / 3e7);
    }
    NC(nc_close(file));
    struct sink sink;
    const struct output_request request = request_to(folder_path("parts"));
    open_sink(&request, &sink);
    for (size_t frame = 0; frame < 5; frame++) {
        assert_ok(write_frame(&sink, frame));
        if (frame == 1 || frame == 4)
            assert_ok(save(&sink, (int64_t)frame));
    }
    sink.abandon(sink.context);
    output_close(&sink);
    assert_resumed("parts", 5);
    folder_shell("cmp %s %s", folder_path("parts/trajectory.nc"), folder_path("whole/trajectory.nc"));
}

// What another version left under other scales is refused, not mixed.
TEST(test_segments_of_other_scales)
{
    struct sink sink;
    char path[PATH_BYTES];
    struct checkpoint_header header;
    struct output_request request = request_to(folder_path("mixed"));
    open_sink(&request, &sink);
    assert_ok(write_frame(&sink, 0));
    assert_ok(save(&sink, 1));
    sink.abandon(sink.context);
    output_close(&sink);
    set_scales();
    assert_ok(output_find_checkpoint(request.directory, path));
    assert_ok(checkpoint_read(path, &header, state_arrays, 1));
    request.resume = &header;
    request.resume_path = path;
    assert_failure(output_open(&request, &sink), STATUS_DATA,
                   "trajectory.0000.nc: variable time has the scale 1");
}

// The process dies with a segment open.
TEST(test_resume_after_a_crash)
{
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct sink sink;
        const struct output_request request = request_to(folder_path("crash"));
        bool is_good = output_open(&request, &sink) == STATUS_OK;
        for (size_t frame = 0; frame < 7; frame++) {
            is_good = is_good && write_frame(&sink, frame) == STATUS_OK;
            if (frame == 3)
                is_good = is_good && save(&sink, 3) == STATUS_OK;
        }
        _exit(is_good ? 0 : 1);
    }
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
    resume("crash", 4);
}

// ---- a disk that fills up: netCDF's classic files are written by write(2), which comes here first

static long disk_left = -1; // bytes, when >= 0
static long disk_written;

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    if (descriptor > 2 && disk_left >= 0 && (long)count > disk_left) {
        errno = ENOSPC;
        return -1;
    }
    if (descriptor > 2 && disk_left >= 0)
        disk_left -= (long)count;
    disk_written += descriptor > 2 ? (long)count : 0;
    return syscall(SYS_write, descriptor, bytes, count);
}

TEST(test_full_disk)
{
    disk_written = 0;
    run_whole("whole");
    assert_true(disk_written > FRAMES * RECORD * 4); // else nothing below is proved
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct sink sink;
        const struct output_request request = request_to(folder_path("full"));
        if (output_open(&request, &sink) != STATUS_OK || write_frame(&sink, 0) != STATUS_OK ||
            save(&sink, 1) != STATUS_OK)
            _exit(1);
        disk_left = 100;
        enum status status = STATUS_OK;
        for (size_t frame = 1; frame < FRAMES && status == STATUS_OK; frame++)
            status = write_frame(&sink, frame);
        if (status == STATUS_OK) // small files go to the disk when they are closed
            status = save(&sink, FRAMES);
        const char *message = status_message();
        sink.abandon(sink.context);
        disk_left = -1;
        folder_write_text("message", message);
        _exit(status_exit_code(status));
    }
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code));
    assert_int_equal(WEXITSTATUS(code), status_exit_code(STATUS_IO));
    folder_shell("grep -q 'trajectory.0001.nc: .*no space left on device' %s", folder_path("message"));
    resume("full", 1);
}

// ---- memory

static size_t memory_in_use(void)
{
    struct mallinfo2 information = mallinfo2();
    return information.uordblks + information.hblkhd;
}

TEST(test_memory_is_as_stated)
{
    enum { MANY = 1000000 };
    if (IS_SANITIZED) {
        print_message("skipped: a sanitizer's allocator does not say what is in use\n");
        skip();
    }
    float *data = owned_zeros(6 * (size_t)MANY, sizeof *data);
    double *many_masses = owned_zeros(MANY, sizeof *many_masses);
    stream = trajectory(MANY, ELEMENT_F32);
    stream.constants[0].values = many_masses;
    struct sink sink;
    const struct output_request request = request_to(folder_path("large"));
    const size_t before = memory_in_use();
    size_t most = 0;
    open_sink(&request, &sink);
    for (size_t frame = 0; frame < 4; frame++) {
        double time = time_of(frame);
        assert_ok(sink.write(sink.context, &(struct frame){.records = 1, .times_s = &time, .data = data}));
        const size_t used = memory_in_use() - before;
        most = used > most ? used : most;
        if (frame == 1)
            assert_ok(save(&sink, 1));
    }
    finish(&sink);
    assert_true(most > 0 && most <= output_memory_bytes(&request));
}

// ---- other programs

static const char look[] = "import sys\n"
                           "try:\n"
                           "    import numpy, xarray, netCDF4\n"
                           "except ImportError as missing:\n"
                           "    print(missing); sys.exit(77)\n"
                           "d = xarray.open_dataset(sys.argv[1], decode_times=False)\n"
                           "assert d.coordinates.dims == ('frame', 'atom', 'spatial'), d.coordinates.dims\n"
                           "assert d.coordinates.shape == (9, 5, 3)\n"
                           "assert b''.join(d.spatial.values) == b'xyz'\n"
                           "assert abs(float(d.coordinates[8, 4, 2]) - (8 * 0.37 + 14 * 1.25 - 3)) < 1e-5\n"
                           "assert abs(float(d.time[8]) - 0.8) < 1e-12\n";

// older releases of MDTraj use names that NumPy dropped
static const char look_mdtraj[] = "import sys\n"
                                  "try:\n"
                                  "    import numpy; numpy.int = int; numpy.float = float\n"
                                  "    from mdtraj.formats import NetCDFTrajectoryFile\n"
                                  "except ImportError as missing:\n"
                                  "    print(missing); sys.exit(77)\n"
                                  "with NetCDFTrajectoryFile(sys.argv[1]) as f:\n"
                                  "    xyz, time, lengths, angles = f.read()\n"
                                  "assert xyz.shape == (9, 5, 3), xyz.shape\n"
                                  "assert abs(float(xyz[8, 4, 2]) - (8 * 0.37 + 14 * 1.25 - 3)) < 1e-5\n"
                                  "assert abs(float(time[8]) - 0.8) < 1e-6\n";

static void run_python(const char *program, const char *who)
{
    run_whole("whole");
    folder_write_text("look.py", program);
    const int code = folder_shell_code("/usr/bin/python3 -W ignore %s %s >%s 2>&1", folder_path("look.py"),
                                       folder_path("whole/trajectory.nc"), folder_path("said"));
    if (WIFEXITED(code) && (WEXITSTATUS(code) == 77 || WEXITSTATUS(code) == 127)) {
        print_message("skipped: /usr/bin/python3 has no %s\n", who);
        skip();
    }
    if (code != 0)
        fail_msg("%s: %s", who, folder_read("said", NULL));
}

TEST(test_xarray)
{
    run_python(look, "xarray with netCDF4");
}

TEST(test_mdtraj)
{
    run_python(look_mdtraj, "mdtraj");
}

TEST(test_ncdump)
{
    run_whole("whole");
    if (folder_shell_code("ncdump -k %s >%s 2>/dev/null", folder_path("whole/trajectory.nc"),
                          folder_path("said")) != 0) {
        print_message("skipped: there is no ncdump (package netcdf-bin)\n");
        skip();
    }
    folder_shell("grep -qx '64-bit offset' %s", folder_path("said"));
    folder_shell("ncdump -h %s | grep -q 'float coordinates(frame, atom, spatial)'",
                 folder_path("whole/trajectory.nc"));
}

static int begin(void **state)
{
    stream = trajectory(ATOMS, ELEMENT_F32);
    return 0;
}

static int clean(void **state)
{
    disk_left = -1;
    status_clear();
    folder_clear();
    return 0;
}

TEST_SUITE(.group_setup = folder_make, .group_teardown = folder_remove, .setup = begin, .teardown = clean);
