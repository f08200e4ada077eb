// Jobs: what every mistake in keys and values is answered with, whole messages. Mistakes in the tables
// themselves.
#include "tests/support/test.h"

#include "io/units.h"
#include "tests/support/job_fixture.h"
#include "tests/support/statuses.h"

TEST_SUITE(.setup = job_setup, .teardown = job_teardown, .end = units_release);

TEST(unknown_keys_get_a_suggestion)
{
    static const struct job_mistake refused[] = {
        {"'tiem':{}", "tiem: unknown key (did you mean time?)"},
        {"{'fathom':1,'time':{'duratoin':'24 h'}}",
         "time.duratoin: unknown key (did you mean time.duration?)"},
        {"'Seed':1", "Seed: unknown key (did you mean seed?)"},
        {"'checkpoint':{'evrey':'1 h'}", "checkpoint.evrey: unknown key (did you mean checkpoint.every?)"},
        // at the wrong level
        {"'manning_n':0.1", "manning_n: unknown key (did you mean physics.manning_n?)"},
        {"'physics':{'latitude':[]}", "physics.latitude: unknown key (did you mean domain.latitude?)"},
        // nothing near
        {"'memory':{'zzzzzzzz':1}", "memory.zzzzzzzz: unknown key (known here: host, device)"},
        {"'time.step':'1 s'", "top level: unknown key 'time.step' (keys do not contain points: nest them, "
                              "{'time': {'step': ...}})"},
        {"'physics':{'':1}", "physics: a key without a name"}};
    EXPECT_REFUSED(refused);
    char text[1400] = JOB_BASE ",'";
    size_t length = strlen(text);
    memset(text + length, 'k', 1000);
    strcpy(text + length + 1000, "':1}");
    struct job *job = read_job(text);
    assert_failure(job_check(job, job_tables, 2), STATUS_CONFIGURATION, "kkk...: unknown key");
}

TEST(wrong_types_name_both)
{
    static const struct job_mistake refused[] = {
        {"'title':5", "title: a number is given; text in double quotes is expected"},
        {"'title':null", "title: null is given; text in double quotes is expected"},
        {"'backend':true", "backend: true or false is given; text in double quotes is expected"},
        {"'physics':{'coriolis':1}", "physics.coriolis: a number is given; true or false is expected"},
        {"'physics':{'coriolis':'true'}",
         "physics.coriolis: text is given; true or false, without quotes, is expected"},
        {"'physics':{'manning_n':'0.03'}",
         "physics.manning_n: text is given; a number is expected: write 0.03 without quotes"},
        {"'physics':{'manning_n':'rough'}", "physics.manning_n: text is given; a number is expected"},
        {"'physics':{'wall_depth':['1 m']}",
         "physics.wall_depth: a list [...] is given; text with a number and a unit is expected"},
        {"'physics':5", "physics: a number is given; an object {...} is expected, with the keys manning_n, "
                        "coriolis, wall_depth, ratio"},
        {"{'fathom':1,'output':{'gauges':'dart.json'}}",
         "output.gauges: text is given; an object {...} is expected"},
        {"{'fathom':1,'output':{'fields':{'variables':'eta'}}}",
         "output.fields.variables: text is given; a list of texts, in [...], is expected"},
        {"{'fathom':1,'output':{'fields':{'variables':['eta',5]}}}",
         "output.fields.variables[1]: a number is given; text in double quotes is expected"},
        {"'domain':{'latitude':{}}",
         "domain.latitude: an object {...} is given; a list of texts, as in ['one', 'two'], is expected"},
        {"'source':{'units':[1]}", "source.units: a list [...] is given; an object of names and numbers, as "
                                   "in {'name': 1.5}, is expected"},
        {"'source':{'units':{'acsza1':2,'acszb1':'3 m'}}",
         "source.units.acszb1: text is given; a number is expected"}};
    EXPECT_REFUSED(refused);
}

