"""An ensemble made for a test of `fathom hazard`, and its statistics by their definition.

  hazard_members.py make DIR [SIDE] [few]   results of members in DIR, with a summary for each kind of
                                       weights, DIR/summary-KIND.json: equal, random, or none (equal, not
                                       stated); SIDE: of the grid; few: twelve members instead of 23
  hazard_members.py alter NAME FILE WHAT [FILE WHAT]...   copies of files, each changed in one way, as NAME0,
                                       NAME1, ...: shift (an axis), level, time, name, moved, outline,
                                       fewer, model
  hazard_members.py check DIR KIND OUT [KIND OUT]...   compares OUT/ensemble.nc and OUT/hazard_*.csv with DIR
                                       and its summary for these weights

Percentiles are those of the definition in exact arithmetic, and where numpy has the method also
numpy's. Exit status 77: numpy or netCDF4 is missing.
"""
import csv
import functools
import json
import os
import shutil
import sys

try:
    import netCDF4
    import numpy as np
except ImportError:
    sys.exit(77)

MEMBERS, FEW_MEMBERS, TIMES = 23, 12, 7
ROWS, COLUMNS = 9, 8
PERCENTS = (5, 15, 50, 85, 95)
POINTS = ["Çeşme", "Alpha", "Beta", "Dry", "Far"]
GAUGES = ["one", "two"]
# Rings (west, east, south, north, is_hole), no node on a side. With a hole and a second part; dry in all
# members; wet in one of them; a point without nodes; nodes without points.
ZONES = {"Küste": [(170.25, 172.25, 10.75, 12.25, 0), (170.75, 171.25, 11.25, 11.75, 1),
                   (172.25, 172.75, 13.25, 13.75, 0)],
         "Trocken": [(169.75, 173.75, 11.75, 12.25, 0)],
         "Manchmal": [(169.75, 170.25, 12.75, 13.25, 0)],
         "Punkt": [(173.8, 174.2, 11.7, 11.8, 0)], "Nord": [(169.75, 173.75, 13.25, 14.25, 0)]}
LEVELS = (0.5, 2.0)


# ---- making

def variable(file, name, kind, dimensions, values, **attributes):
    fill = np.array(np.nan, kind) if kind in ("f4", "f8") and dimensions else None
    v = file.createVariable(name, kind, dimensions, fill_value=fill)
    v.set_auto_chartostring(False)
    v.setncatts(attributes)
    if kind == "S1":
        v[:] = np.array([t.encode() for t in values], f"S{v.shape[1]}").view("S1").reshape(v.shape)
    else:
        v[:] = values


def field(rng, member):
    """Heights over decades; rows of hard ones: all the same, 0, below 0, dry in some, in all, infinite."""
    eta = np.exp(rng.normal(-1, 1.5, (ROWS, COLUMNS))).astype("f4")
    eta[0] = 2.5
    eta[1] = 0
    eta[2] = -0.3 * rng.random(COLUMNS)
    eta[3][rng.random(COLUMNS) < 0.5] = np.nan
    eta[4] = np.nan
    eta[5][rng.random(COLUMNS) < 0.2] = np.inf
    eta[6][0] = np.nan if member != 3 else 1.5
    return eta


def maxima(path, rng, member):
    with netCDF4.Dataset(path, "w") as f:
        for name, size in (("lat", ROWS), ("lon", COLUMNS), ("threshold", 2)):
            f.createDimension(name, size)
        variable(f, "lat", "f8", ("lat",), 10 + 0.5 * np.arange(ROWS), units="degrees_north")
        variable(f, "lon", "f8", ("lon",), 170 + 0.5 * np.arange(COLUMNS), units="degrees_east")
        variable(f, "threshold", "f8", ("threshold",), [0.03, 0.3], units="m")
        eta = field(rng, member)
        depth = np.full((ROWS, COLUMNS), 50.0)
        depth[3] = depth[6] = -2
        variable(f, "depth", "f4", ("lat", "lon"), depth, units="m")
        variable(f, "max_eta", "f4", ("lat", "lon"), eta, units="m")
        variable(f, "max_depth", "f4", ("lat", "lon"), eta + 1, units="m")
        arrival = 60 * (1 + np.arange(COLUMNS)) + rng.integers(0, 900, eta.shape)
        variable(f, "arrival", "f4", ("threshold", "lat", "lon"),
                 [np.where(eta > limit, arrival, np.nan) for limit in (0.3, 1)], units="s")


