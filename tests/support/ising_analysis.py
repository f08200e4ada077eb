"""Computes results.nc, distributions.nc, reweighted.nc and correlations.nc again from series.nc and
configurations.nc, by numpy and the definitions in docs/ising.md alone, and compares. Arguments: the results'
folder; a JSON object {every, thermalisation (null: found), blocks, block_times, coupling, field,
is_cluster_size}. Exit code 77 where a package is missing."""
import json
import sys

try:
    import netCDF4
    import numpy as np
except ImportError as missing:
    print(missing)
    sys.exit(77)


def read(folder, name):
    with netCDF4.Dataset(f'{folder}/{name}.nc') as file:
        return {key: np.asarray(np.ma.filled(variable[:], np.nan)) if variable.dtype.kind == 'f'
                else np.asarray(variable[:]) for key, variable in file.variables.items()}


def same(what, is_there, should, tolerance=1e-9):
    np.testing.assert_allclose(is_there, should, rtol=tolerance, atol=tolerance * 1e-2, err_msg=what)


def covariance(x, lag):
    d = x - x.mean()
    return (d[:len(x) - lag] * d[lag:]).mean()


def autocorrelation_time(x):
    """tau, its error, and whether the window W >= 6 tau(W) closed."""
    variance, tau = covariance(x, 0), 0.5
    if variance < 1e-24 * (1 + x.mean() ** 2):
        return 0.5, 0.0, True
    largest = len(x) // min(10, max(2, 50 // x.shape[1]))
    for window in range(1, largest + 1):
        tau += covariance(x, window) / variance
        if window >= 6 * tau:
            break
    return tau, tau * np.sqrt((4 * window + 2) / x.size), window >= 6 * tau


