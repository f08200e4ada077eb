# Images, fields without positions and jobs for tests/cli/test_bioheat_images.c, and what the program made of
# them, by nibabel.
#   image_places.py make          writes NAME.nii.gz, NAME.h5 and NAME-WHAT.json for each case
#   image_places.py check LIST    the hottest voxel of each result NAME-WHAT is (i, j, k): a line of LIST each
import json
import sys

import h5py
import nibabel as nib
import netCDF4
import numpy as np

HOT = (3, 6, 2)


def turn(a, b):
    """A rotation by a about x and b about z (degrees)."""
    a, b = np.radians([a, b])
    x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    z = np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1]])
    return z @ x


# Directions of i, j, k; numbers of cells; spacings.
CASES = {
    "ras": (np.eye(3), (10, 12, 9), (2, 2.5, 3)),
    "lps": (np.diag([-1.0, -1, 1]), (10, 12, 9), (2, 2.5, 3)),
    "pir": (np.array([[0, 0, 1.0], [-1, 0, 0], [0, -1, 0]]), (10, 12, 9), (2, 2.5, 3)),
    "cube": (np.array([[-1.0, 0, 0], [0, 0, 1], [0, -1, 0]]), (10, 10, 10), (2, 2, 2)),
    "tilted": (turn(15, 12) @ np.array([[0, -1.0, 0], [-1, 0, 0], [0, 0, 1]]), (10, 12, 9), (2, 2.5, 3)),
}


def affine_of(name):
    directions, _, spacings = CASES[name]
    affine = np.eye(4)
    affine[:3, :3] = directions @ np.diag(spacings)
    affine[:3, 3] = [12.5, -40, 7.25]
    return affine.astype(np.float32).astype(float)


def labels_of(shape):
    data = np.ones(shape, np.uint8)
    data[0] = 0  # air
    data[HOT] = 2
    return data


def field_of(shape, low, high):
    data = np.full(shape, low)
    data[HOT] = high
    return data


def mm(position):
    return {x: "%.9g mm" % v for x, v in zip("xyz", position)}


def write_kwave(name, pressure, spacings):
    with h5py.File(name, "w") as file:
        file["p_max_all"] = pressure.T.astype("f4")  # (Nz, Ny, Nx)
        for x, cells, step in zip("xyz", pressure.shape, spacings):
            file["N" + x] = np.full((1, 1, 1), cells, "u8")
            file["d" + x] = np.full((1, 1, 1), step * 1e-3, "f4")


def write_job(name, image, changes):
    job = {"fathom": 1, "model": "bioheat",
           "domain": {"labels": {"file": image}, "faces": {"all": {"kind": "insulated"}}},
           "tissues": {"labels": {"1": "muscle", "2": "brain"}, "void": [0]},
           "time": {"duration": "1 s", "step": "0.25 s"},
           "output": {"directory": name, "nifti": ["largest_temperature", "labels"]}}
    for key, value in changes.items():
        job.setdefault(key, {}).update(value)
    with open(name + ".json", "w") as file:
        json.dump(job, file)


def make_case(name):
    _, shape, spacings = CASES[name]
    affine = affine_of(name)
    image = name + ".nii.gz"
    nib.save(nib.Nifti1Image(labels_of(shape), affine), image)
    write_kwave(name + ".h5", field_of(shape, 1e5, 5e6), spacings)
    with h5py.File(name + "-fields.h5", "w") as file:
        file["heat"] = field_of(shape, 1e3, 1e7).T
        file["heat"].attrs["units"] = "W m-3"
        file["start"] = field_of(shape, 37, 45).T
        file["start"].attrs["units"] = "degC"
    with netCDF4.Dataset(name + "-stream.nc", "w") as file:
        for x, cells in zip("tkji", (2,) + shape[::-1]):
            file.createDimension(x, cells)
        heat = file.createVariable("heat", "f8", tuple("tkji"))
        heat[:] = np.stack([field_of(shape, 1e3, 1e7).T] * 2)
        heat.units = "W m-3"
        time = file.createVariable("time", "f8", ("t",))
        time[:] = [0, 10]
        time.units = "s"
    world = (affine @ [*HOT, 1])[:3]
    pressure = {"file": name + ".h5", "frequency": "1 MHz"}
    write_job(name + "-pressure", image, {
        "source": {"pressure": pressure},
        "output": {"sensors": {"every": "1 s", "list": [{"name": "hot", **mm(world)},
                                                        {"name": "air", **mm((affine @ [0, 3, 3, 1])[:3])}]},
                   "target": {**mm(world), "radius": "1 mm"}, "products": ["csv"]}})
    write_job(name + "-ascending", image, {"source": {"pressure": {**pressure, "axes": "ascending"}}})
    write_job(name + "-map", image, {"source": {"maps": {"a": {"file": name + "-fields.h5",
                                                               "variable": "heat"}}}})
    write_job(name + "-start", image, {"initial": {"file": name + "-fields.h5", "variable": "start"}})
    write_job(name + "-stream", image, {"source": {"stream": {"file": name + "-stream.nc",
                                                              "variable": "heat", "times": "time"}}})
    times = {"values": [[1e7]], "units": "W m-3", "times": ["0 s", "1 s"]}
    write_job(name + "-point", image, {"source": {"points": {"at": [mm(world)], **times}}})
    # A box and a part of the domain, each one or three cells long, about the middle of the hot voxel.
    size = np.abs(np.linalg.inv(CASES[name][0])).argmax(0)  # axis of the image along x, y, z
    half = np.array([spacings[a] for a in size])
    write_job(name + "-box", image, {
        "source": {"boxes": {"at": [{"first": mm(world - 0.4 * half), "last": mm(world + 0.4 * half)}],
                             **times}},
        "output": {"nifti": ["temperature"],
                   "fields": {"every": "1 s", **{x: ["%.9g mm" % (world[n] - 1.1 * half[n]),
                                                     "%.9g mm" % (world[n] + 1.1 * half[n])]
                                                 for n, x in enumerate("xyz")}}}})