def points(path, rng, member):
    # Those without a node stand behind the others.
    skipped = {"Far": "outside", "Beta": "cut off" if member % 4 == 1 else ""}
    names = sorted(POINTS, key=lambda n: (bool(skipped.get(n)), POINTS.index(n)))
    numbers = ["longitude", "latitude", "node_longitude", "node_latitude", "distance", "depth", "arrival",
               "first_motion", "first_crest", "first_crest_time", "crest", "crest_time", "trough",
               "trough_time", "duration", "source_level", "coastal_height", "threat", "travel_time",
               "earliest", "in_source", "unfinished", "lower_bound"]
    values = {n: np.full(len(names), np.nan) for n in numbers}
    for k, name in enumerate(names):
        place = POINTS.index(name)
        values["longitude"][k], values["latitude"][k] = 171 + place, 11 + 0.25 * place
        if skipped.get(name):
            continue
        crest = 0 if name == "Dry" else float(np.exp(rng.normal(-0.5, 1)))
        reached = crest > 0.2
        values["crest"][k] = crest
        values["depth"][k] = 60
        values["arrival"][k] = rng.integers(600, 3000) if reached else np.nan
        values["coastal_height"][k] = 2.5 * crest if reached else np.nan
        values["threat"][k] = sum(2.5 * crest >= t for t in (0.5, 2)) if reached else 0
        if name == "Dry" and member % 2:
            values["threat"][k] = np.nan
        values["lower_bound"][k], values["unfinished"][k] = 0, member == 2
    with netCDF4.Dataset(path, "w") as f:
        f.createDimension("point", len(names))
        f.createDimension("name_strlen", 12)
        f.createDimension("skipped_strlen", 8)
        variable(f, "name", "S1", ("point", "name_strlen"), names)
        variable(f, "skipped", "S1", ("point", "skipped_strlen"), [skipped.get(n, "") for n in names])
        for n in numbers:
            variable(f, n, "f8", ("point",), values[n])
        f.threshold_m, f.green_depth_m, f.threat_levels_m = 0.03, 1.0, LEVELS


def inside(rings, x, y):
    """Whether (x, y) lies in a zone: in an odd number of rings."""
    return sum((w < x) & (x < e) & (s < y) & (y < n) for w, e, s, n, _ in rings) % 2 == 1


def values_of(path, *names):
    with netCDF4.Dataset(path) as f:
        return {name: np.ma.filled(f[name][:].astype("f8"), np.nan) for name in names}


@functools.lru_cache(None)
def member_of(folder):
    return (values_of(f"{folder}/maxima.nc", "lon", "lat", "max_eta", "arrival"),
            values_of(f"{folder}/points.nc", "longitude", "latitude", "crest", "coastal_height", "arrival",
                      "threat"))


def zone_of(folder, rings):
    """Of a member, by docs/points.md: nodes, points, largest elevation, height of the threat, arrival,
    whether a point of it is not reached."""
    m, p = member_of(folder)
    x, y = np.meshgrid(m["lon"], m["lat"])
    eta, arrival = m["max_eta"], m["arrival"]
    mask = inside(rings, x, y) & ~np.isnan(eta)
    has = inside(rings, p["longitude"], p["latitude"]) & ~np.isnan(p["crest"])
    crest = eta[mask].max(initial=-np.inf)
    arrivals = np.concatenate([arrival[0][mask], p["arrival"][has]])
    return {"nodes": mask.sum(), "points": has.sum(), "crest": crest if mask.any() else np.nan,
            "height": np.nanmax(np.append(p["coastal_height"][has], [max(0, crest)])),
            "arrival": np.nanmin(np.append(arrivals, np.inf)), "unjudged": np.isnan(p["threat"][has]).any()}


