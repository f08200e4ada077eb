// The keys output.products and domain.crs: which products a run makes, and the coordinate system of a plane.
#include "models/tsunami/params_private.h"

#include "io/geo/crs.h"

#include <string.h>

// The code that the job states, or that of the bathymetry's file: one that contradicts the other is refused.
static enum status read_crs(const struct job *job, struct tsunami_params *p)
{
    const char *text = job_string(job, "domain.crs"), *of_file = grid_info(p->bathymetry)->crs;
    const bool is_plane = !p->window.is_geographic;
    struct geo_crs crs;
    if (!text) {
        CHECK(of_file[0] ? geo_crs_parse(p->bathymetry_path, of_file, &crs) : STATUS_OK);
        p->crs = of_file[0] ? crs.code : 0;
        return STATUS_OK;
    }
    if (p->is_nested)
        return job_fail(job, "domain.crs",
                        "is one for the whole run: give it in the outermost grid's domain");
    CHECK_KEY(job, "domain.crs", geo_crs_parse("", text, &crs));
    if (crs.is_geographic == is_plane)
        return job_fail(job, "domain.crs", "%s (%s) is in %s, but the grid %s is in %s", text, crs.name,
                        is_plane ? "degrees" : "metres", p->bathymetry_path, is_plane ? "metres" : "degrees");
    if (of_file[0] && strcasecmp(of_file, text) != 0)
        return job_fail(job, "domain.crs", "%s contradicts %s, which states %s: leave domain.crs out", text,
                        p->bathymetry_path, of_file);
    p->crs = crs.code;
    return STATUS_OK;
}

enum status tsunami_params_read_exports(const struct job *job, struct tsunami_params *p)
{
    CHECK(read_crs(job, p));
    if (p->is_nested)
        return STATUS_OK; // the run's products are the outermost grid's
    for (size_t k = 0; k < job_list_length(job, "output.products"); k++)
        for (int format = 0; format < TSUNAMI_FORMATS; format++)
            p->products[format] |=
                strcmp(job_list_string(job, "output.products", k), tsunami_format_names[format]) == 0;
    if ((p->products[TSUNAMI_GEOJSON] || p->products[TSUNAMI_KML]) && !p->window.is_geographic)
        return job_fail(
            job, "output.products",
            "geojson and kml need longitudes and latitudes, and the grid %s is a plane in metres: "
            "choose csv and geotiff",
            p->bathymetry_path);
    if (p->products[TSUNAMI_GEOTIFF] && geo_missing()[0])
        return job_fail(job, "output.products",
                        "geotiff: this build is without it (%s); fathom --version says so, docs/products.md "
                        "how to get it",
                        geo_missing());
    if (p->products[TSUNAMI_GEOTIFF] && !p->has_maxima && !p->has_travel_time)
        return job_fail(job, "output.products",
                        "geotiff needs \"maxima\": true, or travel_time, of which it is made");
    const bool has_maps =
        p->products[TSUNAMI_GEOJSON] || p->products[TSUNAMI_KML] || p->products[TSUNAMI_GEOTIFF];
    if (has_maps && p->has_maxima && !p->maxima[TSUNAMI_MAX_ETA])
        return job_fail(job, "output.products",
                        "geojson, kml and geotiff need max_eta, which output.maxima_variables leaves out");
    return STATUS_OK;
}
