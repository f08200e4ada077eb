# The data of a heat run's page against its results, by numpy: docs/report.md, "The page's data", is the only
# thing that is taken from the program.
#   heat_page.py page PAGE DIR       codes of all fields and frames, the marks, the scales
#   heat_page.py reduced PAGE DIR    blocks of several cells: their largest values, their positions
#   heat_page.py noise DIR           writes a result whose codes cannot be compressed
#   heat_page.py images DIR          writes images of 3x + 5y + 7z in several orientations
#   heat_page.py anatomy PAGE DIR    whether the image behind has the values of those positions
import base64
import json
import os
import re
import struct
import sys
import zlib

import netCDF4
import numpy as np


def volume_of(page):
    text = open(page, encoding="utf-8").read()
    data = json.loads(re.search(r'id="page-data">(.*?)</script>', text, re.S).group(1))
    assert len(text) < 15e6, len(text)
    return data, data["volumes"][0]


def codes_of(field, text):
    nx, ny, nz = field["cells"]
    count = nx * ny * nz
    split = np.frombuffer(zlib.decompress(base64.b64decode(text)), "u1").astype("i8")
    assert len(split) == 2 * count, (len(split), count)
    words = split[:count] | split[count:] << 8
    steps = (words >> 1) ^ -(words & 1)
    return (np.cumsum(steps) & 65535).reshape(nz, ny, nx)


def values_of(field, codes):
    code = field["code"]
    if code["kind"] == "whole":
        return codes.astype(float)
    if code["kind"] == "linear":
        values = code["low"] + code["step"] * (codes - 1.0)
    else:
        values = np.where(codes == 1, 0, code["low"] * np.exp(code["step"] * (codes - 2.0)))
    values[codes == 0] = np.nan
    values[codes == 65535] = np.inf
    return values


def axes_of(field):
    """x, y, z of the cells in mm."""
    return [first + step * np.arange(n)
            for n, first, step in zip(field["cells"], field["first_mm"], field["step_mm"])]


def filled(variable, *index):
    return np.ma.filled(variable[index or Ellipsis].astype(float), np.nan)


def check_values(field, values, exact):
    assert np.array_equal(np.isnan(values), np.isnan(exact)), field["name"]
    ok = np.isfinite(exact)
    assert np.array_equal(np.isinf(values), np.isinf(exact)), field["name"]
    if field["code"]["kind"] == "logarithmic":
        low = field["code"]["low"]
        assert np.all(values[ok & (exact < low * 0.99)] == 0)
        ok &= exact > low * 1.01
        worst = np.max(np.abs(np.log(values[ok] / exact[ok]))) if ok.any() else 0
    else:
        worst = np.max(np.abs(values[ok] - exact[ok]))
    half = 0.5 * field["code"].get("step", 1)
    assert worst <= half * 1.001 + 4e-6, (field["name"], worst, half)


def check_grid(field, nc):
    for name, mm in zip("xyz", axes_of(field)):
        assert np.allclose(mm, 1e3 * nc[name][:], atol=1e-4), (field["name"], name)


def check_page(page, folder):
    data, volume = volume_of(page)
    maxima = netCDF4.Dataset(folder + "/maxima.nc")
    fields = netCDF4.Dataset(folder + "/fields.nc")
    found = {field["kind"]: field for field in reversed(volume["fields"])}
    assert sorted(found) == ["dose", "frames", "labels", "temperature"], found.keys()
    for kind, name in (("temperature", "max_temperature"), ("dose", "dose"), ("labels", "label")):
        field = found[kind]
        check_grid(field, maxima)
        check_values(field, values_of(field, codes_of(field, field["data"])), filled(maxima[name]))
    frames = found["frames"]
    check_grid(frames, fields)
    assert frames["times_s"] == list(fields["time"][:])
    for k, text in enumerate(frames["frames"]):
        check_values(frames, values_of(frames, codes_of(frames, text)), filled(fields["temperature"], k))
    largest = filled(maxima["max_temperature"])
    k, j, i = np.unravel_index(np.nanargmax(largest), largest.shape)
    hottest = [1e3 * maxima[name][n] for name, n in (("x", i), ("y", j), ("z", k))]
    assert volume["marks"][0]["kind"] == "hottest"
    assert np.allclose(volume["marks"][0]["place_mm"], hottest, atol=1e-4)
    assert found["temperature"]["legend"]["low"] <= np.nanmin(largest)
    assert found["temperature"]["legend"]["high"] >= np.nanmax(largest)
    assert volume["levels"]["temperature"] == [39, 43, 50] and volume["levels"]["dose"][-1] == 240
    # The profile along x has the values of the line through the hottest cell.
    profile = [c for c in data["charts"] if c["id"] == "heat-profiles"][0]["series"][0]["curves"][0]
    line = [np.nan if value is None else value for value in profile["values"]]
    assert np.allclose(line, largest[k, j, :], rtol=1e-5, equal_nan=True)
    assert np.allclose(profile["times_s"], 1e3 * maxima["x"][:], atol=1e-4)


