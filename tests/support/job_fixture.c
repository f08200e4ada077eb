// A job file, the tables it is checked against, and what must be answered: see job_fixture.h. Knows
// io/job/job.h, no model.
#include "tests/support/job_fixture.h"
#include "tests/support/asserts.h"

#include "tests/support/folder.h"

char job_file[80];

const struct job_key job_model_keys[JOB_MODEL_KEYS] = {
    {.path = "domain.latitude",
     .type = JOB_QUANTITY_LIST,
     .unit = "degree",
     .minimum = -90,
     .maximum = 90,
     .help = "south, north"},
    {.path = "domain.file", .type = JOB_STRING, .help = "depths"},
    {.path = "physics.manning_n",
     .type = JOB_NUMBER,
     .default_value = "0.025",
     .minimum = 0,
     .maximum = 1,
     .help = "friction"},
    {.path = "physics.coriolis", .type = JOB_BOOLEAN, .default_value = "true", .help = "rotation"},
    {.path = "physics.wall_depth",
     .type = JOB_QUANTITY,
     .unit = "m",
     .default_value = "10 m",
     .help = "wall"},
    {.path = "physics.ratio", .type = JOB_QUANTITY, .unit = "1", .help = "ratio"},
    {.path = "source.units", .type = JOB_NUMBER_MAP, .help = "unit sources"},
    {.path = "source.faults", .type = JOB_ANY, .help = "faults | file or list"},
    {.path = "output.maxima", .type = JOB_BOOLEAN, .default_value = "false", .help = "maxima"},
    {.path = "output.arrival",
     .type = JOB_QUANTITY_LIST,
     .unit = "m",
     .default_value = "[\"1 cm\", \"10 cm\"]",
     .help = "arrival"},
    {.path = "output.fields.variables",
     .type = JOB_STRING_LIST,
     .default_value = "[\"eta\"]",
     .choices = "eta|u|v",
     .help = "fields of this model"},
    {.path = "output.gauges", .type = JOB_OBJECT, .help = "gauges"},
    {.path = "output.gauges.file", .type = JOB_STRING, .required = true, .help = "list of gauges"},
    {.path = "output.gauges.every",
     .type = JOB_QUANTITY,
     .unit = "s",
     .default_value = "1 min",
     .help = "interval"},
    {.path = "seed", .type = JOB_INTEGER, .default_value = "7", .help = "seed"},
    {.path = "level", .type = JOB_INTEGER, .minimum = 1, .maximum = 8, .help = "level"},
};

struct job_key_table job_tables[2];

int job_setup(void **state)
{
    job_tables[0] = job_shared_keys;
    job_tables[1] = (struct job_key_table){job_model_keys, JOB_MODEL_KEYS};
    status_clear();
    if (folder_make(state) != 0)
        return -1;
    snprintf(job_file, sizeof job_file, "%s", folder_path("job.json"));
    return 0;
}

int job_teardown(void **state)
{
    return folder_remove(state);
}

void write_job_bytes(const char *text, size_t length)
{
    folder_write("job.json", text, length);
}

// In double quotes; free.
static char *quoted(const char *text)
{
    char *copy = owned_take(strdup(text));
    return folder_double_quotes(copy);
}

struct job *read_job(const char *text)
{
    struct job *job = NULL;
    char *json = quoted(text);
    status_clear();
    write_job_bytes(json, strlen(json));
    if (job_read(job_file, &job) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    return own_job(job);
}

struct job *check_job(const char *text)
{
    struct job *job = read_job(text);
    if (job_check(job, job_tables, 2) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    return job;
}

void expect_message(const char *expected)
{
    char *message = quoted(expected);
    size_t length = strlen(job_file);
    assert_int_equal(strncmp(status_message(), job_file, length), 0);
    assert_int_equal(strncmp(status_message() + length, ": ", 2), 0);
    assert_string_equal(status_message() + length + 2, message);
    assert_null(strchr(status_message(), '\n'));
}

void expect_unreadable_bytes(const char *bytes, size_t length, const char *expected)
{
    struct job *job = (struct job *)job_file;
    status_clear();
    write_job_bytes(bytes, length);
    assert_int_equal(job_read(job_file, &job), STATUS_CONFIGURATION);
    assert_null(job);
    expect_message(expected);
}

void expect_unreadable(const char *text, const char *expected)
{
    char *json = quoted(text);
    expect_unreadable_bytes(json, strlen(json), expected);
}

void expect_all_unreadable(const struct job_mistake *rows, size_t count)
{
    for (size_t k = 0; k < count; k++)
        expect_unreadable(rows[k].text, rows[k].expected);
}

void expect_all_refused(const struct job_mistake *rows, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const char *text = rows[k].text;
        struct job *job = read_job(text[0] == '{' ? text : format_text(JOB_BASE ",%s}", text));
        assert_int_equal(job_check(job, job_tables, 2), STATUS_CONFIGURATION);
        expect_message(rows[k].expected);
    }
}
