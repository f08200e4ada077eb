#!/usr/bin/python3
# For tests of heat from pressure: files as k-Wave and BabelBrain write them, and the heat of a run computed
# by numpy, from tissues.json, labels and pressure alone.
#
#   pressure_heat.py make                              files in this folder, beside head.nc
#   pressure_heat.py check LABELS [OUT PRESSURE KIND x y z]...   the first step of runs in OUT; x, y, z: mm of
#                                                      the pressure's first cell
import gzip
import json
import math
import os
import struct
import sys

import h5py
import netCDF4
import numpy as np

FREQUENCY_MHZ = 0.5
TISSUES = {1: "skin", 2: "cortical bone", 3: "brain"}
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/tissues.json")


def number(tissue, name):
    """A value of the table in SI; attenuation in Np/m."""
    value = tissue[name]["value"]
    if not isinstance(value, str):
        return value
    amount, unit = value.split(" ", 1)
    scales = {"kg m-3": 1, "J kg-1 K-1": 1, "m s-1": 1, "Np/m": 1, "dB/cm": 100 * math.log(10) / 20}
    return float(amount) * scales[unit]


def interpolated(values, axis, places):
    """Linear along one axis at fractional indices, which may lie half a cell outside."""
    places = np.clip(places, 0, values.shape[axis] - 1)
    low = np.minimum(np.floor(places).astype(int), max(values.shape[axis] - 2, 0))
    high = np.minimum(low + 1, values.shape[axis] - 1)
    shape = [1, 1, 1]
    shape[axis] = len(places)
    weight = (places - low).reshape(shape)
    return np.take(values, low, axis) * (1 - weight) + np.take(values, high, axis) * weight


def check(out, labels_path, pressure_path, kind, origin_mm):
    with netCDF4.Dataset(labels_path) as file:
        labels = file["label"][:].filled()
        places = [file[name][:].filled() for name in "zyx"]
    with h5py.File(pressure_path) as file:
        name = [n for n in file if n.startswith("p_")][0]
        shape = [int(file[n][()].item()) for n in ("Nz", "Ny", "Nx")]
        pressure = file[name][()].astype("f8").reshape(shape)
        # Of floats, as k-Wave has them: 4 mm are 4.00000019.
        spacing_mm = [round(1e3 * file[n][()].item(), 5) for n in ("dz", "dy", "dx")]
    for axis in range(3):
        at = (places[axis] - origin_mm[2 - axis]) / spacing_mm[axis]
        pressure = interpolated(pressure, axis, at)
    with open(TABLE) as file:
        table = json.load(file)["tissues"]
    heat, capacity = np.zeros(labels.shape), np.ones(labels.shape)
    for label, name in TISSUES.items():
        tissue = table[name]
        density = number(tissue, "density")
        alpha = number(tissue, "attenuation") * FREQUENCY_MHZ ** number(tissue, "attenuation_exponent")
        intensity = pressure**2 / (2 * density * number(tissue, "sound_speed"))
        if kind == "rms":
            intensity *= 2
        heat = np.where(labels == label, 2 * alpha * intensity, heat)
        capacity = np.where(labels == label, density * number(tissue, "specific_heat"), capacity)
    with netCDF4.Dataset(os.path.join(out, "fields.nc")) as file:
        warmer = (file["temperature"][1] - file["temperature"][0]).astype("f8")
        step = float(file["time"][1] - file["time"][0])
    got = np.where(labels > 0, np.ma.filled(warmer, 0) * capacity / step, 0)
    error = np.abs(got - heat).max() / heat.max()
    print("largest %.6g W/m3, cells %d, error %.3g" % (heat.max(), (heat > 0).sum(), error))
    if not error < 1e-5:
        sys.exit(1)


def kwave(path, shape, spacing, fields, left_out=()):
    with h5py.File(path, "w") as file:
        for name, length in zip(("Nz", "Ny", "Nx"), shape):
            file[name] = np.full((1, 1, 1), length, "u8")
        for name, step in zip(("dz", "dy", "dx"), spacing):
            if name not in left_out:
                file[name] = np.full((1, 1, 1), step, "f4")
        file["dt"] = np.full((1, 1, 1), 1e-7, "f4")
        for name, values in fields.items():
            file[name] = values


