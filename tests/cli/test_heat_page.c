// The interactive page of heat in tissue: its data against the results, by numpy
// (tests/support/heat_page.py); larger volumes in blocks; anatomical images in several orientations, and
// those that are refused; and the page in a browser (Chromium without a window, no network): fields, sliders,
// values, colours.
#include "tests/support/bioheat_job.h"
#include "tests/support/gnuplot.h"
#include "tests/support/report_page.h"
#include "tests/support/test.h"

static const char script[] = TEST_SOURCE_DIRECTORY "/tests/support/heat_page.py";

// One of the script's checks of the page in "out".
static void check(const char *what)
{
    const struct cli_result *result =
        cli_run_tool("/usr/bin/python3", script, what, cli_path("out/report.html"), cli_path("out"));
    if (result->exit_code != 0)
        fail_msg("%s: %s", what, result->error);
}

static void make(const char *what, const char *folder)
{
    const struct cli_result *result = cli_run_tool("/usr/bin/python3", script, what, folder);
    if (result->exit_code != 0)
        fail_msg("%s: %s", what, result->error);
}

TEST(the_page_has_the_results)
{
    need_gnuplot();
    cli_run_job(cli_change(bioheat_job(),
                           "output.fields = {'every': '5 s', 'x': ['4 mm', '20 mm'], 'stride': "
                           "2}; source.boxes.values = [[1.2e7], [0]]; output.transducer = {'x': '10 mm', "
                           "'y': '8 mm', 'z': '-5 cm'}"));
    cli_do("report out --size 500x400");
    check("page");
    char *page = read_page();
    // Dark red, and before anything else than the title.
    const char *alarm = strstr(page, "<p class=\"alarm\">thermal safety (ITRUSST) EXCEEDED: brain: ");
    assert_non_null(alarm);
    assert_true(alarm < strstr(page, "class=\"tile"));
    assert_has(page, "largest temperature over the run", "position of the hottest cell",
               "\"name\":\"transducer\",\"place_mm\":[10,8,-50]", "\"is_oriented\":false");
    // The pictures are still there, for paper.
    assert_has(page, "<figure class=\" by-map\">", "data:image/webp");
}

// Without Leaflet and Chart.js the planes stay, without series.
TEST(planes_need_no_library)
{
    need_gnuplot();
    cli_run_job(cli_change(bioheat_job(), "source.boxes.values = [[1e4], [0]]"));
    setenv("FATHOM_JAVASCRIPT", folder_root(), 1);
    cli_do("report out --size 500x400");
    unsetenv("FATHOM_JAVASCRIPT");
    char *page = read_page();
    assert_has(page, "<p class=\"verdict good\">thermal safety (ITRUSST) passed: ", "id=\"heat-volume\"");
    assert_null(strstr(page, "id=\"heat-profiles\""));
    assert_null(strstr(page, "class=\"alarm\""));
    // What was not judged is neither.
    cli_rerun(cli_change(bioheat_job(), "delete dose; output.fields.variables = ['temperature']"));
    cli_do("report out --size 500x400");
    assert_page_says("<p class=\"verdict unknown\">thermal safety (ITRUSST) not judged: ");
}

TEST(larger_volumes_come_in_blocks)
{
    need_gnuplot();
    make("noise", cli_path("out"));
    cli_do("report out --size 500x400");
    check("reduced");
}

TEST(images_lie_where_they_say)
{
    static const char *const images[] = {"turned.nii", "image.nc", "tilted.nii"};
    need_gnuplot();
    cli_run_job(bioheat_job());
    folder_shell("cd '%s' && /usr/bin/python3 '%s' images .", folder_root(), script);
    for (size_t k = 0; k < COUNT(images); k++) {
        if (k == 2)
            make("turn", cli_path("out"));
        cli_do("report out --size 500x400 --anatomy %s", images[k]);
        check("anatomy");
    }
    assert_page_says("\"is_oriented\":true");
    assert_page_says("air is left white. R is on the right (neurological convention).");
}

TEST(wrong_images_are_refused)
{
    static const struct cli_refusal rows[] = {
        {"report out --anatomy missing.nii", NO_INPUT, {"missing.nii"}},
        {"report out --anatomy far.nii", DATA, {"far.nii: does not overlap the results: ", "mm"}},
        {"report out --anatomy nowhere.nii", DATA, {"nowhere.nii: states no position"}},
        {"report out --anatomy flat.nii", DATA, {"flat.nii: "}},
        {"report out --anatomy nan.nii", DATA, {"nan.nii: has no finite values"}},
        {"report out --anatomy short.nii", DATA, {"short.nii: plane ", "too early"}},
        {"report out --anatomy bare.nc", DATA, {"bare.nc: t1 has no coordinates along x"}},
        {"report out --anatomy job.json", DATA, {"job.json"}},
        {"report out --anatomy far.nii --no-html", USAGE, {"--anatomy", "--no-html"}},
        {"report sea --anatomy far.nii", USAGE, {"--anatomy far.nii", "tsunami"}},
    };
    need_gnuplot();
    cli_run_job(bioheat_job());
    folder_shell("cd '%s' && /usr/bin/python3 '%s' images .", folder_root(), script);
    cli_run_to(cli_sea_job(), "sea");
    cli_save_job(bioheat_job());
    CLI_ASSERT_REFUSED(rows);
    assert_false(cli_exists("out/report.html"));
    assert_int_equal(cli_count_entries("out/pictures"), 0);
}

// ---- in a browser