def write_noise(folder):
    os.mkdir(folder)
    random = np.random.default_rng(3)
    nz, ny, nx = 130, 150, 170
    nc = netCDF4.Dataset(folder + "/maxima.nc", "w")
    for name, n, first in (("z", nz, -0.02), ("y", ny, 0), ("x", nx, 0.01)):
        nc.createDimension(name, n)
        v = nc.createVariable(name, "f8", (name,))
        v.units = "m"
        v[:] = first + 1e-3 * np.arange(n)
    values = random.uniform(37, 56, (nz, ny, nx))
    values[random.random(values.shape) < 0.3] = np.nan
    values[:30, :30, :30] = np.nan
    values[61, 77, 40] = 57.25
    v = nc.createVariable("max_temperature", "f4", ("z", "y", "x"), fill_value=np.float32(np.nan))
    v.units = "degC"
    v[:] = values
    v = nc.createVariable("label", "f4", ("z", "y", "x"))
    v[:] = np.where(np.isnan(values), 0, random.integers(1, 4, values.shape))
    nc.close()
    nc = netCDF4.Dataset(folder + "/diagnostics.nc", "w")
    nc.createDimension("time", None)
    v = nc.createVariable("time", "f8", ("time",))
    v.units = "s"
    v[:] = [0, 1]
    v = nc.createVariable("largest_temperature", "f8", ("time",))
    v.units = "degC"
    v[:] = [37, 57.25]
    nc.close()


def check_reduced(page, folder):
    _, volume = volume_of(page)
    nc = netCDF4.Dataset(folder + "/maxima.nc")
    exact, labels = filled(nc["max_temperature"]), filled(nc["label"])
    xyz = [1e3 * nc[name][:] for name in "xyz"]
    found = {field["kind"]: field for field in volume["fields"]}
    field = found["temperature"]
    factor = round(field["step_mm"][0] / (xyz[0][1] - xyz[0][0]))
    assert factor > 1, "not reduced"
    assert "blocks of %d × %d × %d cells" % (factor, factor, factor) in volume["note"], volume["note"]
    # Which block a cell is in, by positions alone.
    blocks = [np.rint((mm - first) / step - 1e-6).astype(int)
              for mm, first, step in zip(xyz, field["first_mm"], field["step_mm"])]
    best = np.full(field["cells"][::-1], -np.inf)
    at = np.ix_(blocks[2], blocks[1], blocks[0])
    np.maximum.at(best, at, np.where(np.isnan(exact), -np.inf, exact))
    best[np.isinf(best)] = np.nan
    assert np.isnan(best).any()
    values = values_of(field, codes_of(field, field["data"]))
    check_values(field, values, best)
    # The hottest cell is the middle of its block, to half a cell.
    k, j, i = np.unravel_index(np.nanargmax(values), values.shape)
    place = [axis[n] for axis, n in zip(axes_of(field), (i, j, k))]
    away = np.abs(np.array(place) - volume["marks"][0]["place_mm"])
    assert np.all(away <= 0.5 * (xyz[0][1] - xyz[0][0]) + 1e-6), (place, away)
    # The label of a block is that of its warmest cell.
    names = codes_of(found["labels"], found["labels"]["data"])
    warmest = np.where(exact == best[at], labels, 0)
    most = np.zeros(names.shape)
    np.maximum.at(most, at, warmest)
    assert np.array_equal(names[~np.isnan(best)], most[~np.isnan(best)])


# ---- the anatomical image

LINEAR = np.array([3.0, 5.0, 7.0])  # its value at x, y, z in mm
TURN = np.radians(20)
TILT = np.array([[np.cos(TURN), -np.sin(TURN), 0], [np.sin(TURN), np.cos(TURN), 0], [0, 0, 1]])


def write_nifti(path, shape, affine):
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, 3, *shape, 1, 1, 1, 1)
    struct.pack_into("<hh", header, 70, 16, 32)
    struct.pack_into("<8f", header, 76, 1, *np.linalg.norm(affine[:3, :3], axis=0), 0, 0, 0, 0)
    struct.pack_into("<f", header, 108, 352)
    header[123] = 2
    struct.pack_into("<h", header, 254, 1)
    struct.pack_into("<12f", header, 280, *affine[:3].ravel())
    header[344:348] = b"n+1\0"
    index = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), -1)
    values = (index @ affine[:3, :3].T + affine[:3, 3]) @ LINEAR
    with open(path, "wb") as file:
        file.write(header + values.astype("<f4").ravel(order="F").tobytes())


