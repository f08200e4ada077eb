// Parts of a job: what one takes from its parent, what it says itself, and what every mistake in one is
// answered with, with the key's whole path. Messages are compared whole.
#include "tests/support/test.h"

#include "tests/support/folder.h"
#include "tests/support/job_fixture.h"
#include "tests/support/statuses.h"

static const struct job_key part_keys[] = {
    {.path = "domain.latitude", .type = JOB_QUANTITY_LIST, .unit = "degree", .minimum = -90, .maximum = 90},
    {.path = "domain.file", .type = JOB_STRING, .required = true, .help = "depths"},
    {.path = "physics.manning_n", .type = JOB_NUMBER, .default_value = "0.025", .minimum = 0, .maximum = 1},
    {.path = "physics.wall_depth", .type = JOB_QUANTITY, .unit = "m", .default_value = "10 m"},
    {.path = "source.faults", .type = JOB_ANY, .help = "faults"},
    {.path = "output.arrival", .type = JOB_QUANTITY_LIST, .unit = "m"},
    {.path = "output.gauges", .type = JOB_OBJECT, .help = "gauges"},
    {.path = "output.gauges.file", .type = JOB_STRING, .required = true, .help = "list of gauges"},
    {.path = "output.gauges.every", .type = JOB_QUANTITY, .unit = "s", .default_value = "1 min"},
    {.path = "nested",
     .type = JOB_PARTS,
     .choices = "parent|domain|physics|time.step|output.arrival|output.gauges|output.fields",
     .help = "grids"},
    {.path = "nested.NAME.parent", .type = JOB_STRING, .help = "its parent"}};

static const struct job_part_rules rules = {.inherited = "physics|output|time.duration|precision",
                                            .left_out = "output.directory|output.fields.stride"};

static int setup(void **state)
{
    const int code = job_setup(state);
    job_tables[1] = (struct job_key_table){part_keys, COUNT(part_keys)};
    return code;
}

// A job whose nested parts are `parts`; its own output holds gauges and fields.
static struct job *job_with(const char *parts)
{
    static char text[4096];
    snprintf(
        text, sizeof text,
        "{'fathom':1, 'model':'test', 'precision':'double', 'domain':{'file':'ocean.nc', 'latitude':['-60 "
        "degree','60 degree']}, 'physics':{'manning_n':0.01},'time':{'duration':'24 h', 'step':'10 s'}, "
        "'source':{'faults':'f.json'},'output':{'directory':'out', 'arrival':['1 cm','10 cm'], "
        "'gauges':{'file':'dart.json','every':'30 s'},'fields':{'every':'1 h','stride':4}}, 'nested':%s}",
        parts);
    return check_job(text);
}

static struct job *open_part(const struct job *job, size_t index, const struct job *parent)
{
    struct job *part = NULL;
    status_clear();
    assert_ok(job_part_open(job, "nested", index, parent, &rules, &part));
    return own_job(part);
}

static void expect_part_refused(const char *parts, const char *expected)
{
    struct job *job = job_with(parts), *part = job;
    status_clear();
    assert_int_equal(job_part_open(job, "nested", 0, job, &rules, &part), STATUS_CONFIGURATION);
    assert_null(part);
    expect_message(expected);
}

TEST_SUITE(.setup = setup, .teardown = job_teardown);

TEST(parts_are_listed_in_their_order)
{
    struct job *job = job_with("{'b':{'parent':'a-1'}, 'a-1':{}, 'C_2':{}}");
    const char *text;
    assert_int_equal(job_part_count(job, "nested"), 3);
    assert_string_equal(job_part_name(job, "nested", 0), "b");
    assert_string_equal(job_part_name(job, "nested", 2), "C_2");
    assert_int_equal(job_part_text(job, "nested", 0, "parent", &text), STATUS_OK);
    assert_string_equal(text, "a-1");
    assert_int_equal(job_part_text(job, "nested", 1, "parent", &text), STATUS_OK);
    assert_null(text);
    job = check_job(JOB_BASE ", 'domain':{'file':'a'}}");
    assert_false(job_has(job, "nested"));
    assert_int_equal(job_part_count(job, "nested"), 0);
}

