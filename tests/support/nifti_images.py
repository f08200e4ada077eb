# Images and jobs for tests/cli/test_nifti_out.c, and what the program made of them, by nibabel.
#   nifti_images.py make    writes NAME.nii or NAME.nii.gz, and NAME.json, for each case
#   nifti_images.py check   compares the results of NAME.json in the folder NAME
import json
import sys

import nibabel as nib
import netCDF4
import numpy as np

SHAPE = (12, 10, 9)  # i, j, k
HOT = (7, 3, 5)


def turned(*rows):
    return np.vstack([np.array(rows, float), [0, 0, 0, 1]])


def oblique():
    """Turned by 20 degrees about x and 10 about z: an affine that a quaternion can hold."""
    a, b = np.radians(20), np.radians(10)
    x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    z = np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1]])
    affine = np.eye(4)
    affine[:3, :3] = z @ x @ np.diag([1.0, 1.5, 2.0])
    affine[:3, 3] = [-10.25, 20, 3]
    return affine


# affine in mm, suffix, type of numbers, unit of the header, by which form it is placed
CASES = {
    "ras": (turned([1, 0, 0, -5], [0, 1.5, 0, 7], [0, 0, 2, -9]), ".nii", np.uint8, "mm", "sform"),
    "lps": (turned([-1, 0, 0, 90.5], [0, -1.5, 0, 126], [0, 0, 2, -72]), ".nii.gz", np.int16, "mm", "both"),
    "sagittal": (turned([0, 0, 1.25, -8], [-1, 0, 0, 50], [0, -2, 0, 40]), ".nii.gz", np.float32, "mm",
                 "qform"),
    "metres": (turned([1, 0, 0, 0.5], [0, 0, -2, 10], [0, 1, 0, 0]), ".nii", np.int16, "meter", "sform"),
    "tilted": (oblique(), ".nii.gz", np.uint8, "mm", "both"),
    "sheared": (turned([1, 0.015, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3]), ".nii.gz", np.uint8, "mm", "sform"),
}


def labels_of():
    data = np.ones(SHAPE)
    data[1:-1, 1:-1, 1:-1] = 2
    data[0, :, :] = 0  # air at one side only: a reflection shows
    data[3, 7, 2] = 3
    return data


def scale(unit):
    return 1e3 if unit == "meter" else 1


def coordinates(affine):
    """Of each of x, y, z: the axis of the image, and the positions (mm) along it, as the program has them."""
    axes = np.argmax(np.abs(affine[:3, :3]) / np.linalg.norm(affine[:3, :3], axis=0), axis=0)
    places = {}
    for a in range(3):
        x = int(axes[a])
        step = np.copysign(np.linalg.norm(affine[:3, a]), affine[x, a])
        places["xyz"[x]] = (a, affine[x, 3] + step * np.arange(SHAPE[a]))
    return places


def make():
    for name, (affine, suffix, kind, unit, form) in CASES.items():
        own = affine.copy()
        own[:3] /= scale(unit)
        image = nib.Nifti1Image(labels_of().astype(kind), own)
        image.set_sform(own, 2 if form != "qform" else 0)
        image.set_qform(own if form != "sform" else None, 1 if form != "sform" else 0)
        image.header.set_xyzt_units(unit, "sec")
        nib.save(image, name + suffix)
        hot = {x: "%.9g mm" % v for x, v in zip("xyz", (affine @ [*HOT, 1])[:3])}
        # Voxels 2 to 6 along x: their first and last position, about the middle in scanner coordinates.
        along = coordinates(affine)
        kept = {x: along[x][1][2:7] if x == "x" else along[x][1] for x in "xyz"}
        middle = np.zeros(3)
        for x in "xyz":
            middle[along[x][0]] = 4 if x == "x" else (SHAPE[along[x][0]] - 1) / 2
        middle = (affine @ [*middle, 1])[:3]
        is_straight = name not in ("tilted", "sheared")
        crop = {x: ["%.9g mm" % (middle[n] + side * (np.ptp(kept[x]) / 2 + 1e-6)) for side in (-1, 1)]
                for n, x in enumerate("xyz") if x == "x" or not is_straight}
        with open(name + ".json", "w") as file:
            json.dump({
                "fathom": 1, "model": "bioheat",
                "domain": {"labels": {"file": name + suffix}, "faces": {"all": {"kind": "insulated"}}},
                "tissues": {"labels": {"1": "skin", "2": "brain", "3": "fat"}, "void": [0]},
                "dose": {"definition": "kwave"},
                "source": {"points": {"at": [hot], "values": [[3e6]], "units": "W m-3",
                                      "times": ["0 s", "10 s"]}},
                "time": {"duration": "10 s", "step": "0.1 s"},
                "output": {"directory": name, "state": True,
                           "fields": {"every": "5 s", **crop},
                           "nifti": ["largest_temperature", "dose", "labels", "temperature"]}}, file)