TEST(quantities_are_checked)
{
#define DURATION(value) "{'fathom':1,'time':{'duration':" value "}}"
    static const struct job_mistake refused[] = {
        {DURATION("24"), "time.duration: 24 has no unit; write '24 s', '24 min' or '24 h'"},
        {DURATION("0.1"), "time.duration: 0.1 has no unit; write '0.1 s', '0.1 min' or '0.1 h'"},
        {DURATION("'24'"), "time.duration: 24 has no unit; write '24 s', '24 min' or '24 h'"},
        {DURATION("'24 m'"), "time.duration: '24 m': m is a length, but a time in s, min or h is expected"},
        {DURATION("'24 huors'"), "time.duration: '24 huors': unknown unit huors (did you mean hours?)"},
        {DURATION("'0 s'"), "time.duration: 0 s is out of range: more than 0 s is expected"},
        {DURATION("'-1 h'"), "time.duration: -1 h is out of range: more than 0 h is expected"},
        {DURATION("'auto'"),
         "time.duration: 'auto' does not begin with a number; write a number and a unit, as in '24 h'"},
        {"'domain':{'latitude':['-60 degree','91 degree']}",
         "domain.latitude[1]: 91 degree is out of range: -90 to 90 degree is expected"},
        {"'domain':{'latitude':[-60]}",
         "domain.latitude[0]: -60 has no unit; write '-60 degree', '-60 arcmin' or '-60 arcsec'"},
        {"{'fathom':1,'time':{'step':'atuo'}}",
         "time.step: 'atuo' is not a quantity with a unit nor one of: auto (did you mean auto?)"},
        {"'physics':{'ratio':'5 m'}",
         "physics.ratio: '5 m': m is a length, but a number without unit is expected"}};
    EXPECT_REFUSED(refused);
}

// A number in units of the run's own, or text with a unit; which of the two the model wants, it says itself.
TEST(reduced_numbers_are_checked)
{
    static const struct job_key keys[] = {
        {.path = "a", .type = JOB_REDUCED, .unit = "m", .minimum = 1e-150, .maximum = INFINITY},
        {.path = "b", .type = JOB_REDUCED, .unit = "s", .minimum = 0, .maximum = 60}};
    const struct job_key_table tables[] = {job_tables[0], {keys, 2}};
    static const struct {
        const char *text, *expected;
    } bad[] = {{JOB_BASE ",'a':-2}", "a: -2 is out of range: more than 0 is expected"},
               {JOB_BASE ",'a':'-2 km'}", "a: -2 km is out of range: more than 0 km is expected"},
               {JOB_BASE ",'b':61}", "b: 61 is out of range: 0 to 60 is expected"},
               {JOB_BASE ",'b':'61 s'}", "b: 61 s is out of range: 0 to 60 s is expected"},
               {JOB_BASE ",'b':'1 m'}", "b: '1 m': m is a length, but a time in s, min or h is expected"},
               {JOB_BASE ",'a':'5'}", "a: 5 has no unit; write '5 m', '5 km' or '5 mm'"},
               {JOB_BASE ",'a':[5]}",
                "a: a list [...] is given; a number, or text with a number and a unit, is expected"}};
    struct job *job = read_job(JOB_BASE ",'a':2.5,'b':'0.5 min'}");
    assert_ok(job_check(job, tables, 2));
    assert_true(job_reduced(job, "a") == 2.5 && job_is_bare(job, "a"));
    assert_true(job_reduced(job, "b") == 30 && !job_is_bare(job, "b"));
    for (size_t k = 0; k < COUNT(bad); k++) {
        job = read_job(bad[k].text);
        assert_int_equal(job_check(job, tables, 2), STATUS_CONFIGURATION);
        expect_message(bad[k].expected);
    }
}

