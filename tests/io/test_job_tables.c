// Jobs: the identity of a job, the tables of keys as they are printed for people and programs, the nearest
// known word.
#include "tests/support/test.h"

#include "io/units.h"
#include "tests/support/job_fixture.h"

#include <cjson/cJSON.h>
#include <xxhash.h>

// ---- identity

static uint64_t hash_of(const char *text)
{
    struct job *job = read_job(text);
    uint64_t hash = job_hash(job);
    return hash;
}

TEST_SUITE(.setup = job_setup, .teardown = job_teardown, .end = units_release);

TEST(the_hash_is_that_of_the_canonical_form)
{
    const char canonical[] =
        "{\"a\":[1,-0.5,true,false,null,{\"title\":1,\"z\":0}],\"b\\\"\\\\\":\"\xC5\x8D\\\\\",\"fathom\":1,"
        "\"n\":0.10000000000000001,\"output\":{\"fields\":{\"directory\":1}}}";
    uint64_t expected = XXH3_64bits(canonical, sizeof canonical - 1);
    assert_true(
        hash_of(
            "{ \"title\": \"x\", \"n\": 1e-1, \"output\": {\"directory\": \"d\", \"fields\": {\"directory\": "
            "1.0}},\n"
            "\"fathom\": 1.0, \"b\\\"\\\\\": \"\\u014d\\\\\", \"checkpoint\": {\"every\": \"1 h\"},\"a\": "
            "[1, -5e-1, true, false, null, {\"z\": -0, \"title\": 1}], \"memory\": 5, \"check\": []}") ==
        expected);
}

TEST(the_hash_changes_with_what_decides_numbers)
{
    uint64_t base = hash_of(JOB_BASE "}");
    static const char *const same[] = {
        JOB_BASE ",'title':'other'}", JOB_BASE ",'memory':{'host':'1 GB'}}",
        // Comments and an editor's key.
        JOB_BASE ",'//':'x','// more':[1],'#':{'seed':1},'$schema':'s','//':2}",
        JOB_BASE ",'checkpoint':{'every':'1 h'}}", JOB_BASE ",'check':{'reference_steps':3}}",
        "{'output':{'directory':'elsewhere'},'time':{'duration':'24 h'},'model':'test','fathom':1}"};
    static const char *const different[] = {
        JOB_BASE ",'backend':'openmp'}",
        JOB_BASE ",'precision':'double'}",
        JOB_BASE ",'seed':1}",
        JOB_BASE ",'seed':2}",
        JOB_BASE ",'seed':'1'}",
        JOB_BASE ",'seed':[1]}",
        JOB_BASE ",'physics':{'title':'x'}}",
        JOB_BASE ",'/':1}",
        JOB_BASE ",'physics':{'$schema':'x'}}",
        JOB_BASE ",'output.directory':'x'}",
        "{'fathom':1,'model':'test','time':{'duration':'25 h'},'output':{'directory':'out'}}",
        "{'fathom':1,'model':'test','time':{'duration':'24 h'},'output':{'directory':'out','maxima':true}}"};
    for (size_t k = 0; k < COUNT(same); k++)
        assert_true(hash_of(same[k]) == base);
    for (size_t k = 0; k < COUNT(different); k++) {
        assert_true(hash_of(different[k]) != base);
        for (size_t j = 0; j < k; j++)
            assert_true(hash_of(different[k]) != hash_of(different[j]));
    }
}

// ---- explaining

static char *explain_part(enum job_explain_format format, const char *part, size_t columns)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    const struct job_explanation explanation = {format, part, columns};
    assert_int_equal(job_explain(stream, job_tables, 2, &explanation), STATUS_OK);
    assert_int_equal(ferror(stream), 0);
    assert_int_equal(fclose(stream), 0);
    return owned_take(text);
}

static char *explain(enum job_explain_format format)
{
    return explain_part(format, NULL, 0);
}

// Columns of a terminal that a line of UTF-8 takes, without its end.
static size_t columns_of(const char *line)
{
    size_t columns = 0;
    for (; *line != '\0' && *line != '\n'; line++)
        columns += ((unsigned char)*line & 0xc0) != 0x80 ? 1 : 0;
    return columns;
}