def threat_of(z):
    count = sum(z["height"] >= level for level in LEVELS)
    unknown = z["unjudged"] or (z["points"] == 0 and np.isinf(z["arrival"]))
    return np.nan if z["nodes"] + z["points"] == 0 or (count == 0 and unknown) else count


def is_low(member):
    """Whether a member's grid does not resolve its source, so that all its heights are lower bounds."""
    return float(member.endswith("3"))


def zones(folder):
    """zones.nc from maxima.nc and points.nc."""
    rings = [ring for zone in ZONES.values() for ring in zone]
    all_of = [zone_of(folder, zone) for zone in ZONES.values()]
    with netCDF4.Dataset(f"{folder}/zones.nc", "w") as f:
        for name, size in (("zone", len(ZONES)), ("ring", len(rings)), ("node", 5 * len(rings)),
                           ("name_strlen", 12)):
            f.createDimension(name, size)
        variable(f, "name", "S1", ("zone", "name_strlen"), list(ZONES))
        variable(f, "node_count", "i4", ("zone",), [5 * len(zone) for zone in ZONES.values()])
        variable(f, "ring_node_count", "i4", ("ring",), [5] * len(rings))
        variable(f, "interior_ring", "i4", ("ring",), [ring[4] for ring in rings])
        variable(f, "node_longitude", "f8", ("node",),
                 [x for w, e, s, n, _ in rings for x in (w, e, e, w, w)], units="degrees_east")
        variable(f, "node_latitude", "f8", ("node",),
                 [y for w, e, s, n, _ in rings for y in (s, s, n, n, s)], units="degrees_north")
        for name in ("points", "nodes", "crest"):
            variable(f, name, "f8", ("zone",), [z[name] for z in all_of], units="m")
        variable(f, "arrival", "f8", ("zone",), [finite(z["arrival"]) for z in all_of], units="s")
        variable(f, "threat", "f8", ("zone",), [threat_of(z) for z in all_of], units="1")
        variable(f, "lower_bound", "f8", ("zone",), np.full(len(ZONES), is_low(folder)), units="1")
        f.threat_levels_m = LEVELS


def gauges(path, rng, member, names=GAUGES):
    with netCDF4.Dataset(path, "w") as f:
        f.createDimension("time", TIMES)
        f.createDimension("station", len(names))
        f.createDimension("name_strlen", 4)
        variable(f, "time", "f8", ("time",), 60.0 * np.arange(TIMES),
                 units="seconds since 2010-02-27 06:34:14")
        variable(f, "name", "S1", ("station", "name_strlen"), names)
        variable(f, "lon", "f8", ("station",), [171, 172][:len(names)], units="degrees_east")
        variable(f, "lat", "f8", ("station",), [11, 12][:len(names)], units="degrees_north")
        eta = rng.normal(0, 1, (TIMES, len(names)))
        eta[4, 0] = np.nan if member % 3 else 0.25
        eta[5, -1] = np.nan
        variable(f, "eta", "f4", ("time", "station"), eta, units="m")


def shares(weights):
    if weights != "random":
        return np.full(MEMBERS, 1 / MEMBERS)
    share = np.random.default_rng(28).random(MEMBERS) ** 3
    share[5] = 0
    return share / share.sum()


def write_summary(path, runs, weights):
    stated = {"weight": shares(weights)} if weights != "none" else {}
    with open(path, "w") as f:
        json.dump({"fathom_summary": 1, "title": "Made",
                   "runs": [{**run, **{key: values[k] for key, values in stated.items()}}
                            for k, run in enumerate(runs)]}, f)