// Clicks, and writes what it finds into the title.
static const char probe[] =
    "<script>var failed=[];addEventListener('error',function(e){failed.push(e.message||'not loaded')},true);"
    "addEventListener('unhandledrejection',function(e){failed.push(String(e.reason))});"
    "addEventListener('load',function(){var tries=0;function wait(){if(document.querySelector("
    "'[data-ready]'))return probe();if(++tries<200)setTimeout(wait,50)}wait()});"
    "function probe(){var q=function(s){return Array.from(document.querySelectorAll(s))},found=[];"
    "var say=function(k,v){found.push(k+' '+v)},readout=function(){return q('.readout')[0].textContent};"
    "var button=function(t){return q('.choice').find(function(b){return b.textContent===t})};"
    "var slide=function(s,v){s.value=v;s.dispatchEvent(new Event('input'))};"
    "var pixel=function(p,x,y){var c=q('.plane "
    "canvas')[p],r=devicePixelRatio||1,k=c.cloneNode(),g=k.getContext("
    "'2d',{willReadFrequently:true});g.drawImage(c,0,0);return Array.from(g.getImageData(Math.round(x*r),"
    "Math.round(y*r),1,1).data).join(',')};"
    "say('planes',q('.plane-head b').map(function(b){return b.textContent}).join('|'));"
    "say('label',q('.plane canvas')[1].getAttribute('aria-label'));"
    "say('fields',q('.choices')[0].textContent);say('start',readout());"
    "q('.check input').slice(0,3).forEach(function(i){i.click()});" // no lines, borders, marks
    "slide(q('.plane input')[0],1);say('moved',q('.plane output')[0].textContent);"
    "var c=q('.plane canvas')[0],w=c.clientWidth-52,h=c.clientHeight-40;"
    "say('air',pixel(0,46+w/24*1.5,4+h/18*15.5));say('cool',pixel(0,46+w/24*20.5,4+h/18*15.5));"
    "var hover=function(i,j){var b=c.getBoundingClientRect();c.dispatchEvent(new PointerEvent('pointermove',"
    "{clientX:b.left+46+w/24*(i+.5),clientY:b.top+4+h/18*(17.5-j)}))};"
    "hover(1,2);say('over air',readout());hover(20,3);say('over skin',readout());"
    "button('Radiological: R left').click();hover(22,2);say('mirrored over air',readout());"
    "say('mirrored air',pixel(0,46+w/24*22.5,4+h/18*15.5));"
    "say('mirrored label',q('.plane canvas')[1].getAttribute('aria-label'));"
    "button('Neurological: R right').click();"
    "button('Tissues').click();hover(20,3);say('tissue',readout());"
    "button('Thermal dose').click();say('dose',q('.legend b')[0].textContent);"
    "var list=q('.check select')[0];list.value=2;list.dispatchEvent(new Event('change'));"
    "say('skull',q('.plane output').map(function(o){return o.textContent}).join(' '));"
    "slide(q('.time input')[0],1);setTimeout(function(){say('time',q('.time output')[0].textContent);"
    "say('chosen',q('[aria-pressed=true]')[0].textContent);say('then',readout());"
    "say('charts',q('.chart canvas').length);"
    "say('hidden',q('figure.by-map').every(function(f){return getComputedStyle(f).display==='none'}));"
    "say('red',getComputedStyle(q('.alarm')[0]).backgroundColor);"
    "say('wide',document.documentElement.scrollWidth<=innerWidth);say('failed',failed.join(';'));"
    "document.title=found.join('\\n')},1000)}</script></body>";

// The temperature of the frame at 5 s in the cell of the sensor "skull", as the page writes it.
static const char *then(void)
{
    enum { CELLS = BIOHEAT_JOB_X * BIOHEAT_JOB_Y * BIOHEAT_JOB_Z };
    size_t count;
    const double *values = cli_read_variable("out/fields.nc", "temperature", &count, NULL);
    assert_int_equal(count % CELLS, 0);
    return format_text("then At the lines: %.2f °C · cortical bone · x 10.0, y 8.0, z 4.0 mm\n",
                       values[CELLS + (4 * BIOHEAT_JOB_Y + 8) * BIOHEAT_JOB_X + 10]);
}

TEST(a_browser_shows_the_planes)
{
    need_gnuplot();
    const char *name = page_browser();
    if (!name)
        skip();
    cli_run_job(cli_change(bioheat_job(), "source.boxes.values = [[1.2e7], [0]]"));
    make("turn", cli_path("out"));
    cli_do("report out --size 500x400");
    const char *title = page_probed_title(name, probe, 12000);
    char *found = owned_take(strndup(title, strcspn(title, "/")));
    print_message("%s\n", found);
    assert_has(
        found, "planes Axial|Coronal|Sagittal\n", "label Coronal plane: left L, right R, top S, bottom I\n",
        "fields Largest temperatureThermal dose", "TissuesTemperature at a time\n", " · brain · x ",
        "moved z = 1.0 mm\n", "air 140,152,163,255\n", "over air not computed (air) · ", "over skin 37.0",
        " · skin · x 20.0, y 3.0, z 1.0 mm\n",
        "mirrored over air not computed (air) · void · x 1.0, y 2.0, z 1.0 mm\n",
        "mirrored air 140,152,163,255\n", "mirrored label Coronal plane: left R, right L, top S, bottom I\n",
        "tissue skin · x 20.0", "dose Thermal dose (CEM43 (min))\n",
        "skull z = 4.0 mm y = 8.0 mm x = 10.0 mm\n", "time 5 s\n", "chosen Temperature at a time\n", then(),
        "hidden true\n", "red rgb(179, 38, 30)\n", "wide true\n", "failed <");
    assert_null(strstr(found, "cool 140,152,163"));
}

TEST_MAIN(cli_setup, cli_teardown)