// No line is wider than was asked for, and what is not a key stands in the right column.
TEST(tables_are_explained_in_the_width_asked_for)
{
    static const size_t widths[] = {40, 61, 80, 100, 0, 200};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        char *text = explain_part(JOB_EXPLAIN_TEXT, NULL, widths[w]);
        const size_t most = widths[w] == 0 ? 100 : widths[w];
        const char *first = strstr(text, "; ");
        assert_non_null(first);
        size_t keys = 0, column = strcspn(text, " "); // of what is right: "fathom      integer (1); required"
        column += strspn(text + column, " ");
        for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
            if (columns_of(line) > most)
                fail_msg("%zu columns of %zu: %s", columns_of(line), most, line);
            keys += line[0] != ' ';
            if (line[0] == ' ')
                assert_true(strspn(line, " ") == column);
        }
        // output.fields.variables is in both tables
        assert_int_equal(keys, job_shared_keys.count + JOB_MODEL_KEYS - 1);
    }
}

TEST(tables_are_explained_as_text)
{
    char *text = explain_part(JOB_EXPLAIN_TEXT, NULL, 200);
    assert_non_null(strstr(text, "quantity in s, or auto"));
    assert_non_null(strstr(text, "single | double; default single\n"));
    assert_non_null(strstr(text, "integer (1 to 8); optional\n"));
    assert_non_null(strstr(text, "string list of eta | u | v; default [\"eta\"]\n"));
    assert_non_null(strstr(text, "; required\n"));
}

TEST(a_block_or_a_key_is_explained_alone)
{
    char *text = explain_part(JOB_EXPLAIN_TEXT, "output.gauges", 80);
    assert_string_equal(text, "output.gauges        object; optional\n"
                              "                     gauges\n"
                              "output.gauges.file   string; required\n"
                              "                     list of gauges\n"
                              "output.gauges.every  quantity in s; default 1 min\n"
                              "                     interval\n");
    text = explain_part(JOB_EXPLAIN_TEXT, "manning_n", 80);
    assert_string_equal(text, "physics.manning_n  number (0 to 1); default 0.025\n"
                              "                   friction\n");
    text = explain_part(JOB_EXPLAIN_MARKDOWN, "seed", 0);
    assert_string_equal(text, "| key | value | default | meaning |\n|---|---|---|---|\n"
                              "| `seed` | integer | 7 | seed |\n");
    text = explain_part(JOB_EXPLAIN_JSON, "physics", 0);
    assert_non_null(strstr(text, "physics.ratio"));
    assert_null(strstr(text, "output"));
    static const struct {
        const char *part, *hint;
    } refused[] = {{"output.gagues", "\"output.gagues\" (did you mean output.gauges?)"},
                   {"maning_n", "(did you mean manning_n?)"},
                   {"gauge", "(did you mean gauges?)"}, // whole parts only
                   {"magnitude", "called \"magnitude\""},
                   {"", "called \"\""}};
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        const struct job_explanation explanation = {.part = refused[k].part};
        status_clear();
        assert_int_equal(job_explain(stdout, job_tables, 2, &explanation), STATUS_USAGE);
        if (!strstr(status_message(), refused[k].hint))
            fail_msg("\"%s\" does not say \"%s\"", status_message(), refused[k].hint);
    }
    status_clear();
}

