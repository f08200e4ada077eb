"""Makes results of points and zones, and reads products back by other programs: xarray for the results, GDAL
(gdalinfo, gdal_translate, gdallocationinfo, ogr2ogr) and xmllint for the products.
Usage: read_products.py make|maps|lines|points|zones|outlines[+...] FOLDER. Exit status 77: a program is
missing."""
import csv
import io
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import netCDF4
import numpy

NAMES = ["Kuji", 'Miyako, "old" port', "Ōfunato <&>", "Hanasaki"]
SKIPPED = ["", "", "", "no water"]


def opened(path):
    global xarray
    import xarray  # takes a second: only where results are read
    return xarray.open_dataset(path, decode_times=False, decode_timedelta=False)


def text(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def close(a, b, tolerance, what):
    difference = numpy.nanmax(numpy.abs(numpy.asarray(a, float) - numpy.asarray(b, float)), initial=0)
    assert difference <= tolerance, (what, difference, tolerance)
    assert (numpy.isnan(a) == numpy.isnan(b)).all(), (what, "missing values differ")


# ---- results of points and zones

def put_names(data, dimension, names, of="name"):
    if dimension not in data.dimensions:
        data.createDimension(dimension, len(names))
        data.createDimension("name_strlen", 40)
    variable = data.createVariable(of, "S1", (dimension, "name_strlen"))
    coded = [name.encode().ljust(40, b"\0") for name in names]
    variable[:] = numpy.array([[letter.to_bytes(1, "big") for letter in name] for name in coded], "S1")
    variable._Encoding = "utf-8"


def put(data, dimension, name, units, values, kind="f8"):
    variable = data.createVariable(name, kind, (dimension,), fill_value=numpy.nan if kind == "f8" else None)
    variable.units = units
    variable[:] = values


def make(folder):
    nan = numpy.nan
    with netCDF4.Dataset(folder + "/points.nc", "w") as data:
        data.Conventions = "CF-1.8"
        data.title = "Tohoku: a test: forecast points"
        data.threat_levels_m = [0.3, 1.0, 3.0]
        data.time_origin = "2011-03-11T05:46:24Z"
        put_names(data, "point", NAMES)
        put_names(data, "point", SKIPPED, "skipped")
        put(data, "point", "longitude", "degrees_east", [141.75, 141.97, 141.7, 214.4])
        put(data, "point", "latitude", "degrees_north", [40.2, 39.65, 39.0, 43.28])
        put(data, "point", "depth", "m", [12.5, 30, 22, 11])
        put(data, "point", "arrival", "s", [1800.25, 1500, nan, 90061])
        put(data, "point", "first_motion", "1", [1, -1, 0, 1], "i1")
        put(data, "point", "crest", "m", [3.25, 8.5, nan, 0.125])
        put(data, "point", "crest_time", "s", [2400, 1980, nan, 93600])
        put(data, "point", "travel_time", "s", [1700, 1400, 1300, 89000])
        put(data, "point", "threat", "1", [3, 3, 0, 1], "i1")
        put(data, "point", "lower_bound", "1", [0, 0, 1, 1], "i1")
    with netCDF4.Dataset(folder + "/zones.nc", "w") as data:
        put_names(data, "zone", ["north", "south"])
        put(data, "zone", "points", "1", [3, 4], "i4")
        put(data, "zone", "crest", "m", [1.5, 2.5])
        put(data, "zone", "longitude", "degrees_east", [142.0, 141.0])
        put(data, "zone", "latitude", "degrees_north", [41.0, 38.0])
        put(data, "zone", "threat", "1", [2, 2], "i1")
    square = [[[141, 40], [143, 40], [143, 42], [141, 42], [141, 40]]]
    with open(folder + "/zones.json", "w") as stream:
        json.dump({"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"AREA": "north"},
             "geometry": {"type": "Polygon", "coordinates": square}}]}, stream)


# ---- products

def maps(folder):
    data = opened(folder + "/maxima.nc")
    x, y = data[data.max_eta.dims[1]].values, data[data.max_eta.dims[0]].values
    names = {"max_depth": "flow_depth"}
    count = 0
    for name, variable in data.data_vars.items():
        if variable.ndim < 2 or name == "depth":
            continue
        for layer in range(variable.shape[0] if variable.ndim == 3 else 1):
            values = variable.values[layer] if variable.ndim == 3 else variable.values
            stem = names.get(name, name)
            if layer > 0:
                stem += "_%gm" % data.threshold.values[layer]
            path = folder + "/" + stem + ".tif"
            check_map(path, x, y, values, variable.attrs["units"])
            if count == 0:
                check_place(path, x, y, values)
            count += 1
    assert count >= 4, count