def thermalisation_end(x):
    mean, n = x.mean(axis=1), len(x)
    errors = [mean[d:].var() / (n - d) for d in range(n * 3 // 4 + 1)]
    return int(np.argmin(errors))


def begin(energy, m, job):
    """Where to begin, and whether an end of the way from the start is before half of the measurements."""
    stated = job['thermalisation']
    first = 0 if stated is None else stated // job['every']
    half = (len(energy) - first) // 2
    end = max(thermalisation_end(energy[first:]), thermalisation_end(abs(m[first:])))
    if stated is not None:
        return first, end <= half
    first = min(2 * end, half)
    slowest = max(autocorrelation_time(energy[first:])[0], autocorrelation_time(abs(m[first:]))[0])
    return max(first, min(int(np.ceil(10 * slowest)), half)), end <= half


def blocks_of(x_length, replicas, least, most):
    """Slices of the times, or of the replicas."""
    count = int(x_length / max(1, np.ceil(least)))
    count = min(max(count, min(8, most)), most)
    if replicas > 1 and replicas >= count:
        length = -(-replicas // most)
        count = replicas // length
        first = replicas - count * length
        return [np.s_[:, first + b * length:first + (b + 1) * length] for b in range(count)], True, x_length
    count = min(count, x_length)
    length = x_length // count
    first = x_length - count * length
    return [np.s_[first + b * length:first + (b + 1) * length, :] for b in range(count)], False, length


def jackknife(function, blocks, arrays):
    """Value without bias to the first order, and error, of function(*arrays)."""
    taken = [np.concatenate([a[b].ravel() for b in blocks]) for a in arrays]
    size, count = len(taken[0]) // len(blocks), len(blocks)
    whole = function(*taken)
    without = [function(*[np.delete(a, np.s_[b * size:(b + 1) * size]) for a in taken]) for b in range(count)]
    return (count * whole - (count - 1) * np.mean(without),
            np.sqrt((count - 1) / count * np.sum((without - np.mean(without)) ** 2)))


def quantities(beta, sites):
    mean = lambda x, w: np.average(x, weights=w)
    return {
        'energy': lambda e, m, w: mean(e, w),
        'specific_heat': lambda e, m, w: beta ** 2 * sites * mean((e - mean(e, w)) ** 2, w),
        'magnetisation': lambda e, m, w: mean(m, w),
        'absolute_magnetisation': lambda e, m, w: mean(abs(m), w),
        'magnetisation_squared': lambda e, m, w: mean(m ** 2, w),
        'susceptibility': lambda e, m, w: beta * sites * (mean(m ** 2, w) - mean(abs(m), w) ** 2),
        'binder_cumulant': lambda e, m, w: 1 - mean(m ** 4, w) / (3 * mean(m ** 2, w) ** 2),
    }


def check_results(results, at, series, job, sites):
    energy, m, beta = series['energy'], series['magnetisation'], results['beta'][at]
    first, is_reached = begin(energy, m, job)
    energy, m = energy[first:], m[first:]
    tau_e, error_e, closed_e = autocorrelation_time(energy)
    tau_m, error_m, closed_m = autocorrelation_time(abs(m))
    slowest = max(tau_e, tau_m)
    blocks, of_replicas, length = blocks_of(len(energy), energy.shape[1], job['block_times'] * slowest,
                                            job['blocks'])
    for name, function in quantities(beta, sites).items():
        value, error = jackknife(function, blocks, [energy, m, np.ones_like(m)])
        same(name, results[name][at], value)
        same(name, results[name + '_error'][at], error, 1e-7)
    same('energy_per_bond', results['energy_per_bond'][at], results['energy'][at] / 2)
    same('energy_per_bond_error', results['energy_per_bond_error'][at], results['energy_error'][at] / 2)
    if job['is_cluster_size']:
        value, error = jackknife(np.mean, blocks, [series['cluster_size'][first:]])
        same('cluster_size', results['cluster_size'][at], value)
        same('cluster_size_error', results['cluster_size_error'][at], error)
    else:
        assert np.isnan(results['cluster_size'][at])
    every = job['every']
    is_judged = job['thermalisation'] is None or len(energy) >= 30 * slowest
    is_reliable = energy.size >= 10 * slowest and (is_reached or not is_judged) and (
        of_replicas or (closed_e and closed_m and length >= slowest))
    for name, value in {'tau_energy': every * tau_e, 'tau_energy_error': every * error_e,
                        'tau_absolute_magnetisation': every * tau_m,
                        'tau_absolute_magnetisation_error': every * error_m, 'thermalisation': first * every,
                        'measurements': len(energy), 'independent_measurements': energy.size / (2 * slowest),
                        'blocks': len(blocks), 'block_length': length, 'is_reliable': is_reliable}.items():
        same(name, results[name][at], value)
    return energy, m, blocks, energy.size / (2 * slowest)


def check_distributions(distributions, at, energy, m, job):
    reach = 2 * abs(job['coupling']) + abs(job['field'])
    for name, values, end in (('energy', energy, reach), ('magnetisation', m, 1)):
        density = distributions[name + '_density'][at]
        edges = np.linspace(-end, end, len(density) + 1)
        same('middles', distributions[name], (edges[1:] + edges[:-1]) / 2)
        # A value on an edge, but for rounding, may lie on either side of it.
        low, high = (np.histogram(np.clip(values.ravel() + shift, -end, end), edges)[0].cumsum()
                     for shift in (1e-9, -1e-9))
        below = np.rint(density.cumsum() * (edges[1] - edges[0]) * values.size)
        assert (below[:-1] >= low[:-1]).all() and (below[:-1] <= high[:-1]).all(), name
        same('all', below[-1], values.size)
    for name, values in (('energy', energy), ('absolute_magnetisation', abs(m))):
        rho = [covariance(values, lag) / covariance(values, 0) for lag in range(len(distributions['lag']))]
        same('autocorrelation', distributions[name + '_autocorrelation'][at], rho, 1e-8)
    same('lags', distributions['lag'], np.arange(len(distributions['lag'])) * job['every'])


def check_reweighted(reweighted, at, energy, m, blocks, independent, beta, sites):
    taken = np.concatenate([energy[b].ravel() for b in blocks])
    for k, ratio in enumerate(reweighted['beta_ratio']):
        other = beta * ratio
        same('beta', reweighted['beta_reweighted'][at][k], other)
        weigh = lambda e: np.exp(-(other - beta) * sites * (e - taken.mean()))
        share = weigh(taken).sum() ** 2 / (weigh(taken) ** 2).sum() / len(taken)
        same('effective_share', reweighted['effective_share'][at][k], share)
        for name, function in quantities(other, sites).items():
            if name not in reweighted:
                continue
            value, error = jackknife(function, blocks, [energy, m, weigh(energy)])
            if share * independent < 20:
                value = error = np.nan
            same(name, reweighted[name][at][k], value)
            same(name, reweighted[name + '_error'][at][k], error, 1e-7)


def check_correlations(correlations, at, up, job):
    """`up`: the spins (0, 1) of the correlated moments, [moments][replicas][rows][columns]; periodic."""
    spins = 2.0 * up - 1
    rows, columns = spins.shape[2:]
    sites = rows * columns
    for k, distance in enumerate(correlations['distance'].astype(int)):
        x, y = ((spins * np.roll(spins, -distance, axis)).mean() for axis in (3, 2))
        same('correlation_x', correlations['correlation_x'][at][k], x)
        same('correlation_y', correlations['correlation_y'][at][k], y)
        same('correlation', correlations['correlation'][at][k], (x + y) / 2)
    waves = abs(np.fft.fft2(spins)) ** 2 / sites
    s0 = waves[:, :, 0, 0].mean()
    if job['field']:
        # Of the moments the program has blocks of, whose number decides what is left of the bias: to the
        # first order alone.
        s0 -= sites * spins.mean() ** 2
        same('structure_factor_0', correlations['structure_factor_0'][at], s0, 0.1)
    else:
        same('structure_factor_0', correlations['structure_factor_0'][at], s0)
    same('structure_factor_1', correlations['structure_factor_1'][at],
         (waves[:, :, 0, 1].mean() + waves[:, :, 1, 0].mean()) / 2)
    assert correlations['measurements'][at] == len(spins)


def main(folder, job):
    files = {name: read(folder, name)
             for name in ('series', 'results', 'distributions', 'reweighted', 'correlations',
                          'configurations')}
    series, moments = files['series'], files['configurations']
    columns, rows = int(moments['columns']), moments['spins_packed'].shape[2]
    for name in ('energy', 'magnetisation', 'cluster_size'):
        if name in series and series[name].ndim == 1:
            series[name] = series[name][:, None]
    ends = files['results']['time']
    for at, end in enumerate(ends):
        start = end - ends[0]
        inside = (series['time'] > start) & (series['time'] <= end)
        here = {name: series[name][inside] for name in series if series[name].shape[:1] == inside.shape}
        assert (here['beta'] == files['results']['beta'][at]).all()
        energy, m, blocks, independent = check_results(files['results'], at, here, job, columns * rows)
        check_distributions(files['distributions'], at, energy, m, job)
        check_reweighted(files['reweighted'], at, energy, m, blocks, independent,
                         files['results']['beta'][at], columns * rows)
        dropped = job['thermalisation'] if job['thermalisation'] is not None else ends[0] / 2
        correlated = (moments['time'] > start + dropped) & (moments['time'] <= end)
        up = np.unpackbits(moments['spins_packed'][correlated], axis=-1)[..., :columns]
        check_correlations(files['correlations'], at, up.astype(float), job)


if __name__ == '__main__':
    main(sys.argv[1], json.loads(sys.argv[2]))
