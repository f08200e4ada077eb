// Coordinates in metres bear no axis letter X or Y, which VTK's reader (and ParaView's with it) takes for
// longitude and latitude: it would wrap the field round a globe. Those in degrees do. Where python3-vtk9 is
// installed, it opens the files itself.
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/nifti_maker.h"
#include "tests/support/test.h"

// The axis attribute, or "".
static const char *letter_of(const char *name, const char *variable)
{
    static char text[16];
    int file, id;
    size_t length;
    memset(text, 0, sizeof text);
    NC(nc_open(cli_path(name), NC_NOWRITE, &file));
    NC(nc_inq_varid(file, variable, &id));
    if (nc_inq_attlen(file, id, "axis", &length) == NC_NOERR) {
        assert_true(length < sizeof text);
        NC(nc_get_att_text(file, id, "axis", text));
    }
    NC(nc_close(file));
    return text;
}

// Whether VTK's reader makes of every variable of the file what is flat: true too where there is no VTK.
static void look_with_vtk(const char *name)
{
    static const char script[] =
        "import sys\n"
        "try:\n"
        "    import vtk\n"
        "except ImportError:\n"
        "    print('no vtk'); sys.exit(0)\n"
        "def read(dimensions=None):\n"
        "    r = vtk.vtkNetCDFCFReader(); r.SetFileName(sys.argv[1]); r.UpdateMetaData()\n"
        "    if dimensions: r.SetDimensions(dimensions); r.Update()\n"
        "    return r\n"
        "d = read().GetAllDimensions()\n"
        "for k in range(d.GetNumberOfValues()):\n"
        "    kind = read(d.GetValue(k)).GetOutputDataObject(0).GetClassName()\n"
        "    assert kind in ('vtkImageData', 'vtkRectilinearGrid'), (d.GetValue(k), kind)\n";
    const struct cli_result *result = cli_run_tool("/usr/bin/python3", "-c", script, cli_path(name));
    if (result->exit_code != 0)
        fail_msg("%s: %s", name, result->error);
    if (strstr(result->output, "no vtk"))
        print_message("%s: python3-vtk9 is not there\n", name);
}

static void assert_flat(const char *name, bool is_volume)
{
    assert_string_equal(letter_of(name, "x"), "");
    assert_string_equal(letter_of(name, "y"), "");
    if (is_volume)
        assert_string_equal(letter_of(name, "z"), "Z");
    look_with_vtk(name);
}

TEST(test_volumes_of_heat)
{
    cli_run_job(bioheat_job());
    assert_flat("out/fields.nc", true);
    assert_flat("out/maxima.nc", true);
    assert_flat("out/state.nc", true);
    struct nifti_bytes bytes = nifti_make(false, 4, 3, 2, 1, 2, 8);
    nifti_put(&bytes, 352 + 4 * 3 * 2 - 1, 5, 1);
    nifti_save(&bytes, "a.nii");
    cli_do("convert a.nii a.nc --as label");
    assert_flat("a.nc", true);
}

TEST(test_waves)
{
    cli_write_grid("basin.nc", &cli_basin);
    cli_write_json("plane.json",
                   "{'fathom': 1, 'model': 'tsunami', 'domain': {'bathymetry': {'file': 'basin.nc', "
                   "'positive': 'up'}}, 'physics': {'coriolis': false}, 'source': {'solitary': {'height': '1 "
                   "m', 'crest': '8 km', 'toward': 'east'}}, 'time': {'duration': '60 s'}, 'output': "
                   "{'directory': 'plane', 'fields': {'every': '30 s'}}}");
    cli_do("run -q plane.json");
    assert_flat("plane/fields.nc", false);
    assert_flat("plane/maxima.nc", false);
    cli_do("convert basin.nc depth.nc --positive up");
    assert_flat("depth.nc", false);
    cli_run_job(cli_sea_job());
    assert_string_equal(letter_of("out/fields.nc", "lon"), "X");
    assert_string_equal(letter_of("out/fields.nc", "lat"), "Y");
    assert_string_equal(letter_of("out/fields.nc", "time"), "T");
    cli_do("convert sea.nc globe.nc --positive up");
    assert_string_equal(letter_of("globe.nc", "lon"), "X");
}

TEST_MAIN(cli_setup, cli_teardown)