TEST(numbers_and_choices_are_checked)
{
    static const struct job_mistake refused[] = {
        {"'seed':1.5", "seed: 1.5 is given; a whole number is expected"},
        {"'seed':9007199254740993", "seed: 9007199254740992 is too large: whole numbers are exact up to "
                                    "9007199254740991 (2^53 - 1) only"},
        {"'level':9", "level: 9 is out of range: 1 to 8 is expected"},
        {"'level':0", "level: 0 is out of range: 1 to 8 is expected"},
        {"'check':{'reference_steps':-1}",
         "check.reference_steps: -1 is out of range: at least 0 is expected"},
        {"'physics':{'manning_n':-0.1}", "physics.manning_n: -0.1 is out of range: 0 to 1 is expected"},
        {"'backend':'opnmp'",
         "backend: 'opnmp' is not one of: auto, reference, openmp, cuda (did you mean openmp?)"},
        {"'backend':'opencl-gpu'", "backend: 'opencl-gpu' is not one of: auto, reference, openmp, cuda"},
        {"{'fathom':1,'output':{'fields':{'variables':['eta','w']}}}",
         "output.fields.variables[1]: 'w' is not one of: eta, u, v"}};
    EXPECT_REFUSED(refused);
    struct job *job = check_job(JOB_BASE ",'level':8,'seed':1e3}");
    assert_int_equal(job_integer(job, "level"), 8);
    assert_int_equal(job_integer(job, "seed"), 1000);
}

TEST(amounts_of_memory)
{
    static const struct {
        const char *text;
        int64_t bytes;
    } good[] = {
        {"2 GB", 2000000000},        {"512 MiB", 536870912}, {"1.5 TB", 1500000000000}, {" 100 kB ", 100000},
        {"4GiB", 4294967296},        {"1000 B", 1000},       {"1e9 bytes", 1000000000}, {"3 KB", 3000},
        {"1 PiB", 1125899906842624}, {"0.1 kB", 100}};
    for (size_t k = 0; k < COUNT(good); k++) {
        char text[256];
        snprintf(text, sizeof text, JOB_BASE ",'memory':{'host':'%s'}}", good[k].text);
        struct job *job = check_job(text);
        assert_true(job_integer(job, "memory.host") == good[k].bytes);
    }
#define HOST(value) JOB_BASE ",'memory':{'host':" value "}}"
    static const struct job_mistake refused[] = {
        {HOST("2"), "memory.host: 2 has no unit; write for instance '2 GB' or '512 MiB'"},
        {HOST("'2'"), "memory.host: 2 has no unit; write for instance '2 GB' or '512 MiB'"},
        {HOST("'2 Gb'"), "memory.host: unknown unit of memory Gb (did you mean GB?)"},
        {HOST("'2 m'"),
         "memory.host: unknown unit of memory m; kB, MB, GB, TB or KiB, MiB, GiB, TiB are expected"},
        {HOST("'-2 GB'"),
         "memory.host: '-2 GB' is not an amount of memory; write for instance '2 GB' or '512 MiB'"},
        {HOST("'inf GB'"),
         "memory.host: 'inf GB' is not an amount of memory; write for instance '2 GB' or '512 MiB'"},
        {HOST("'0 GB'"), "memory.host: 0 GB is out of range: at least 1 byte is expected"},
        {HOST("'100 PB'"), "memory.host: '100 PB' is too large: at most 9 PB are expected"},
        {HOST("true"), "memory.host: true or false is given; text with a number and a unit, as in '2 GB' or "
                       "'512 MiB', is expected"}};
    EXPECT_REFUSED(refused);
}

TEST(required_keys_are_required)
{
    static const struct job_mistake refused[] = {
        {"{'fathom':1}", "model: missing; it is required: which simulation model to run: tsunami, bioheat, "
                         "nbody, gas or ising"},
        {"{'fathom':1,'model':''}", "model: the text is empty"},
        {"{'fathom':1,'model':'test','output':{'directory':'out'}}",
         "time.duration: missing; it is required: model time from start to end, for example '24 h'"},
        // only within a block that is there
        {"{'fathom':1,'model':'test','time':{'duration':'24 h'},'output':{'directory':'out','gauges':{}}}",
         "output.gauges.file: missing; it is required: list of gauges"}};
    EXPECT_REFUSED(refused);
}

