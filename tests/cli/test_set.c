// `fathom run --set` and `fathom plan --set`: as if the file had these keys, in the results' bits, in the
// identity of the run that is resumed, and in its records.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

static void write_sea_job(const char *name, const char *manning_n)
{
    cJSON *job = cli_sea_job();
    if (manning_n)
        cli_set(job, "physics.manning_n", manning_n);
    cli_write_job(job, name);
}

// A text in a folder's run.json; a static buffer each.
static const char *run_text(const char *folder, const char *key)
{
    static char texts[2][600];
    static int next;
    char *text = texts[next = !next], name[80];
    snprintf(name, sizeof name, "%s/run.json", folder);
    const char *found = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(cli_read_json(name), key));
    assert_non_null(found);
    snprintf(text, sizeof texts[0], "%s", found);
    return text;
}

TEST(results_are_those_of_a_file_with_these_keys)
{
    write_sea_job("job.json", NULL);
    write_sea_job("other.json", "0.08");
    cli_do("run -q --set physics.manning_n=0.08 '--set=title=It\\'s \"rough\"' -o set job.json");
    cli_do("run -q -o written other.json");
    cli_do("run -q -o plain job.json");
    cli_assert_same_results("set", "written");
    assert_string_equal(run_text("set", "job_xxh3"), run_text("written", "job_xxh3"));
    assert_string_not_equal(run_text("set", "job_xxh3"), run_text("plain", "job_xxh3"));
    cJSON *report = cli_read_json("set/run.json"), *plain = cli_read_json("plain/run.json");
    const cJSON *settings = cJSON_GetObjectItemCaseSensitive(report, "settings");
    assert_int_equal(cJSON_GetArraySize(settings), 2);
    assert_true(cJSON_GetObjectItemCaseSensitive(settings, "physics.manning_n")->valuedouble == 0.08);
    assert_string_equal(cli_text(settings, "title"), "It's \"rough\"");
    assert_null(cJSON_GetObjectItemCaseSensitive(plain, "settings"));
    // The command as a shell takes it back.
    assert_has(cli_attribute("set/fields.nc", NULL, "history"),
               "fathom run -q --set physics.manning_n=0.08 '--set=title=It'\\''s \"rough\"' -o set job.json");
    assert_has(cli_attribute("set/fields.nc", NULL, "title"), "It's \"rough\"");
}

// A run is stopped, and resumed by the command that its last line names. Without the setting it is
// another job.
TEST(a_stopped_run_belongs_to_its_settings)
{
    char where[700];
    write_sea_job("job.json", NULL);
    const struct cli_result *result = cli_run(
        "run -q --time-limit '1 ns' -o out -s physics.manning_n=0.08 -s 'title=a \\'b\\' c' job.json");
    assert_int_equal(result->exit_code, STOPPED);
    const char *line = strstr(result->error, "fathom run --resume");
    assert_non_null(line);
    snprintf(where, sizeof where, "%s", line + strlen("fathom run "));
    where[strcspn(where, "\n")] = '\0';
    assert_has(where, "'title=a '\\''b'\\'' c'");
    cli_assert_error(cli_run("run -q --resume -o out job.json"), CONFIGURATION, false, "job");
    // As the user would: paste, with the time limit taken out. `set --` lets the shell split what it was
    // given.
    folder_shell("cd '%s' && { %s; }", folder_root(),
                 format_text("set -- %s; printf '%%s\\n' \"$@\" > words", where));
    assert_has(folder_text("words"), "\ntitle=a 'b' c\n", "\nphysics.manning_n=0.08\n");
    cli_do("run -q --resume -o out -s physics.manning_n=0.08 -s 'title=a \\'b\\' c' job.json");
    write_sea_job("other.json", "0.08");
    cli_do("run -q -o whole other.json");
    cli_assert_same_results("out", "whole");
}

TEST(a_plan_takes_settings_and_options_win)
{
    write_sea_job("job.json", NULL);
    cJSON *plan = cli_output_json(
        cli_do("plan --json --set precision=double --set backend=cuda -b reference job.json"));
    assert_string_equal(cli_text(plan, "precision"), "double");
    assert_string_equal(cli_text(plan, "backend"), "reference");
    const cJSON *settings = cJSON_GetObjectItemCaseSensitive(plan, "settings");
    assert_int_equal(cJSON_GetArraySize(settings), 1); // the back end is that of -b
    assert_non_null(cJSON_GetObjectItemCaseSensitive(settings, "precision"));
}

TEST(mistakes_name_the_setting)
{
    write_sea_job("job.json", NULL);
    cli_assert_error(cli_run("run --set physics.manning_n job.json"), USAGE, false, "--set", "KEY=VALUE",
                     "\"physics.manning_n\"");
    cli_assert_error(cli_run("run --set physics.maning_n=1 job.json"), CONFIGURATION, false, "job.json",
                     "physics.maning_n (--set)", "did you mean physics.manning_n");
    cli_assert_error(cli_run("plan --set physics.manning_n=-1 job.json"), CONFIGURATION, false,
                     "physics.manning_n (--set)", "out of range");
    cli_assert_error(cli_run("plan --set model=tsunamy job.json"), CONFIGURATION, false, "tsunamy");
    cli_assert_error(cli_run("run --set =1 job.json"), CONFIGURATION, false, "--set", "key");
    static const char *const values[] = {"00.5", "+3", ".5", "1.", "0x10", "-01", "1.e5", "[0.1, 00.5]"};
    for (size_t k = 0; k < COUNT(values); k++) {
        cli_assert_error(cli_run("plan --set %s job.json", format_text("physics.manning_n=%s", values[k])),
                         CONFIGURATION, false, "physics.manning_n (--set)", values[k],
                         "is not a number of JSON");
    }
    // Texts stay texts.
    cli_do("plan --set 'time.duration=01 min' --set title=\"007\" --set 'title=3 + .5' job.json");
    assert_false(cli_exists("out"));
}

TEST_MAIN(cli_setup, cli_teardown)