def nifti(path, values, affine):
    """A NIfTI-1 image of values [k][j][i], placed by its sform."""
    code = {"u1": (2, 8), "f4": (16, 32)}[values.dtype.str[1:]]
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, 3, *values.shape[::-1], 1, 1, 1, 1)
    struct.pack_into("<2h", header, 70, *code)
    struct.pack_into("<4f", header, 76, 1, *np.linalg.norm(affine[:3, :3], axis=0))
    struct.pack_into("<f", header, 108, 352)
    header[123] = 2  # mm
    struct.pack_into("<2h", header, 252, 0, 1)
    struct.pack_into("<12f", header, 280, *affine[:3].ravel())
    header[344:348] = b"n+1\0"
    with gzip.open(path, "wb", 1) as file:
        file.write(bytes(header) + np.ascontiguousarray(values).tobytes())


def turned(degrees, origin):
    """Cells of 4 mm turned about z."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    affine = np.diag([4.0, 4.0, 4.0, 1.0])
    affine[:2, :2] = 4 * np.array([[c, -s], [s, c]])
    affine[:3, 3] = origin
    return affine


def make_images(labels, same):
    """The head as a turned image, and its pressure, three cells larger on each side and reversed along x; and
    others that do not fit."""
    head = turned(20, (-90, -125, -71))
    nifti("head.nii.gz", labels, head)
    larger = np.pad(same, 3, mode="edge")[:, :, ::-1]
    place = head.copy()
    place[:3, 3] = (head @ [larger.shape[2] - 4, -3, -3, 1])[:3]
    place[:3, 0] *= -1
    nifti("_FullElasticSolution_Sub.nii.gz", larger, place)
    nifti("_FullElasticSolution_Sub_NORM.nii.gz", larger, place)
    nifti("other_FullElasticSolution.nii.gz", same, turned(25, (-90, -125, -71)))
    nifti("pressure.nii.gz", same, head)


def make():
    with netCDF4.Dataset("head.nc") as file:
        shape = file["label"].shape
    random = np.random.default_rng(20260311)
    same = (1e6 * random.random(shape)).astype("f4")
    cells = (4e-3, 4e-3, 4e-3)
    # Other cells, around the head, as from a simulation of its own.
    other_shape = (41, 50, 43)
    other = (1e6 * random.random(other_shape)).astype("f4")
    kwave("other.h5", other_shape, (4.7e-3, 4.6e-3, 4.5e-3), {"p_max_all": other})
    kwave("rms.h5", shape, cells, {"p_rms": same.reshape(1, 1, -1)})
    kwave("bare.h5", shape, cells, {"p_max_all": same}, left_out=("dy",))
    kwave("some.h5", shape, cells, {"p_max": same.reshape(1, 1, -1)[:, :, :1000]})
    kwave("complex.h5", shape, cells, {"p_max_all": same + 1j * same})
    kwave("small.h5", (10, 10, 10), cells, {"p_max_all": same[:10, :10, :10]})
    kwave("wide.h5", shape, (4e-3, 4.2e-3, 4e-3), {"p_max_all": same})
    with h5py.File("pairs.h5", "w") as file:  # netCDF-C does not list complex numbers
        file["p_amp"] = (same + 1j * same).transpose(2, 1, 0)
        for name, length in zip("xyz", shape[::-1]):
            file[name + "_vec"] = np.arange(length) * 4e-3
    kwave("two.h5", shape, cells, {"p_max_all": same, "p_rms": same.reshape(1, 1, -1)})
    for name, value in (("nan.h5", np.nan), ("negative.h5", -1.0), ("huge.h5", 3e9)):
        odd = same.copy()
        odd[20, 30, 11] = value
        kwave(name, shape, cells, {"p_max_all": odd})
    with h5py.File("plain.h5", "w") as file:
        file["pressure"] = same
    # BabelBrain's arrays are (x, y, z); positions in m; here those of the head.
    with h5py.File("babelbrain.h5", "w") as file, netCDF4.Dataset("head.nc") as head:
        file.create_dataset("p_amp", data=same.astype("f8").transpose(2, 1, 0), compression="gzip")
        for name in "xyz":
            file[name + "_vec"] = 1e-3 * head[name][:].filled()
        file["SpatialStep"] = 4e-3
    kwave("same.h5", shape, cells, {"p_max_all": same})
    with netCDF4.Dataset("head.nc") as head:
        make_images(head["label"][:].filled(), same)


if sys.argv[1] == "make":
    make()
else:
    for out, pressure_path, kind, *origin_mm in zip(*(sys.argv[first::6] for first in range(3, 9))):
        check(out, sys.argv[2], pressure_path, kind, [float(a) for a in origin_mm])