def make(folder, *options):
    global ROWS, COLUMNS, MEMBERS
    for option in options:
        if option == "few":
            MEMBERS = FEW_MEMBERS
        else:
            ROWS = COLUMNS = int(option)
    rng = np.random.default_rng(27)
    runs = []
    for k in range(MEMBERS):
        name, failed = f"m-{k + 1:04d}", k == 7
        runs.append({"name": name, "state": "failed" if failed else "passed",
                     "message": "no convergence" if failed else ""})
        os.makedirs(f"{folder}/{name}", exist_ok=True)
        with open(f"{folder}/{name}/run.json", "w") as f:
            json.dump({"model": "tsunami", "steps": 100, "step_s": 36,
                       "time_origin": "2010-02-27 06:34:14"}, f)
        if not failed:
            maxima(f"{folder}/{name}/maxima.nc", rng, k)
            points(f"{folder}/{name}/points.nc", rng, k)
            gauges(f"{folder}/{name}/gauges.nc", rng, k)
            zones(f"{folder}/{name}")
    for weights in ("equal", "random", "none"):
        write_summary(f"{folder}/summary-{weights}.json", runs, weights)


def alter(name, *pairs):
    for k, (path, what) in enumerate(zip(pairs[::2], pairs[1::2])):
        shutil.copyfile(path, f"{name}{k}")
        alter_one(f"{name}{k}", what)


def alter_one(path, what):
    if what == "model":
        with open(path, "w") as f:
            json.dump({"model": "ising"}, f)
        return
    if what == "fewer":
        gauges(path, np.random.default_rng(27), 7, GAUGES[:1])
        return
    with netCDF4.Dataset(path, "a") as f:
        if what == "shift":
            f["lon"][3] += 0.01
        elif what == "units":
            f["max_eta"].units = "cm"
        elif what == "level":
            f["threshold"][1] = 0.5
        elif what == "time":
            f["time"][3] += 1
        elif what == "name":
            f["name"][0, 0] = b"Q"
        elif what == "moved":
            f["lat"][1] += 0.25
        elif what == "outline":
            f["node_latitude"][6] += 0.5


# ---- checking

opened = functools.lru_cache(None)(netCDF4.Dataset)  # once: the results have some sixty variables


@functools.lru_cache(None)
def read(path, name):
    return np.ma.filled(opened(path)[name][:].astype("f8"), np.nan)


def texts(v):
    v.set_auto_chartostring(False)
    return [b"".join(row).rstrip(b"\0").decode() for row in np.ma.filled(v[:], b"")]