def write_images(folder):
    """Over x 0 … 23, y 0 … 17, z 0 … 14 mm and beyond; i from right to left, j up, k to the front; tilted."""
    turned = np.array([[-1.5, 0, 0, 30], [0, 0, 2, -8], [0, 1.2, 0, -6], [0, 0, 0, 1]], float)
    write_nifti("turned.nii", (30, 22, 18), turned)
    tilted = np.eye(4)
    tilted[:3, :3] = TILT * 1.25
    tilted[:3, 3] = TILT @ np.array([-8.0, -7, -5]) + [10, -20, 40]
    write_nifti("tilted.nii", (34, 28, 24), tilted)
    nc = netCDF4.Dataset("image.nc", "w")
    mm = {"z": -5 + 1.5 * np.arange(18), "y": -4 + 1.3 * np.arange(22), "x": -7 + 1.1 * np.arange(36)}
    for name, values in mm.items():
        nc.createDimension(name, len(values))
        v = nc.createVariable(name, "f8", (name,))
        v.units = "mm"
        v[:] = values
    v = nc.createVariable("t1", "f4", ("z", "y", "x"))
    v[:] = 3 * mm["x"] + 5 * mm["y"][:, None] + 7 * mm["z"][:, None, None]
    nc.close()
    # What does not lie there, or nowhere.
    far = turned.copy()
    far[0, 3] = 3000
    write_nifti("far.nii", (30, 22, 18), far)
    write_nifti("nowhere.nii", (30, 22, 18), turned)
    with open("nowhere.nii", "r+b") as file:
        file.seek(252)
        file.write(bytes(4))
    flat = turned.copy()
    flat[:, 1] = flat[:, 0]
    write_nifti("flat.nii", (30, 22, 18), flat)
    write_nifti("nan.nii", (30, 22, 18), turned)
    with open("nan.nii", "r+b") as file:
        file.seek(352)
        file.write(np.full(30 * 22 * 18, np.nan, "<f4").tobytes())
    with open("short.nii", "wb") as file:
        file.write(open("turned.nii", "rb").read()[:9000])
    nc = netCDF4.Dataset("bare.nc", "w")
    for name in "zyx":
        nc.createDimension(name, 12)
    nc.createVariable("t1", "f4", ("z", "y", "x"))[:] = 1
    nc.close()


def turn_result(folder):
    """The result's own x, y, z become those of tilted slices: image index (i, j, k) = (x, y, z) in mm."""
    nc = netCDF4.Dataset(folder + "/maxima.nc", "a")
    affine = np.zeros((3, 4))
    affine[:, :3] = TILT[:, [1, 0, 2]] * [1, -1, 1]  # i along y, j against x
    affine[:, 3] = [10, -20, 40] + TILT @ [23.0, 0, 0]
    nc.nifti_affine = affine.ravel()
    nc.nifti_shape = np.array([18, 24, 15], "i4")
    nc.nifti_first = np.array([23, 0, 0], "i4")
    nc.nifti_step = np.array([-1, 1, 1], "i4")
    nc.nifti_axes = np.array([1, 0, 2], "i4")
    nc.close()
    with open(folder + "/run.json", "r+") as file:
        run = json.load(file)
        del run["file_xxh3"]  # of maxima.nc as it was
        file.seek(0)
        json.dump(run, file)
        file.truncate()


def check_anatomy(page, folder):
    _, volume = volume_of(page)
    image = volume["anatomy"]
    levels = codes_of(image, image["data"]).astype(float)
    x, y, z = np.meshgrid(*axes_of(image), indexing="ij")
    places = np.stack([x, y, z], -1)
    if volume["is_oriented"]:
        places = places @ TILT.T + [10, -20, 40]
    exact = np.transpose(places @ LINEAR, (2, 1, 0))
    assert levels.min() >= 1, "the image covers all of it"
    within = (levels > 1) & (levels < 63)
    assert within.sum() > 1000
    slope, start = np.polyfit(exact[within], levels[within], 1)
    assert slope > 0
    worst = np.max(np.abs(slope * exact[within] + start - levels[within]))
    assert worst < 0.62, worst  # half a level, and what the fit adds
    assert "covers 100 % of the volume" in volume["note"], volume["note"]


if __name__ == "__main__":
    {"page": check_page, "reduced": check_reduced, "noise": write_noise, "images": write_images,
     "turn": turn_result, "anatomy": check_anatomy}[sys.argv[1]](*sys.argv[2:])