def make_codes():
    _, shape, _ = CASES["ras"]
    affine = affine_of("ras")
    image = nib.Nifti1Image(labels_of(shape), affine)
    image.set_sform(None, 0)
    image.set_qform(None, 0)
    nib.save(image, "nocode.nii.gz")
    mirrored = affine.copy()
    mirrored[0] *= -1
    image = nib.Nifti1Image(labels_of(shape), affine)
    image.set_sform(affine, 2)
    image.set_qform(mirrored, 1)
    nib.save(image, "both.nii.gz")
    source = {"source": {"pressure": {"file": "ras.h5", "frequency": "1 MHz"}}}
    write_job("nocode", "nocode.nii.gz", source)
    write_job("both", "both.nii.gz", source)


def make_heads():
    """Shells about a brain: air, skin, bone, fluid, grey and white matter, as charm numbers them."""
    n = 32
    r = np.sqrt(((np.indices((n, n, n)) - (n - 1) / 2) ** 2).sum(0))
    data = np.zeros((n, n, n), np.uint8)
    for radius, label in ((15, 5), (13, 7), (11, 3), (10, 2), (7, 1)):
        data[r < radius] = label
    spm = np.array([6, 2, 1, 3, 0, 5, 0, 4], np.uint8)[data]  # SPM: grey, white, fluid, bone, skin, air
    images = {"head": data, "spm": spm, "spm0": np.where(spm == 6, 0, spm), "plus1": data + 1,
              "part": data[10:22, 10:22, 16:29], "inside": data[12:20, 12:20, 12:20],
              "edge": data[12:20, 12:20, 11:28], "neck": data[:, :, 10:] + 1}
    for name, labels in images.items():
        nib.save(nib.Nifti1Image(labels.astype(np.uint8), np.diag([4.0, 4, 4, 1])), name + ".nii.gz")
    for name, table in [(name, "simnibs-charm") for name in images] + [("head", "babelbrain")]:
        write_job(name + "-" + table, name + ".nii.gz", {})
        with open("%s-%s.json" % (name, table)) as file:
            job = json.load(file)
        job["tissues"] = {"labels": table}
        with open("%s-%s.json" % (name, table), "w") as file:
            json.dump(job, file)


def check(folder, voxel):
    name = folder.split("-")[0]
    source = nib.load(name + ".nii.gz")
    report = json.load(open(folder + "/run.json"))
    box = folder.endswith("-box")
    image = nib.load(folder + ("/temperature.nii.gz" if box else "/largest_temperature.nii.gz"))
    data = image.get_fdata()
    data = data[..., -1] if data.ndim == 4 else data
    hottest = np.array(np.unravel_index(np.nanargmax(data), data.shape))
    world = (image.affine @ [*hottest, 1])[:3]
    wanted = (source.affine @ [*voxel, 1])[:3]
    assert np.allclose(world, wanted, atol=1e-3), (folder, hottest, world, wanted)
    if box:
        assert data.shape == (3, 3, 3), data.shape
    else:
        assert np.allclose(image.affine, source.affine, atol=1e-6)
        assert image.header["sform_code"] == source.header["sform_code"]
        assert image.header["qform_code"] == source.header["qform_code"]
        if source.header["qform_code"] > 0:
            assert np.allclose(image.get_qform(), source.get_qform(), atol=1e-4)
    tissues = report["thermal_safety"]["tissues"]
    place = max(tissues, key=lambda t: t["largest_temperature_c"])["largest_place"]
    assert np.allclose([1e3 * place[x + "_m"] for x in "xyz"], wanted, atol=1e-3), (folder, place, wanted)
    pressure = report.get("source", {}).get("pressure")
    if pressure:
        at = pressure["largest_at_m"]
        assert np.allclose([1e3 * at[x] for x in "xyz"], wanted, atol=1e-3), (folder, at)
    if folder.endswith("-pressure"):
        assert report["target"]["hottest_distance_m"] < 1e-6
        with netCDF4.Dataset(folder + "/sensors.nc") as file:
            t = np.ma.filled(file["temperature"][:], np.nan)
            assert abs(t[-1, 0] - np.nanmax(data)) < 1e-3, (t, np.nanmax(data))
            assert np.isnan(t[:, 1]).all()
        lines = open(folder + "/sensors.csv").read().splitlines()
        assert all(line.split(",")[2] == "" for line in lines[1:]), lines
        with netCDF4.Dataset(folder + "/maxima.nc") as file:
            x, y, z = (file[a][:] for a in "xyz")
            t = np.ma.filled(file["max_temperature"][:], np.nan)
            k = np.unravel_index(np.nanargmax(t), t.shape)
            at = np.array([x[k[2]], y[k[1]], z[k[0]], 1])
            if "axes_to_scanner" in file.ncattrs():
                assert not np.allclose(1e3 * at[:3], wanted, atol=0.5)
                assert "not scanner" in file["x"].long_name
                at = np.append(np.reshape(file.axes_to_scanner, (3, 4)) @ at, 1)
            assert np.allclose(1e3 * at[:3], wanted, atol=1e-3), (at, wanted)


if sys.argv[1] == "make":
    for case in CASES:
        make_case(case)
    make_codes()
    make_heads()
else:
    for line in open(sys.argv[2]):
        job, *voxel = line.split()
        check(job, [int(v) for v in voxel])