def check_map(path, x, y, values, units):
    info = json.loads(text("gdalinfo", "-json", path))
    x0, dx, turn, y0, tilt, dy = info["geoTransform"]
    band = info["bands"][0]
    assert info["size"] == [len(x), len(y)] and turn == tilt == 0, info["size"]
    assert band["type"] == "Float32" and band["unit"] == units, band
    assert str(band["noDataValue"]) in ("NaN", "nan"), band["noDataValue"]
    assert band["block"] == [256, 256] and info["metadata"]["IMAGE_STRUCTURE"]["COMPRESSION"] == "DEFLATE"
    spacing = x[1] - x[0]
    close(x0 + dx * (numpy.arange(len(x)) + 0.5), x, 1e-9 * spacing, path)
    close(y0 + dy * (numpy.arange(len(y)) + 0.5), y[::-1], 1e-9 * spacing, path)
    rows = text("gdal_translate", "-q", "-of", "XYZ", path, "/vsistdout/").split()
    table = numpy.array(rows, float).reshape(-1, 3)
    close(table[:, 0], numpy.tile(x, len(y)), 1e-9 * spacing, path)
    close(table[:, 1], numpy.repeat(y[::-1], len(x)), 1e-9 * spacing, path)
    close(table[:, 2].astype("f4"), values[::-1].ravel().astype("f4"), 0, path)


def check_place(path, x, y, values):
    j, i = numpy.argwhere(numpy.isfinite(values))[-1]
    found = text("gdallocationinfo", "-valonly", "-geoloc", path, repr(float(x[i])), repr(float(y[j])))
    assert numpy.float32(float(found)) == numpy.float32(values[j, i]), (path, found, values[j, i])


def features(path, *options):
    layers = [line.split(":")[1].split("(")[0].strip() for line in text("ogrinfo", "-q", path).splitlines()
              if re.match(r"\d+: ", line)]
    rows = []
    for layer in layers:
        rows += list(csv.DictReader(io.StringIO(
            text("ogr2ogr", "-f", "CSV", "/vsistdout/", path, layer, "-lco", "GEOMETRY=AS_WKT", *options))))
    return rows


def lines(folder):
    """Every point of every line lies where the map, interpolated by xarray, has the level."""
    data = opened(folder + "/maxima.nc")
    text("xmllint", "--noout", folder + "/maxima.kml")
    for path in ("/maxima.geojson", "/maxima.kml"):
        seen = set()
        for row in features(folder + path):
            for name in ("max_eta", "arrival"):
                if row.get(name):
                    seen.add(name)
                    check_line(data, row, name, float(row[name]))
        assert seen == {"max_eta", "arrival"}, (path, seen)


def check_line(data, row, name, level):
    parts = row["WKT"].replace("(", " ").replace(")", " ").replace(",", " ").split()
    numbers = numpy.array([float(word) for word in parts if word[0].isdigit() or word[0] == "-"])
    places = numbers.reshape(-1, 3 if " Z " in row["WKT"][:30] else 2)
    lon, lat = data[name].dims[-1], data[name].dims[-2]
    x = numpy.where(places[:, 0] < float(data[lon][0]) - 1e-9, places[:, 0] + 360, places[:, 0])
    layers = [data[name]] if data[name].ndim == 2 else [data[name][k] for k in range(data[name].shape[0])]
    where = {lon: xarray.DataArray(x, dims="p"), lat: xarray.DataArray(places[:, 1], dims="p")}
    span = float(data[name].max() - data[name].min())
    # A point on a side between nodes: the nodes beside that side must not count, even where they are missing.
    errors = []
    for layer in layers:
        filled = layer.astype("f8").fillna(1e30)
        values = filled.interp(where, kwargs={"fill_value": None}).values
        good = numpy.abs(values) < 1e6
        errors.append(numpy.max(numpy.abs(values[good] - level)) if good.mean() > 0.5 else numpy.inf)
    assert min(errors) < 1e-5 * span, (name, level, errors, span)