@functools.lru_cache(None)
def whole(weight):
    numerator, denominator = weight.as_integer_ratio()
    return numerator * (2 ** 1074 // denominator)


def quantile(values, weights, percent):
    """The smallest value up to which the weights have the share, in exact arithmetic: as whole numbers of
    2^-1074, of which every double is a multiple."""
    pairs = sorted((v, whole(float(w))) for v, w in zip(values, weights) if w > 0)
    total, sum_ = sum(w for _, w in pairs), 0
    for value, weight in pairs:
        sum_ += weight
        if 100 * sum_ >= percent * total:
            return value
    return np.nan


def share_above(values, weights, limit):
    return sum(w for v, w in zip(values, weights) if v > limit) / sum(weights) if len(weights) else np.nan


def finite(value):
    return value if np.isfinite(value) else np.nan


def same(found, expected, relative, absolute, what):
    good = found == expected or (np.isnan(found) and np.isnan(expected)) or \
        abs(found - expected) <= max(absolute, relative * abs(expected))
    if not good:
        sys.exit(f"{what}: {found!r} instead of {expected!r}")


def check_heights(out, name, fields, weights, bounds, where):
    thresholds = read(out, "threshold")
    mean, percentile, above = (read(out, f"{name}_{end}") for end in ("mean", "percentile", "exceedance"))
    single = 2 ** -23
    for j, i in np.ndindex(mean.shape):
        values = fields[:, j, i]
        if np.isnan(values).all() or not where[j, i]:
            assert all(np.isnan(field[..., j, i]).all() for field in (mean, percentile, above)), (name, j, i)
            continue
        values = np.maximum(0, np.nan_to_num(values, nan=0, posinf=np.inf))
        used = [(v, w) for v, w in zip(values, weights) if w > 0]
        expected = sum(v * w for v, w in used) / sum(weights)
        same(mean[j, i], expected, single, 1e-12, f"{name} mean {j},{i}")
        for p, percent in enumerate(PERCENTS):
            expected = quantile(values, weights, percent)
            same(percentile[p, j, i], expected, bounds[0], bounds[1], f"{name} {percent} % {j},{i}")
        for t, limit in enumerate(thresholds):
            expected = share_above(values, weights, limit)
            same(above[t, j, i], expected, single, 1e-7, f"{name} > {limit} {j},{i}")


def check_numpy(out, fields, weights, where):
    """Numpy's own, where it has the method: with weights from 2.0 on."""
    has_weights = int(np.__version__.split(".")[0]) >= 2
    if not has_weights and not np.allclose(weights, weights[0]):
        return
    values = np.maximum(0, np.nan_to_num(fields, nan=0, posinf=np.inf))
    more = {"weights": weights} if has_weights else {}
    percentile = read(out, "max_eta_percentile")
    for j, i in zip(*np.nonzero(where)):
        expected = [np.quantile(values[:, j, i], p / 100 if has_weights else p / 100 - 1e-12,
                                method="inverted_cdf", **more) for p in PERCENTS]
        assert np.array_equal(percentile[:, j, i], expected), (j, i, percentile[:, j, i], expected)
    print("numpy", np.__version__, "agrees" + (" with weights" if has_weights else ""))


def check_arrivals(out, fields, weights, where, bound):
    earliest, median, probability = (read(out, f"arrival_{end}")
                                     for end in ("earliest", "median", "probability"))
    for t, j, i in np.ndindex(earliest.shape):
        if not where[j, i]:
            assert np.isnan(earliest[t, j, i]) and np.isnan(probability[t, j, i])
            continue
        values = np.nan_to_num(fields[:, t, j, i], nan=np.inf)
        counted = values[weights > 0]
        same(earliest[t, j, i], finite(counted.min()), 0, 0, "earliest")
        middle = finite(quantile(values, weights, 50))
        same(median[t, j, i], middle, 0, bound, f"median arrival {t},{j},{i}")
        same(probability[t, j, i], 1 - share_above(values, weights, 1e300), 1e-6, 1e-7, "probability")


@functools.lru_cache(None)
def member_points(folder, name):
    with netCDF4.Dataset(f"{folder}/{name}/points.nc") as f:
        names = texts(f["name"])
        return {q: dict(zip(names, np.ma.filled(f[q][:], np.nan)))
                for q in ("crest", "coastal_height", "arrival", "threat")}


def check_points(folder, out, names, weights):
    with netCDF4.Dataset(out) as f:
        order = texts(f["point_name"])
    assert sorted(order) == sorted(POINTS), order
    with open(os.path.dirname(out) + "/hazard_points.csv") as f:
        table = {row["name"]: row for row in csv.DictReader(f)}
    thresholds, curve_m = read(out, "threshold"), read(out, "curve_height")
    all_of = {q: [member_points(folder, n)[q] for n in names]
              for q in ("crest", "coastal_height", "arrival", "threat")}
    for k, point in enumerate(order):
        crest = np.array([m[point] for m in all_of["crest"]])
        has = ~np.isnan(crest)
        w = weights[has]
        same(read(out, "weight_of_members")[k], w.sum(), 1e-12, 1e-12, f"{point}: weight")
        coastal = np.nan_to_num([m[point] for m in all_of["coastal_height"]], nan=0)[has]
        arrival = np.nan_to_num([m[point] for m in all_of["arrival"]], nan=np.inf)[has]
        unreached = np.isnan([m[point] for m in all_of["threat"]])[has]
        for name, values in (("crest", crest[has]), ("coastal_height", coastal)):
            for p, percent in enumerate(PERCENTS):
                expected = quantile(values, w, percent)
                same(read(out, f"{name}_percentile")[k, p], expected, 0, 0, f"{point}: {name} {percent} %")
                cell = table[point][f"{name}_p{percent}_m"]
                same(float(cell or "nan"), expected, 1e-8, 1e-12, f"{point}: csv {name} {percent} %")
            for t, limit in enumerate(thresholds):
                same(read(out, f"{name}_exceedance")[k, t], share_above(values, w, limit), 1e-12, 1e-12,
                     f"{point}: {name} > {limit}")
            for c, limit in enumerate(curve_m):
                same(read(out, f"{name}_curve")[k, c], share_above(values, w, limit), 1e-12, 1e-12,
                     f"{point}: {name} > {limit}")
        states = [w[unreached & (coastal < thresholds[0])].sum()] + [
            w[(sum((coastal >= t).astype(int) for t in thresholds) == n) &
              ~(unreached & (coastal < thresholds[0]))].sum() for n in range(len(thresholds) + 1)]
        for s, expected in enumerate(states):
            found = read(out, "threat_probability")[k, s]
            same(found, expected / w.sum() if len(w) else np.nan, 1e-12, 1e-12, f"{point}: state {s}")
        first = min(arrival[w > 0], default=np.nan)
        same(read(out, "arrival_earliest_at_point")[k], finite(first), 0, 0, point)
        same(read(out, "arrival_median_at_point")[k], finite(quantile(arrival, w, 50)), 0, 0, point)


def check_zones(folder, out, names, weights):
    """From the members' maxima.nc and points.nc."""
    with netCDF4.Dataset(out) as f:
        assert texts(f["zone_name"]) == list(ZONES)
        # The outlines, by CF, as in zones.nc.
        with netCDF4.Dataset(f"{folder}/{names[0]}/zones.nc") as one:
            for name in ("node_count", "ring_node_count", "interior_ring", "node_longitude", "node_latitude"):
                assert (f[f"zone_{name}"][:] == one[name][:]).all(), name
        assert f["zone_crest_mean"].geometry == "zone_outline"
        for name in f["zone_outline"].node_coordinates.split():
            assert f[name].axis in "XY"
    with open(os.path.dirname(out) + "/hazard_zones.csv") as f:
        table = {row["name"]: row for row in csv.DictReader(f)}
    thresholds, total = read(out, "threshold"), weights.sum()
    percentile, arrivals, states = (read(out, f"zone_{name}") for name in
                                    ("crest_percentile", "arrival_percentile", "threat_probability"))
    for k, (zone, rings) in enumerate(ZONES.items()):
        all_of = [zone_of(f"{folder}/{n}", rings) for n in names]
        crest, height, arrival = (np.array([z[q] for z in all_of]) for q in ("crest", "height", "arrival"))
        # A zone without water in a member has no height that could be a bound.
        low = np.array([is_low(n) > 0 and z["nodes"] + z["points"] > 0 for n, z in zip(names, all_of)])
        same(read(out, "zone_lower_bound")[k], weights[low].sum() / total, 1e-12, 1e-15, f"{zone}: bounds")
        if not any(z["nodes"] + z["points"] for z in all_of):
            for name in ("crest_percentile", "arrival_percentile", "threat_probability"):
                assert np.isnan(read(out, f"zone_{name}")[k]).all(), (zone, name)
            continue
        has_crest = not np.isnan(crest).all()
        crest = np.maximum(0, np.where(np.isnan(crest), 0, crest))
        for p, percent in enumerate(PERCENTS):
            expected = quantile(crest, weights, percent) if has_crest else np.nan
            same(percentile[k, p], expected, 0, 0, f"{zone}: crest {percent} %")
            cell = float(table[zone][f"crest_p{percent}_m"] or "nan")
            same(cell, finite(expected), 1e-8, 1e-12, f"{zone}: csv")
            expected = finite(quantile(arrival, weights, percent))
            same(arrivals[k, p], expected, 0, 0, f"{zone}: arrival {percent} %")
            same(float(table[zone][f"arrival_p{percent}_s"] or "nan"), expected, 1e-8, 0, f"{zone}: csv")
        for t, limit in enumerate(thresholds):
            expected = share_above(crest, weights, limit) if has_crest else np.nan
            same(read(out, "zone_crest_exceedance")[k, t], expected, 1e-12, 1e-12, f"{zone}: > {limit}")
        same(read(out, "zone_arrival_earliest")[k], finite(arrival[weights > 0].min()), 0, 0, zone)
        same(read(out, "zone_arrival_probability")[k], 1 - share_above(arrival, weights, 1e300), 1e-9, 1e-12,
             f"{zone}: probability of an arrival")
        level = sum((height >= t).astype(int) for t in thresholds)
        unknown = np.isnan([threat_of(z) for z in all_of]) & (level == 0)
        expected = [weights[unknown].sum()] + [weights[~unknown & (level == n)].sum()
                                               for n in range(len(thresholds) + 1)]
        for s, share in enumerate(expected):
            same(states[k, s], share / total, 1e-12, 1e-12, f"{zone}: state {s}")


def check_series(folder, out, names, weights):
    eta = np.array([read(f"{folder}/{n}/gauges.nc", "eta") for n in names])
    percentile, mean = read(out, "series_percentile"), read(out, "series_mean")
    largest = read(out, "series_max_percentile")
    for s in range(len(GAUGES)):
        for p, percent in enumerate(PERCENTS):
            expected = quantile(np.nanmax(eta[:, :, s], axis=1), weights, percent)
            same(largest[s, p], expected, 0, 0, f"largest at gauge {s}")
    for t, s in np.ndindex(eta.shape[1:]):
        has = ~np.isnan(eta[:, t, s])
        for p, percent in enumerate(PERCENTS):
            expected = quantile(eta[has, t, s], weights[has], percent)
            same(percentile[p, t, s], expected, 0, 0, f"series {t},{s}")
        expected = (eta[has, t, s] * weights[has]).sum() / weights[has].sum() if has.any() else np.nan
        same(mean[t, s], expected, 1e-6, 1e-7, f"series mean {t},{s}")


def check(folder, *pairs):
    for weights, out in zip(pairs[::2], pairs[1::2]):
        check_one(folder, f"{folder}/summary-{weights}.json", out)


def check_one(folder, summary, out):
    with open(summary) as f:
        runs = [r for r in json.load(f)["runs"] if r["state"] == "passed"]
    names = [r["name"] for r in runs]
    weights = np.array([r.get("weight", 1.0) for r in runs])
    weights /= weights.sum()
    path = f"{out}/ensemble.nc"
    assert np.allclose(read(path, "weight"), weights, rtol=1e-14, atol=0)
    with netCDF4.Dataset(path) as f:
        bounds = (f.percentile_relative_bound, f.percentile_absolute_bound_m, f.arrival_median_bound_s)
    eta, flow, arrival = (np.array([read(f"{folder}/{n}/maxima.nc", v) for n in names])
                          for v in ("max_eta", "max_depth", "arrival"))
    where = ~np.isnan(eta).all(axis=0)
    check_heights(path, "max_eta", eta, weights, bounds, where)
    is_land = read(f"{folder}/{names[0]}/maxima.nc", "depth") < 0
    check_heights(path, "flow_depth", flow, weights, bounds, is_land)
    check_arrivals(path, arrival, weights, where, bounds[2])
    check_points(folder, path, names, weights)
    check_zones(folder, path, names, weights)
    check_series(folder, path, names, weights)
    if bounds[0] == 0:
        check_numpy(path, eta, weights, where)
    print("agrees", len(names), "members, bounds", bounds)


if __name__ == "__main__":
    {"make": make, "alter": alter, "check": check}[sys.argv[1]](*sys.argv[2:])