TEST(a_part_takes_from_its_parent_what_it_does_not_say)
{
    struct job *job = job_with("{'bay':{'domain':{'file':'bay.nc'}, 'output':{'gauges':{'every':'1 s'}}}}");
    struct job *part = open_part(job, 0, job);
    assert_string_equal(job_path(part), job_file);
    assert_string_equal(job_directory(part), folder_root());
    assert_string_equal(job_string(part, "domain.file"), "bay.nc");
    assert_false(job_has(part, "domain.latitude")); // the domain is its own
    assert_true(job_number(part, "physics.manning_n") == 0.01);
    assert_true(job_quantity(part, "physics.wall_depth") == 10);
    assert_true(job_quantity(part, "time.duration") == 86400);
    assert_true(isnan(job_quantity(part, "time.step"))); // auto again
    assert_string_equal(job_string(part, "precision"), "double");
    assert_int_equal(job_list_length(part, "output.arrival"), 2);
    assert_string_equal(job_string(part, "output.gauges.file"), "dart.json"); // a block is taken key by key
    assert_true(job_quantity(part, "output.gauges.every") == 1);
    assert_true(job_quantity(part, "output.fields.every") == 3600);
    assert_int_equal(job_integer(part, "output.fields.stride"), 1); // left out: the table's default again
    assert_true(job_is_inherited(part, "physics.manning_n"));
    assert_true(job_is_inherited(part, "output.gauges.file"));
    assert_false(job_is_inherited(part, "output.gauges.every"));
    assert_false(job_is_inherited(part, "physics.wall_depth")); // set in neither
    assert_false(job_is_inherited(job, "physics.manning_n"));
}

TEST(a_part_of_a_part_takes_from_that)
{
    struct job *job = job_with(
        "{'bay':{'domain':{'file':'bay.nc'}, 'physics':{'manning_n':0.03},'output':{'arrival':['2 "
        "m']}},'quay':{'parent':'bay', 'domain':{'file':'quay.nc'},'physics':{'wall_depth':'1 m'}}}");
    struct job *bay = open_part(job, 0, job), *quay = open_part(job, 1, bay);
    assert_string_equal(job_string(quay, "parent"), "bay");
    assert_true(job_number(quay, "physics.manning_n") == 0.03);
    assert_true(job_quantity(quay, "physics.wall_depth") == 1);
    assert_true(job_quantity(bay, "physics.wall_depth") == 10);
    assert_int_equal(job_list_length(quay, "output.arrival"), 1);
    assert_true(job_list_quantity(quay, "output.arrival", 0) == 2);
    // A key is named where it stands in the file.
    status_clear();
    assert_int_equal(job_fail(quay, "output.arrival", "too high"), STATUS_CONFIGURATION);
    expect_message("nested.bay.output.arrival: too high");
    status_clear();
    assert_int_equal(job_fail(quay, "output.gauges.file", "not there"), STATUS_CONFIGURATION);
    expect_message("output.gauges.file: not there");
    status_clear();
    assert_int_equal(job_fail(quay, "physics.wall_depth", "too deep"), STATUS_CONFIGURATION);
    expect_message("nested.quay.physics.wall_depth: too deep");
    status_clear();
    assert_int_equal(job_blame(quay, "domain.latitude", FAIL(STATUS_DATA, "no")), STATUS_DATA);
    expect_message("nested.quay.domain.latitude: no");
}

TEST(null_takes_away_what_would_be_inherited)
{
    struct job *job = job_with("{'bay':{'domain':{'file':'bay.nc','latitude':null},'physics':{'manning_n':"
                               "null}, 'output':{'gauges':null, 'fields':{'every':null}}}}");
    struct job *part = open_part(job, 0, job);
    assert_false(job_has(part, "physics.manning_n"));
    assert_true(job_number(part, "physics.manning_n") == 0.025);
    assert_false(job_has(part, "output.gauges"));
    assert_false(job_has(part, "output.fields.every"));
    assert_true(job_has(part, "output.arrival"));
    assert_true(job_has(job, "output.gauges.file")); // the whole job is as it was
}

