"""Compares what `fathom convert` makes of an ensemble with its tables and its ensemble.nc.

  hazard_products.py DIR   DIR/hazard: of fathom hazard; DIR/all.geojson, DIR/all.kml; DIR/VARIABLE-VALUE.xyz:
                           maps as GeoTIFF, as gdal_translate -of XYZ wrote them

Exit status 77: numpy or netCDF4 is missing.
"""
import csv
import glob
import json
import os
import sys
import xml.etree.ElementTree as tree

try:
    import netCDF4
    import numpy as np
except ImportError:
    sys.exit(77)

KML = "{http://www.opengis.net/kml/2.2}"


def rows_of(path):
    """Of a table: name -> value; the units are no part of a name here."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {row["name"]: {k: v for k, v in row.items() if k not in ("event", "notice")} for row in rows}


def check_features(folder):
    document = json.load(open(f"{folder}/all.geojson", encoding="utf-8"))
    assert "No official warning" in document["notice"], document["notice"]
    assert document["members"] == 22, document["members"]
    tables = {}
    for name in ("points", "zones"):
        tables.update(rows_of(f"{folder}/hazard/hazard_{name}.csv"))
    compared = 0
    for feature in document["features"]:
        properties = feature["properties"]
        row = tables.pop(properties["name"])
        for heading, text in row.items():
            # A height of exceedance is in the name; a unit behind it is not.
            key = heading if heading in properties else heading.rsplit("_", 1)[0]
            value = properties[key]
            if key != heading:
                assert document["units"][key] == heading.rsplit("_", 1)[1], (heading, document["units"][key])
            if key == "name":
                continue
            expected = float(text) if text and np.isfinite(float(text)) else None
            assert value == expected, (properties["name"], heading, value, expected)
            compared += 1
    assert not tables, f"not among the features: {list(tables)}"
    return document, compared


def area_of(ring):
    x, y = np.array(ring).T
    return 0.5 * float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))


def check_geometries(folder, document):
    """Points lie where the table says; the areas of zones are those of the outlines of ensemble.nc."""
    areas = {}
    with netCDF4.Dataset(f"{folder}/hazard/ensemble.nc") as f:
        x, y = f["zone_node_longitude"][:], f["zone_node_latitude"][:]
        f["zone_name"].set_auto_chartostring(False)
        names = [b"".join(row).rstrip(b"\0").decode() for row in f["zone_name"][:].filled(b"")]
        ring, at = 0, 0
        for name, nodes in zip(names, f["zone_node_count"][:]):
            end, areas[name] = at + int(nodes), 0
            while at < end:
                length = int(f["zone_ring_node_count"][ring])
                areas[name] += area_of(np.stack([x[at:at + length], y[at:at + length]], 1))
                at, ring = at + length, ring + 1
    for feature in document["features"]:
        properties, geometry = feature["properties"], feature["geometry"]
        if "longitude" in properties:
            assert geometry["type"] == "Point", geometry
            assert geometry["coordinates"] == [properties["longitude"], properties["latitude"]], geometry
            continue
        polygons = geometry["coordinates"]
        if geometry["type"] == "Polygon":
            polygons = [polygons]
        area = sum(area_of(ring) for polygon in polygons for ring in polygon)
        assert abs(area - areas[properties["name"]]) < 1e-9, (properties["name"], area)
        assert area > 0


def check_kml(folder, document):
    root = tree.parse(f"{folder}/all.kml").getroot()
    marks = {mark.find(f"{KML}name").text: mark for mark in root.iter(f"{KML}Placemark")}
    assert len(marks) == len(document["features"]), len(marks)
    levels = netCDF4.Dataset(f"{folder}/hazard/ensemble.nc")["threshold"][:]
    for feature in document["features"]:
        properties = feature["properties"]
        shares = [properties[f"threat_{k}"] for k in range(len(levels) + 1)]
        if "longitude" in properties:
            height = properties["coastal_height_p95"]
            level = None if height is None else int(np.sum(height >= levels))
        else:
            known = shares[0] is not None
            level = max(k for k in range(len(shares)) if k == 0 or sum(shares[k:]) > 0.05) if known else None
        doubts = (properties.get(k) for k in ("not_reached", "lower_bound", "unfinished"))
        may_be_higher = any((share or 0) > 0 for share in doubts)
        if level == 0 and may_be_higher:
            level = None
        style = marks[properties["name"]].find(f"{KML}styleUrl").text
        expected = "unknown" if level is None else str(level)
        assert style.endswith(expected), (properties["name"], style, expected)


def check_maps(folder):
    files = glob.glob(f"{folder}/*.xyz")
    with netCDF4.Dataset(f"{folder}/hazard/ensemble.nc") as f:
        for path in files:
            name, text = os.path.basename(path)[:-4].rsplit("-", 1)
            values = np.loadtxt(path)[:, 2].reshape(f.dimensions["lat"].size, -1)[::-1]
            variable = f[name]
            if len(variable.dimensions) == 3:
                layer = int(np.argmin(np.abs(f[variable.dimensions[0]][:] - float(text))))
                expected = variable[layer]
            else:
                expected = variable[:]
            expected = np.ma.filled(expected, np.nan)
            assert np.array_equal(np.isnan(values), np.isnan(expected)), name
            known = ~np.isnan(expected)
            assert known.any() and np.allclose(values[known], expected[known], rtol=1e-6), name
    return len(files)


folder = sys.argv[1]
document, compared = check_features(folder)
check_geometries(folder, document)
check_kml(folder, document)
print(f"{len(document['features'])} features, {compared} values, {check_maps(folder)} maps agree")