TEST(later_tables_replace_rows)
{
    static const struct job_key narrow[] = {{.path = "backend",
                                             .type = JOB_CHOICE,
                                             .default_value = "reference",
                                             .choices = "reference",
                                             .help = "one"}};
    struct job_key_table three[] = {job_tables[0], job_tables[1], {narrow, 1}};
    struct job *job = read_job(JOB_BASE "}");
    assert_ok(job_check(job, three, 2));
    assert_string_equal(job_string(job, "backend"), "auto");
    assert_ok(job_check(job, three, 3)); // again, with other tables
    assert_string_equal(job_string(job, "backend"), "reference");
    job = read_job(JOB_BASE ",'backend':'cuda'}");
    assert_int_equal(job_check(job, three, 3), STATUS_CONFIGURATION);
    expect_message("backend: 'cuda' is not one of: reference");
}

// A model takes shared keys out, and says what it has instead; they are not suggested either.
TEST(later_tables_take_rows_out)
{
    static const struct job_key out[] = {
        {.path = "time", .type = JOB_ABSENT, .help = "tides.count says how long"},
        {.path = "time.duration", .type = JOB_ABSENT, .help = "tides.count says how long"},
        {.path = "time.step", .type = JOB_ABSENT, .help = "tides.count says how long"},
        {.path = "precision", .type = JOB_ABSENT, .help = "all is counted in whole numbers"}};
    struct job_key_table tables[] = {job_tables[0], job_tables[1], {out, COUNT(out)}};
    static const struct {
        const char *member, *message;
    } refused[] = {
        {",'time':{'duration':'24 h'}", "time: is not a key of model test: tides.count says how long"},
        {",'precision':'double'", "precision: is not a key of model test: all is counted in whole numbers"},
        {",'duratoin':1", NULL}};
    struct job *job = read_job("{'fathom':1,'model':'test','output':{'directory':'out'}}");
    assert_ok(job_check(job, tables, 3)); // a required one is not, then
    for (size_t k = 0; k < COUNT(refused); k++) {
        const char *text =
            format_text("{'fathom':1,'model':'test','output':{'directory':'out'}%s}", refused[k].member);
        job = read_job(text);
        assert_int_equal(job_check(job, tables, 3), STATUS_CONFIGURATION);
        if (refused[k].message)
            expect_message(refused[k].message);
        else if (strstr(status_message(), "did you mean"))
            fail_msg("%s", status_message());
    }
}

TEST(mistakes_in_tables_are_found)
{
    static const struct job_key bad[] = {
        {.path = "a", .type = JOB_QUANTITY},
        {.path = "a", .type = JOB_CHOICE},
        {.path = "a", .type = JOB_INTEGER, .minimum = 1},
        {.path = "a", .type = JOB_INTEGER, .default_value = "x"},
        {.path = "a", .type = JOB_INTEGER, .default_value = "0", .minimum = 1, .maximum = 2},
        {.path = "a", .type = JOB_QUANTITY, .unit = "s", .default_value = "5 m"},
        {.path = "", .type = JOB_ANY}};
    for (size_t k = 0; k < COUNT(bad); k++) {
        struct job_key_table table = {&bad[k], 1};
        struct job *job = read_job("{'fathom':1}");
        assert_failure(job_check(job, &table, 1), STATUS_SOFTWARE, "table of job keys");
    }
}

TEST(owners_can_fail_a_key)
{
    struct job *job = check_job(JOB_BASE "}");
    assert_int_equal(job_fail(job, "domain.latitude", "%d values given, 2 are expected", 3),
                     STATUS_CONFIGURATION);
    expect_message("domain.latitude: 3 values given, 2 are expected");
}