def points(folder):
    data = opened(folder + "/points.nc")
    rows = list(csv.DictReader(open(folder + "/points.csv", newline="", encoding="utf-8")))
    assert [row["name"] for row in rows] == NAMES, rows
    number = lambda word: float(word) if word else numpy.nan
    for name, heading in (("arrival", "arrival_s"), ("crest", "crest_m")):
        close([number(row[heading]) for row in rows], data[name].values, 0, heading)
    # Between -180 and 180 degrees, as places, in every column.
    close([number(row["longitude"]) for row in rows], [141.75, 141.97, 141.7, -145.6], 1e-12, "longitude")
    choices = {(row["event"], row["threat_levels_m"]) for row in rows}
    assert choices == {("Tohoku: a test", "0.3 1 3")}, choices
    assert [row["skipped"] for row in rows] == SKIPPED == [str(word) for word in data.skipped.values], rows
    utc = [row["arrival_utc"] for row in rows]
    assert utc == ["2011-03-11T06:16:24Z", "2011-03-11T06:11:24Z", "", "2011-03-12T06:47:25Z"], utc
    assert "travel_time_utc" not in rows[0]
    places = numpy.array([[141.75, 40.2], [141.97, 39.65], [141.7, 39.0], [-145.6, 43.28]])
    for path in ("/points.geojson", "/points.kml"):
        rows = features(folder + path)
        found = [[float(word) for word in row["WKT"].replace("(", " ").replace(")", " ").split()
                  if word[0] in "-0123456789"] for row in rows]
        close(numpy.array([p[:2] for p in found]), places, 1e-9, path)
        assert [row.get("name", row.get("Name")) for row in rows] == NAMES, rows
        close([number(row["crest"]) for row in rows], data.crest.values, 0, path)
        assert [row["skipped"] for row in rows] == SKIPPED, rows
        close([number(row["longitude"]) for row in rows], places[:, 0], 1e-9, path)
    collection = json.load(open(folder + "/points.geojson"))
    assert collection["event"] == "Tohoku: a test" and collection["threat_levels_m"] == [0.3, 1, 3]
    assert collection["units"]["crest"] == "m" and collection["origin_utc"] == "2011-03-11T05:46:24Z"
    assert "No official warning" in collection["notice"]
    text("xmllint", "--noout", folder + "/points.kml")
    document = xml.etree.ElementTree.parse(folder + "/points.kml").getroot()
    styles = [e.text for e in document.iter("{http://www.opengis.net/kml/2.2}styleUrl")]
    # No threat that was found where all waves are too low is no all-clear.
    assert styles == ["#level3", "#level3", "#unknown", "#level1"], styles


def zones(folder):
    for path in ("/zones.geojson", "/zones.kml"):
        rows = features(folder + path)
        assert [float(row["crest"]) for row in rows] == [1.5, 2.5], rows
        assert "POLYGON" in rows[0]["WKT"] and "POINT" in rows[1]["WKT"], [row["WKT"] for row in rows]


def area(ring):
    p = numpy.asarray(ring, float)[:, :2]
    return 0.5 * numpy.sum(p[:-1, 0] * p[1:, 1] - p[1:, 0] * p[:-1, 1])


def outlines(folder):
    """Of the zones of test_outlines: areas in square degrees, rings, and longitudes."""
    areas = {"hole": 15, "two": 3, "across": 15, "arms": 6.5, "pierced": 6, "unsplit": 2}
    polygons = {"hole": 1, "two": 2, "across": 2, "arms": 3, "pierced": 2, "unsplit": 2}
    rows = features(folder + "/zones.nc")  # by the geometries of CF-1.8
    found = {row["name"]: [[[float(number) for number in place.split()] for place in ring.split(",")]
                           for ring in re.findall(r"\(([^()]+)\)", row["WKT"])] for row in rows}
    assert {name: round(sum(map(area, rings)), 9) for name, rings in found.items()} == areas, rows
    with netCDF4.Dataset(folder + "/zones.nc") as data:
        close([float(row["crest"]) for row in rows], data["crest"][:].filled(numpy.nan), 1e-12, "crest")
    for feature in json.load(open(folder + "/zones.geojson"))["features"]:
        name, geometry = feature["properties"]["name"], feature["geometry"]
        parts = geometry["coordinates"] if geometry["type"] == "MultiPolygon" else [geometry["coordinates"]]
        assert "node_count" not in feature["properties"]
        check_rings(name, parts, areas, polygons)
    place = "{http://www.opengis.net/kml/2.2}"
    text("xmllint", "--noout", folder + "/zones.kml")
    for mark in xml.etree.ElementTree.parse(folder + "/zones.kml").getroot().iter(place + "Placemark"):
        parts = [[[[float(number) for number in word.split(",")] for word in ring.text.split()]
                  for ring in polygon.iter(place + "coordinates")]
                 for polygon in mark.iter(place + "Polygon")]
        check_rings(mark.find(place + "name").text, parts, areas, polygons)


def check_rings(name, parts, areas, polygons):
    assert len(parts) == polygons[name], (name, parts)
    # A hole on the antimeridian is a notch: a hole that shares a side with its polygon would not be valid.
    assert [len(part) for part in parts] == ([2] if name == "hole" else [1] * len(parts)), (name, parts)
    for part in parts:
        for ring in part:
            assert ring[0] == ring[-1] and len(ring) >= 4, (name, ring)
            assert numpy.all(numpy.abs(numpy.asarray(ring)[:, 0]) <= 180), (name, ring)
            assert (area(ring) > 0) == (ring is part[0]), (name, ring)
    total = sum(area(ring) for part in parts for ring in part)
    assert abs(total - areas[name]) < 1e-9, (name, total)


for program in ("gdalinfo", "ogr2ogr", "xmllint"):
    if not shutil.which(program):
        print(program, "is not installed")
        sys.exit(77)
for what in sys.argv[1].split("+"):
    {"make": make, "maps": maps, "lines": lines, "points": points, "zones": zones,
     "outlines": outlines}[what](sys.argv[2])