TEST(every_mistake_names_the_whole_path)
{
    expect_part_refused("{'bay':{'domian':{}}}",
                        "nested.bay.domian: unknown key (did you mean nested.bay.domain?)");
    expect_part_refused("{'bay':{'domain':{'fiel':'a'}}}",
                        "nested.bay.domain.fiel: unknown key (did you mean nested.bay.domain.file?)");
    expect_part_refused("{'bay':{'domain':{'fiel':null}}}", // a slip, even where it says nothing
                        "nested.bay.domain.fiel: unknown key (did you mean nested.bay.domain.file?)");
    expect_part_refused("{'bay':{'xyzzy':1}}",
                        "nested.bay.xyzzy: unknown key (known here: parent, time, output, domain, physics)");
    expect_part_refused("{'bay':{'source':{}}}", "nested.bay.source: belongs to the whole job, at its top "
                                                 "(known here: parent, time, output, domain, physics)");
    expect_part_refused("{'bay':{'time':{'duration':'1 h'}}}",
                        "nested.bay.time.duration: belongs to the whole job, at its top (known here: parent, "
                        "time, output, domain, physics)");
    expect_part_refused("{'bay':{}}", "nested.bay.domain.file: missing; it is required: depths");
    expect_part_refused("{'bay':{'domain':{'file':'a'},'physics':{'manning_n':-1}}}",
                        "nested.bay.physics.manning_n: -1 is out of range: 0 to 1 is expected");
    expect_part_refused(
        "{'bay':{'domain':{'file':'a'},'physics':{'wall_depth':'3 s'}}}",
        "nested.bay.physics.wall_depth: '3 s': s is a time, but a length in m, km or mm is expected");
    expect_part_refused(
        "{'bay':{'domain':{'file':'a','latitude':['1 degree','91 degree']}}}",
        "nested.bay.domain.latitude[1]: 91 degree is out of range: -90 to 90 degree is expected");
    expect_part_refused(
        "{'bay':{'domain':7}}",
        "nested.bay.domain: a number is given; an object {...} is expected, with the keys latitude, file");
    expect_part_refused("{'bay':{'parent':7, 'domain':{'file':'a'}}}",
                        "nested.bay.parent: a number is given; text in double quotes is expected");
}

TEST(parts_need_names)
{
#define NESTED(parts) "'domain': {'file': 'a'}, 'nested': " parts
#define NOT_A_NAME(name)                                                                                     \
    {                                                                                                        \
        NESTED("{'" name "': {}}"),                                                                          \
            "nested: '" name "' is not a name: a letter, then letters, digits, - and _, 24 in all at most"   \
    }
    static const struct job_mistake refused[] = {
        {NESTED("[]"),
         "nested: a list [...] is given; an object of named objects, {'NAME': {...}}, is expected"},
        {NESTED("{'bay': 3}"), "nested: bay: a number is given; an object {...} is expected"},
        NOT_A_NAME("1st"),
        NOT_A_NAME("a b"),
        NOT_A_NAME(""),
        NOT_A_NAME("abcdefghijklmnopqrstuvwxy")};
    EXPECT_REFUSED(refused);
    expect_unreadable(JOB_BASE ", 'nested':{'bay':{}, 'bay':{}}}",
                      "nested.bay: this key appears twice; once is expected");
}

TEST(the_hash_covers_parts)
{
    static const char *const parts[] = {"{'bay':{'domain':{'file':'a'}}}", "{'bay':{'domain':{'file':'b'}}}",
                                        "{'cay':{'domain':{'file':'a'}}}",
                                        "{'bay':{'domain':{'file':'a'},'check':{}}}"};
    uint64_t hashes[COUNT(parts)];
    for (size_t k = 0; k < COUNT(parts); k++) {
        struct job *job = job_with(parts[k]);
        hashes[k] = job_hash(job);
        for (size_t other = 0; other < k; other++)
            assert_true(hashes[k] != hashes[other]);
    }
}

TEST(parts_are_explained)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    assert_int_equal(job_explain(stream, job_tables, 2, &(struct job_explanation){0}), STATUS_OK);
    assert_int_equal(fclose(stream), 0);
    owned_take(text);
    assert_has(text, "\nnested ", "named parts", "\nnested.NAME.parent ");
}
