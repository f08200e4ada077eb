// The script of a report's page: tables that sort, clocks, maps (Leaflet) and series (Chart.js). It is generic:
// what is shown stands in the page as JSON (docs/report.md, "The page's data"). Without the libraries, or where
// something fails, the pictures stay. volume.js, which draws volumes, follows and uses `fathomPage`.
(function () {
  'use strict';

  function make(name, className, text) {
    var element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  // ---- numbers and times

  function withMinus(text) {
    return String(text).replace('-', '−');
  }

  function number(value) {
    var size = Math.abs(value);
    if (size >= 1000 && size < 1e7) return withMinus(value.toFixed(0));
    return withMinus(size === 0 || (size >= 1e-4 && size < 1e7) ? Number(value.toPrecision(3)) : value.toPrecision(3));
  }

  function two(value) {
    return (value < 10 ? '0' : '') + value;
  }

  function duration(seconds) {
    var sign = seconds < 0 ? '−' : '', s = Math.abs(seconds), rest = Math.round(s);
    if (s < 60) return sign + number(s) + ' s';
    if (rest < 3600) return sign + Math.floor(rest / 60) + ' min ' + two(rest % 60) + ' s';
    var minutes = Math.round(s / 60);
    return sign + Math.floor(minutes / 60) + ' h ' + two(minutes % 60) + ' min';
  }

  var months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  var clock = { offset: 0, origin: null };

  function zone(hours) {
    var size = Math.abs(hours), whole = Math.floor(size), minutes = Math.round((size - whole) * 60);
    return 'UTC' + (hours === 0 ? '' : (hours < 0 ? '−' : '+') + whole + (minutes ? ':' + two(minutes) : ''));
  }

  function clockText(epoch) {
    var date = new Date((epoch + 30 + 3600 * clock.offset) * 1000);
    return date.getUTCDate() + ' ' + months[date.getUTCMonth()] + ' ' + two(date.getUTCHours()) + ':' +
      two(date.getUTCMinutes()) + ' ' + zone(clock.offset);
  }

  function timeText(seconds) {
    return duration(seconds) + (clock.origin === null ? '' : ' · ' + clockText(clock.origin + seconds));
  }

  var clockListeners = [];
  function showClocks() {
    document.querySelectorAll('time.clock').forEach(function (element) {
      element.textContent = clockText(Number(element.dataset.t));
    });
    clockListeners.forEach(function (listener) { listener(); });
  }

  // A list of offsets; this computer's own is marked.
  function addOffsetChoice(place) {
    var own = -new Date().getTimezoneOffset() / 60, label = make('label', 'offset', 'Times in ');
    var list = make('select'), hours = [0];
    for (var h = -12; h <= 14; h += 0.5) if (h !== 0) hours.push(h);
    [5.75, 8.75, 12.75, own].forEach(function (h) { if (hours.indexOf(h) < 0) hours.push(h); });
    hours.slice(1).sort(function (a, b) { return a - b; }).concat([]).forEach(function (h, k) { hours[k + 1] = h; });
    hours.forEach(function (h) {
      var item = make('option', '', zone(h) + (h === own && h !== 0 ? ' (this computer)' : ''));
      item.value = h;
      list.appendChild(item);
    });
    list.addEventListener('change', function () {
      clock.offset = Number(list.value);
      document.querySelectorAll('.offset select').forEach(function (other) { other.value = list.value; });
      showClocks();
    });
    label.appendChild(list);
    place.appendChild(label);
  }

  // ---- tables

  function keyOf(row, column) {
    var cell = row.cells[column];
    if (!cell) return null;
    var text = cell.dataset.sort !== undefined ? cell.dataset.sort : cell.textContent.trim();
    if (text === '' || text === '–') return null;
    var value = Number(text);
    return isNaN(value) ? text : value;
  }

  // Empty cells come last, whichever way the table is sorted.
  function compare(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * String(a).localeCompare(String(b), undefined, { numeric: true });
  }

  function sortBy(table, column, sign) {
    var body = table.tBodies[0];
    Array.from(body.rows)
      .map(function (row, k) { return { row: row, key: keyOf(row, column), k: k }; })
      .sort(function (a, b) { return compare(a.key, b.key, sign) || a.k - b.k; })
      .forEach(function (item) { body.appendChild(item.row); });
    Array.from(table.tHead.rows[0].cells).forEach(function (cell, k) {
      if (k === column) cell.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
      else cell.removeAttribute('aria-sort');
    });
  }

  function makeSortable(table) {
    if (!table.tHead || !table.tBodies[0]) return;
    Array.from(table.tHead.rows[0].cells).forEach(function (cell, column) {
      var button = make('button', 'sort');
      while (cell.firstChild) button.appendChild(cell.firstChild);
      cell.appendChild(button);
      button.addEventListener('click', function () {
        sortBy(table, column, cell.getAttribute('aria-sort') === 'ascending' ? -1 : 1);
      });
    });
  }

  // ---- colours of a field

  function rgb(colour) {
    return [1, 3, 5].map(function (k) { return parseInt(colour.slice(k, k + 2), 16); });
  }

  function valueAt(legend, place) {
    if (legend.kind === 'logarithmic') return legend.low * Math.pow(legend.high / legend.low, place);
    if (legend.kind === 'symmetric' && legend.knee)
      return legend.knee * Math.sinh((2 * place - 1) * Math.asinh(legend.high / legend.knee));
    return legend.low + place * (legend.high - legend.low);
  }

  // The place 0 … 1 of a colour on the straight lines between the legend's colours.
  function placeOf(legend, pixel) {
    var best = Infinity, place = 0, last = legend.colours.length - 1;
    for (var k = 0; k < last; k++) {
      var a = rgb(legend.colours[k]), b = rgb(legend.colours[k + 1]), dot = 0, length = 0, distance = 0;
      for (var c = 0; c < 3; c++) {
        dot += (pixel[c] - a[c]) * (b[c] - a[c]);
        length += (b[c] - a[c]) * (b[c] - a[c]);
      }
      var t = Math.max(0, Math.min(1, length > 0 ? dot / length : 0));
      for (c = 0; c < 3; c++) distance += Math.pow(a[c] + t * (b[c] - a[c]) - pixel[c], 2);
      if (distance < best) {
        best = distance;
        place = (k + t) / last;
      }
    }
    return place;
  }

  function legendElement(layer) {
    var legend = layer.legend, box = make('div', 'legend');
    box.appendChild(make('b', '', layer.name + (legend.unit ? ' (' + legend.unit + ')' : '')));
    var bar = make('div', 'legend-bar'), ticks = make('div', 'legend-ticks');
    bar.style.background = 'linear-gradient(90deg,' + legend.colours.join(',') + ')';
    var last = -Infinity, wide = 0.16;
    legend.ticks.forEach(function (tick) {
      var mark = make('i');
      mark.style.left = 100 * tick.at + '%';
      bar.appendChild(mark);
      if (tick.at - last < wide) return;
      var text = make('span', '', withMinus(tick.text));
      text.style.left = 100 * tick.at + '%';
      ticks.appendChild(text);
      last = tick.at;
    });
    box.appendChild(bar);
    box.appendChild(ticks);
    if (legend.note) box.appendChild(make('div', 'legend-note', legend.note));
    return box;
  }

  // ---- maps

  var levelColours = ['#2f7d4f', '#e0b400', '#c94a05', '#b3261e', '#7a0a5c', '#3d0a4d'];
  var kindColours = { point: '#8a8a8a', gauge: '#1f5f99', peak: '#111111' };

  function corners(bounds) {
    return [[bounds[1], bounds[0]], [bounds[3], bounds[2]]];
  }

  function image(uri, bounds, pane) {
    return L.imageOverlay(uri, corners(bounds), { className: 'pixels', pane: pane });
  }

  function lineLayers(lines) {
    return lines.map(function (line) {
      var paths = line.paths.map(function (flat) {
        var path = [];
        for (var k = 0; k + 1 < flat.length; k += 2) path.push([flat[k + 1], flat[k]]);
        return path;
      });
      var layers = [L.polyline(paths, { color: line.colour, weight: line.width, opacity: line.opacity,
        dashArray: line.is_dashed ? '5 4' : null, interactive: false, smoothFactor: 0.7 })];
      (line.labels || []).forEach(function (label) {
        layers.push(textMarker([label.y, label.x], label.text, 'line-label', true));
      });
      return L.layerGroup(layers);
    });
  }

  function textMarker(position, text, className, isCentred) {
    var holder = make('div', 'text-marker' + (isCentred ? ' centred' : ''));
    holder.appendChild(make('span', className, text));
    return L.marker(position, { interactive: false, keyboard: false,
      icon: L.divIcon({ className: 'no-icon', html: holder.outerHTML, iconSize: [0, 0] }) });
  }

  function popUp(mark, charts) {
    var box = make('div', 'pop'), rows = make('table');
    box.appendChild(make('b', '', mark.name));
    if (mark.svg) box.appendChild(svgOf(mark.svg));
    mark.rows.forEach(function (pair) {
      var row = make('tr');
      row.appendChild(make('th', '', pair[0]));
      row.appendChild(make('td', '', pair[1]));
      rows.appendChild(row);
    });
    if (mark.arrival_s !== undefined && clock.origin !== null) {
      var row = make('tr');
      row.appendChild(make('th', '', 'At'));
      row.appendChild(make('td', '', clockText(clock.origin + mark.arrival_s)));
      rows.appendChild(row);
    }
    box.appendChild(rows);
    var chart = charts.find(function (candidate) { return candidate.has(mark.name); });
    if (chart) {
      var button = make('button', 'link', 'Series');
      button.addEventListener('click', function () { chart.show(mark.name); });
      box.appendChild(button);
    }
    return box;
  }

  // Of numbers alone: the program writes it.
  function svgOf(text) {
    var holder = make('div', 'ball');
    holder.innerHTML = text;
    return holder;
  }

  function markLayer(mark, charts) {
    var position = [mark.y, mark.x], marker;
    if (mark.svg || mark.kind === 'epicentre') {
      marker = L.marker(position, { icon: L.divIcon({ className: 'no-icon epicentre', iconSize: [24, 24],
        html: '<svg width="24" height="24" viewBox="-12 -12 24 24"><path fill="#d11" stroke="#fff" d="M0-11 ' +
          '2.6-3.6 10.5-3.4 4.2 1.4 6.5 8.9 0 4.4-6.5 8.9-4.2 1.4-10.5-3.4-2.6-3.6Z"/></svg>' }) });
    } else {
      var colour = mark.level !== undefined ? levelColours[Math.min(mark.level, levelColours.length - 1)]
        : kindColours[mark.kind] || '#1f5f99';
      marker = L.circleMarker(position, { radius: mark.kind === 'gauge' ? 5 : 6, color: '#fff', weight: 1.5,
        fillColor: colour, fillOpacity: 1, bubblingMouseEvents: false });
    }
    marker.bindTooltip(make('span', '', mark.name));
    marker.bindPopup(function () { return popUp(mark, charts); }, { maxWidth: 280 });
    return marker;
  }

  // Names beside marks, where there is space: in the order of the list, none over another.
  function placeNames(map, marks, group) {
    group.clearLayers();
    var taken = [], size = map.getSize();
    marks.forEach(function (mark) {
      if (mark.kind === 'epicentre') return;
      var p = map.latLngToContainerPoint([mark.y, mark.x]), width = 7 * mark.name.length + 12;
      var box = [p.x, p.y - 9, p.x + width, p.y + 9];
      if (p.x < 0 || p.y < 0 || box[2] > size.x || p.y > size.y) return;
      var isFree = taken.every(function (other) {
        return box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3];
      });
      if (!isFree) return;
      taken.push(box);
      group.addLayer(textMarker([mark.y, mark.x], mark.name, 'mark-label', false));
    });
  }

  function addMarks(map, m, control, charts) {
    var groups = {}, titles = { point: 'Forecast points', gauge: 'Gauges', peak: 'Largest values',
      epicentre: 'Epicentre' };
    (m.marks || []).forEach(function (mark) {
      if (!groups[mark.kind]) {
        groups[mark.kind] = L.layerGroup();
        if (titles[mark.kind]) control.addOverlay(groups[mark.kind].addTo(map), titles[mark.kind]);
      }
      groups[mark.kind].addLayer(markLayer(mark, charts));
    });
    if (!(m.marks || []).length) return;
    var names = L.layerGroup().addTo(map);
    control.addOverlay(names, 'Names');
    var place = function () {
      if (map.hasLayer(names))
        placeNames(map, m.marks.filter(function (mark) { return map.hasLayer(groups[mark.kind]); }), names);
    };
    map.on('zoomend moveend overlayadd overlayremove', place);
    place();
  }

  function drawLegend(map, holder, layer) {
    holder.textContent = '';
    holder.appendChild(legendElement(layer));
    map.fathomLayer = layer;
  }

  // The value under the pointer, from the image's colours: exact to a step of the colour scale.
  function addReadout(map, m, box) {
    var canvases = {};
    function pixelAt(uri, bounds, at) {
      var canvas = canvases[uri.length + uri.slice(-40)];
      if (canvas === undefined) {
        canvases[uri.length + uri.slice(-40)] = null;
        var picture = new Image();
        picture.onload = function () {
          var drawn = make('canvas');
          drawn.width = picture.width;
          drawn.height = picture.height;
          drawn.getContext('2d', { willReadFrequently: true }).drawImage(picture, 0, 0);
          canvases[uri.length + uri.slice(-40)] = drawn;
        };
        picture.src = uri;
      }
      if (!canvas) return null;
      var i = Math.floor((at.lng - bounds[0]) / (bounds[2] - bounds[0]) * canvas.width);
      var j = Math.floor((bounds[3] - at.lat) / (bounds[3] - bounds[1]) * canvas.height);
      if (i < 0 || j < 0 || i >= canvas.width || j >= canvas.height) return null;
      var pixel = canvas.getContext('2d').getImageData(i, j, 1, 1).data;
      return pixel[3] === 0 ? null : pixel;
    }
    map.on('mousemove', function (event) {
      var layer = map.fathomLayer, at = event.latlng, pixel = null, text;
      if (!layer) return;
      var images = layer.images ? [{ image: layer.images[layer.index], bounds: layer.bounds }]
        : (layer.insets || []).slice().reverse().concat([layer]);
      for (var k = 0; k < images.length && !pixel; k++) pixel = pixelAt(images[k].image, images[k].bounds, at);
      text = placeText(m, at);
      if (pixel) text += ' · ' + valueText(layer.legend, valueAt(layer.legend, placeOf(layer.legend, pixel)));
      box.textContent = text;
    });
    map.on('mouseout', function () { box.textContent = ''; });
  }

  function valueText(legend, value) {
    if (legend.unit) return '≈ ' + Number(value.toPrecision(2)) + ' ' + legend.unit;
    var units = [[1000, 'km', 1e-3], [1, 'm', 1], [0.01, 'cm', 100], [0, 'mm', 1000]];
    var unit = units.find(function (u) { return Math.abs(value) >= u[0]; });
    return '≈ ' + withMinus(Number((value * unit[2]).toPrecision(2))) + ' ' + unit[1];
  }

  function placeText(m, at) {
    if (!m.is_geographic) return 'x ' + number(at.lng) + ', y ' + number(at.lat);
    var x = ((at.lng + 180) % 360 + 360) % 360 - 180;
    return Math.abs(at.lat).toFixed(2) + '°' + (at.lat < 0 ? 'S' : 'N') + ' ' + Math.abs(x).toFixed(2) + '°' +
      (x < 0 ? 'W' : 'E');
  }

  // ---- frames

  function addSlider(map, holder, frames, layer, group) {
    var box = make('div', 'slider'), play = make('button', 'play', '▶'), slider = make('input');
    var text = make('output');
    play.title = 'Play';
    slider.type = 'range';
    slider.min = 0;
    slider.max = frames.images.length - 1;
    slider.value = frames.index;
    slider.setAttribute('aria-label', 'Time');
    var timer = null;
    function showTime() { text.textContent = timeText(frames.times_s[frames.index]); }
    function show() {
      frames.index = Number(slider.value);
      layer.setUrl(frames.images[frames.index]);
      showTime();
    }
    function choose() {
      if (!map.hasLayer(group)) map.fathomChoose(group);
      show();
    }
    function stop() {
      clearInterval(timer);
      timer = null;
      play.textContent = '▶';
    }
    slider.addEventListener('input', function () { stop(); choose(); });
    play.addEventListener('click', function () {
      if (timer !== null) return stop();
      play.textContent = '❚❚';
      timer = setInterval(function () {
        slider.value = (Number(slider.value) + 1) % frames.images.length;
        choose();
      }, 250);
    });
    clockListeners.push(showTime);
    showTime();
    box.appendChild(play);
    box.appendChild(slider);
    box.appendChild(text);
    holder.appendChild(box);
  }

  function crsOf(m) {
    if (!m.is_geographic) return L.CRS.Simple;
    // Plate carrée: images of a grid of longitudes and latitudes fit exactly. A degree of latitude is longer by
    // y_weight, so that shapes in the middle of the map are true.
    return L.extend({}, L.CRS.EPSG4326, {
      transformation: new L.Transformation(1 / 180, 1, -m.y_weight / 180, 0.5) });
  }

  function setHeight(element, m) {
    var b = m.bounds, aspect = (b[2] - b[0]) / ((b[3] - b[1]) * m.y_weight);
    var most = Math.max(260, 0.78 * window.innerHeight);
    element.style.height = Math.round(Math.max(240, Math.min(most, element.clientWidth / aspect))) + 'px';
  }

  function addLayers(map, m, control, holder) {
    var first = null, layers = [];
    function add(layer, group) {
      layers.push([layer, group]);
      control.addBaseLayer(group, layer.name);
      if (!first) {
        first = group.addTo(map);
        drawLegend(map, holder, layer);
      }
    }
    (m.overlays || []).forEach(function (overlay) {
      var parts = [image(overlay.image, overlay.bounds, 'fields')];
      (overlay.insets || []).forEach(function (inset) { parts.push(image(inset.image, inset.bounds, 'fields')); });
      add(overlay, L.layerGroup(parts.concat(lineLayers(overlay.lines || []))));
    });
    map.on('baselayerchange', function (event) {
      layers.forEach(function (pair) { if (pair[1] === event.layer) drawLegend(map, holder, pair[0]); });
    });
    map.fathomChoose = function (group) {
      layers.forEach(function (pair) {
        if (pair[1] === group) {
          map.addLayer(group);
          drawLegend(map, holder, pair[0]);
        } else map.removeLayer(pair[1]);
      });
    };
    return add;
  }

  // Lines of one name are shown and hidden together.
  function addLines(map, m, control) {
    var groups = {};
    (m.lines || []).forEach(function (line) {
      var layer = lineLayers([line])[0];
      if (groups[line.name]) return groups[line.name].addLayer(layer);
      groups[line.name] = L.layerGroup([layer]);
      if (!line.is_off) groups[line.name].addTo(map);
      control.addOverlay(groups[line.name], line.name);
    });
  }

  function swatchesElement(swatches) {
    var box = make('div', 'swatches');
    box.appendChild(make('b', '', swatches.title));
    swatches.list.forEach(function (item) {
      var swatch = make('span', 'swatch', item.text), colour = make('i');
      colour.style.background = item.colour;
      swatch.insertBefore(colour, swatch.firstChild);
      box.appendChild(swatch);
    });
    return box;
  }

  function buildMap(element, m, charts) {
    var canvas = make('div', 'map'), below = make('div', 'below'), legend = make('div'), readout = make('div', 'readout');
    element.hidden = false;
    element.appendChild(canvas);
    setHeight(canvas, m);
    var map = L.map(canvas, { crs: crsOf(m), zoomSnap: 0, zoomDelta: 0.75, wheelPxPerZoomLevel: 90, minZoom: -24,
      maxZoom: 24, attributionControl: false, preferCanvas: (m.marks || []).length > 300, maxBoundsViscosity: 0.8, zoomAnimation: true });
    map.fitBounds(corners(m.bounds), { padding: [0, 0], animate: false });
    map.setMinZoom(map.getZoom() - 0.5);
    map.createPane('ground').style.zIndex = 200;
    map.createPane('fields').style.zIndex = 300;
    var control = L.control.layers({}, {}, { collapsed: canvas.clientWidth < 900 }).addTo(map);
    if (m.base) image(m.base.image, m.base.bounds, 'ground').addTo(map);
    var add = addLayers(map, m, control, legend);
    if (m.frames && m.frames.images.length) {
      var frames = m.frames, start = image(frames.images[0], frames.bounds, 'fields'), group = L.layerGroup([start]);
      frames.index = 0;
      add(frames, group);
      addSlider(map, below, frames, start, group);
    }
    addLines(map, m, control);
    addMarks(map, m, control, charts);
    if (m.is_geographic || m.metres_per_unit === 1) L.control.scale({ imperial: false }).addTo(map);
    below.appendChild(legend);
    if (m.swatches) below.appendChild(swatchesElement(m.swatches));
    below.appendChild(readout);
    element.appendChild(below);
    addReadout(map, m, readout);
    window.addEventListener('resize', function () { setHeight(canvas, m); map.invalidateSize(); });
    return map;
  }

  // ---- series

  function pointsOf(series, unit_s) {
    return series.values.map(function (value, k) {
      var t = series.times_s ? series.times_s[k] : series.first_s + k * series.step_s;
      return { x: t / unit_s, y: value === null ? NaN : value };
    });
  }

  // Names and units of the axes: those of the series, else of the chart.
  function axesOf(c, series) {
    return {
      title: series.title || c.title, unit: series.unit || c.unit, across: series.across, range: series.range,
      type: series.is_logarithmic ? 'logarithmic' : 'linear',
      bottom: series.across ? series.across + ' (' + series.across_unit + ')'
        : 'Time after the start (' + c.time_unit + ')',
      at: function (x) {
        return series.across ? series.across + ' ' + number(x) + ' ' + series.across_unit : timeText(x * c.time_unit_s);
      }
    };
  }

  // Temperatures to a hundredth, other values to three digits.
  function valueIn(value, unit) {
    return (unit === '°C' ? withMinus(value.toFixed(2)) : number(value)) + ' ' + unit;
  }

  function chartOptions(axes) {
    var part = axes.range ? { min: axes.range[0], max: axes.range[1] } : {};
    var style = getComputedStyle(document.documentElement);
    var text = style.getPropertyValue('--text').trim(), line = style.getPropertyValue('--line').trim();
    function axis(title, more) {
      return Object.assign({ title: { display: true, text: title, color: text }, ticks: { color: text, maxRotation: 0 },
        grid: { color: line } }, more);
    }
    return {
      animation: false, parsing: false, normalized: true, maintainAspectRatio: false,
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      elements: { point: { radius: 0, hoverRadius: 4 }, line: { borderWidth: 1.6 } },
      scales: { x: axis(axes.bottom, Object.assign({ type: 'linear' }, part)), y: axis(axes.title + ' (' + axes.unit + ')', { type: axes.type }) },
      plugins: {
        legend: { labels: { color: text, boxHeight: 1, boxWidth: 24 } },
        tooltip: { callbacks: {
          title: function (items) { return items.length ? axes.at(items[0].parsed.x) : ''; },
          label: function (item) { return item.dataset.label + ': ' + valueIn(item.parsed.y, axes.unit); }
        } }
      }
    };
  }

  // Drag over the chart to see that time alone; a double click shows all.
  function addZoom(canvas, chart, hint) {
    var from = null;
    function valueOf(event) {
      return chart.scales.x.getValueForPixel(event.clientX - canvas.getBoundingClientRect().left);
    }
    canvas.addEventListener('pointerdown', function (event) { from = valueOf(event); });
    canvas.addEventListener('pointerup', function (event) {
      var to = valueOf(event), x = chart.options.scales.x;
      if (from !== null && Math.abs(to - from) > 0.02 * (chart.scales.x.max - chart.scales.x.min)) {
        x.min = Math.min(from, to);
        x.max = Math.max(from, to);
        chart.update();
      }
      from = null;
    });
    canvas.addEventListener('dblclick', function () { reset(chart); });
    hint.textContent = 'Drag across a part to enlarge it, double click to see all.';
  }

  function reset(chart) {
    delete chart.options.scales.x.min;
    delete chart.options.scales.x.max;
    chart.update();
  }

  function buildChart(element, c) {
    if (!c.series.length) return null;
    var list = make('select'), label = make('label', '', c.choice + ' '), holder = make('div', 'chart');
    var canvas = make('canvas'), hint = make('p', 'soft');
    element.hidden = false;
    c.series.forEach(function (series, k) {
      var item = make('option', '', series.name);
      item.value = k;
      list.appendChild(item);
    });
    label.appendChild(list);
    [label, holder, hint].forEach(function (part) { element.appendChild(part); });
    holder.appendChild(canvas);
    var chart = new Chart(canvas, { type: 'line', data: { datasets: [] }, options: chartOptions(axesOf(c, c.series[0])) });
    function show() {
      var series = c.series[list.value], axes = axesOf(c, series);
      chart.options = chartOptions(axes);
      chart.data.datasets = series.curves.map(function (curve) {
        return { label: curve.name, data: pointsOf(curve, series.across ? 1 : c.time_unit_s), borderColor: curve.colour,
          backgroundColor: curve.colour };
      });
      chart.update();
    }
    list.addEventListener('change', show);
    addZoom(canvas, chart, hint);
    show();
    return {
      has: function (name) { return c.series.some(function (series) { return series.name === name; }); },
      show: function (name) {
        list.value = c.series.findIndex(function (series) { return series.name === name; });
        show();
        element.scrollIntoView({ behavior: 'smooth', block: 'center' });
      }
    };
  }

  // ---- all

  function eachPlace(items, build) {
    return (items || []).map(function (item) {
      var element = document.getElementById(item.id);
      return element ? build(element, item) : null;
    }).filter(Boolean);
  }

  function start() {
    var block = document.getElementById('page-data'), data = block ? JSON.parse(block.textContent) : {};
    if (data.origin_s !== undefined) clock.origin = data.origin_s;
    document.querySelectorAll('table.sortable').forEach(makeSortable);
    document.querySelectorAll('.offset-place').forEach(addOffsetChoice);
    var charts = [], maps = [];
    if (typeof Chart !== 'undefined' && parseInt(Chart.version, 10) >= 3)
      charts = eachPlace(data.charts, buildChart);
    if (typeof L !== 'undefined')
      maps = eachPlace(data.maps, function (element, m) { return buildMap(element, m, charts); });
    if (window.fathomPage.buildVolume) eachPlace(data.volumes, window.fathomPage.buildVolume);
    // Pictures that the maps and series replace are for paper then.
    if (maps.length) document.body.classList.add('has-maps');
    if (charts.length) document.body.classList.add('has-charts');
  }

  window.fathomPage = { make: make, number: number, withMinus: withMinus, timeText: timeText, rgb: rgb,
    legendElement: legendElement, clockListeners: clockListeners };
  document.addEventListener('DOMContentLoaded', start);
})();