TEST(tables_are_explained_as_json)
{
    char *text = explain(JOB_EXPLAIN_JSON);
    cJSON *list = cJSON_ParseWithOpts(text, NULL, 0);
    assert_non_null(list);
    assert_int_equal(cJSON_GetArraySize(list), (int)(job_shared_keys.count + JOB_MODEL_KEYS - 1));
    int found = 0;
    for (const cJSON *row = list->child; row != NULL; row = row->next) {
        const char *key = cJSON_GetStringValue(cJSON_GetObjectItem(row, "key"));
        assert_non_null(key);
        assert_non_null(cJSON_GetStringValue(cJSON_GetObjectItem(row, "type")));
        assert_true(cJSON_IsBool(cJSON_GetObjectItem(row, "required")));
        if (strcmp(key, "time.duration") == 0) {
            found++;
            assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "unit")), "s");
            assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "help")),
                                "model time from start to end, for example \"24 h\"");
            assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(row, "minimum")) == 1e-9);
            assert_null(cJSON_GetObjectItem(row, "maximum")); // open
        } else if (strcmp(key, "output.fields.variables") == 0) {
            found++;
            assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(row, "choices")), 3);
            assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "default")), "[\"eta\"]");
        }
    }
    assert_int_equal(found, 2);
    cJSON_Delete(list);
}

TEST(tables_are_explained_as_markdown)
{
    char *text = explain(JOB_EXPLAIN_MARKDOWN);
    assert_non_null(strstr(text, "| `source.faults` | any | - | faults \\| file or list |\n"));
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        int bars = 0;
        for (const char *c = line; *c != '\0'; c++)
            bars += *c == '|' && (c == line || c[-1] != '\\') ? 1 : 0;
        assert_int_equal(bars, 5);
    }
}

TEST(shared_keys_are_complete)
{
    static const char *const paths[] = {"fathom",
                                        "model",
                                        "title",
                                        "backend",
                                        "precision",
                                        "time.duration",
                                        "time.step",
                                        "output.directory",
                                        "output.precision",
                                        "output.fields.every",
                                        "output.fields.variables",
                                        "output.fields.stride",
                                        "output.compress",
                                        "output.join",
                                        "output.diagnostics.every",
                                        "checkpoint.every",
                                        "checkpoint.every_steps",
                                        "memory.host",
                                        "memory.device",
                                        "limits",
                                        "check.reference_steps",
                                        "check.tolerance",
                                        "check.reference_file",
                                        "check.variables"};
    assert_int_equal(job_shared_keys.count, COUNT(paths));
    for (size_t k = 0; k < COUNT(paths); k++) {
        assert_string_equal(job_shared_keys.keys[k].path, paths[k]);
        assert_true(strlen(job_shared_keys.keys[k].help) > 20);
        assert_null(strchr(job_shared_keys.keys[k].help, '\n'));
    }
}

// ---- suggestions

TEST(distances_are_known)
{
    assert_int_equal(suggest_distance("kitten", "sitting"), 6); // the textbook's three edits, in halves
    assert_int_equal(suggest_distance("", "abc"), 6);
    assert_int_equal(suggest_distance("duration", "duratoin"), 2); // one exchange
    assert_int_equal(suggest_distance("ca", "abc"), 6); // restricted: 3; the unrestricted distance is 2
    assert_int_equal(suggest_distance("Step", "step"), 1);
    assert_int_equal(suggest_distance("same", "same"), 0);
    char word[80];
    memset(word, 'x', sizeof word);
    word[SUGGEST_WORD_MAX] = '\0';
    assert_int_equal(suggest_distance(word, ""), 2 * SUGGEST_WORD_MAX);
    word[SUGGEST_WORD_MAX] = 'x';
    word[SUGGEST_WORD_MAX + 1] = '\0';
    assert_int_equal(suggest_distance(word, ""), -1);
}

TEST(nearest_words)
{
    static const char *const words[] = {"duration", "step", "directory", "every", "variables", "u"};
    assert_string_equal(suggest_word("duratoin", words, COUNT(words)), "duration");
    assert_string_equal(suggest_word("Step", words, COUNT(words)), "step");
    assert_string_equal(suggest_word("directry", words, COUNT(words)), "directory");
    assert_string_equal(suggest_word("variable", words, COUNT(words)), "variables");
    assert_string_equal(suggest_word("U", words, COUNT(words)), "u");
    assert_null(suggest_word("x", words, COUNT(words)));
    assert_null(suggest_word("xylophone", words, COUNT(words)));
    assert_null(suggest_word("", words, COUNT(words)));
    assert_null(suggest_word("step", words, 0));
}