def values_of(path, variable, affine):
    """A variable over (time,) z, y, x as the image has it: by the order of its coordinates."""
    with netCDF4.Dataset(path) as file:
        data = np.ma.filled(file[variable][:].astype(float), np.nan)
        there = {x: file[x][:] * 1e3 for x in "xyz"}
    order = coordinates(affine)
    data = np.moveaxis(data, [-1, -2, -3], [0, 1, 2])  # x, y, z first
    for n, x in enumerate("xyz"):
        a, places = order[x]
        first = np.argmin(abs(places - there[x][0]))
        known = places[np.isclose(places[:, None], there[x], atol=1e-4).any(1)]
        assert np.allclose(np.sort(known), there[x], atol=1e-4), (path, x)
        if len(places) > 1 and places[1] < places[0]:
            data = np.flip(data, n)
        assert abs(places[first] - there[x][0]) < 1e-4
    to = [order[x][0] for x in "xyz"]
    return np.moveaxis(data, [0, 1, 2], to)


def same(name, got, want, tolerance):
    assert got.shape == want.shape, (name, got.shape, want.shape)
    assert np.array_equal(np.isnan(got), np.isnan(want)), name
    assert np.nanmax(abs(got - want), initial=0) <= tolerance, (name, np.nanmax(abs(got - want)))


def check_forms(name, image, affine, form):
    """Both forms and both codes are the image's."""
    header = image.header
    assert np.allclose(image.affine, affine, rtol=1e-6, atol=1e-6), (name, image.affine, affine)
    assert header.get_xyzt_units()[0] == "mm", name
    assert header["sform_code"] == (0 if form == "qform" else 2), name
    if form != "qform":
        assert np.allclose(header.get_sform(), affine, rtol=1e-6, atol=1e-6), name
    if form != "sform":
        assert header["qform_code"] == 1, name
        assert np.allclose(header.get_qform(), affine, rtol=2e-6, atol=2e-5), (name, header.get_qform())
    else:
        assert header["qform_code"] == 0, name


def check():
    for name, (affine, suffix, kind, unit, form) in CASES.items():
        read = nib.load(name + suffix)
        own = read.affine.copy()
        own[:3] *= scale(unit)

        image = nib.load(name + "/largest_temperature.nii.gz")
        check_forms(name, image, own, form)
        hottest = np.unravel_index(np.nanargmax(image.get_fdata()), SHAPE)
        assert hottest == HOT, (name, hottest)
        same(name, image.get_fdata(), values_of(name + "/maxima.nc", "max_temperature", affine), 0)
        assert image.get_data_dtype() == np.float32

        labels = nib.load(name + "/labels.nii.gz")
        check_forms(name, labels, own, form)
        assert labels.get_data_dtype() == np.uint8
        assert np.array_equal(np.asarray(labels.dataobj), labels_of()), name

        dose = nib.load(name + "/dose.nii.gz").get_fdata()
        assert np.unravel_index(np.nanargmax(dose), SHAPE) == HOT, name
        same(name, dose, values_of(name + "/maxima.nc", "dose", affine), 0)

        over_time = nib.load(name + "/temperature.nii.gz")
        assert over_time.shape[3] == 3 and abs(over_time.header.get_zooms()[3] - 5) < 1e-6, name
        assert over_time.header.get_xyzt_units() == ("mm", "sec")
        fields = values_of(name + "/fields.nc", "temperature", affine)
        same(name, over_time.get_fdata(), fields, 0)
        a, _ = coordinates(affine)["x"]
        first = np.zeros(3)
        first[a] = 2  # the cropped image begins with voxel 2 along x, and 5 are kept
        cut = own.copy()
        cut[:3, 3] += own[:3, :3] @ first
        assert over_time.shape[a] == 5, name
        check_forms(name, over_time, cut, form)

        # fathom convert: whole numbers, the record of a time, and the state.
        whole = nib.load(name + "-whole.nii")
        check_forms(name, whole, own, form)
        assert whole.get_data_dtype() == np.int16
        want = np.nan_to_num(image.get_fdata(), nan=0.0)
        assert np.max(abs(whole.get_fdata() - want)) <= whole.dataobj.slope * 0.5001, name
        one = nib.load(name + "-5s.nii.gz")
        assert one.ndim == 3
        same(name, one.get_fdata(), fields[..., 1], 0)
        check_forms(name, nib.load(name + "-state.nii.gz"), own, form)
        # The labels, to netCDF and back.
        back = nib.load(name + "-back.nii.gz")
        check_forms(name, back, own, form)
        assert np.array_equal(np.asarray(back.dataobj), labels_of()), name


if sys.argv[1] == "make":
    make()
elif sys.argv[1] == "check":
    check()
elif sys.argv[1] == "names":
    print("\n".join(name + " " + case[1] for name, case in CASES.items()))
