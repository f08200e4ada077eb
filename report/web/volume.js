// Volumes of a report's page: three planes through a point, with fields, frames, an anatomical image, lines and
// marks, on canvases. It needs no library. The data are unpacked by the browser (DecompressionStream); where that
// is missing the pictures stay. Axes are 0: x, 1: y, 2: z; positions are in mm. (docs/report.md, "The page's data")
(function () {
  'use strict';

  var page = window.fathomPage, make = page.make;
  var names = ['x', 'y', 'z'], low = ['L', 'P', 'I'], high = ['R', 'A', 'S'];
  var planes = [{ name: 'Axial', normal: 2, across: 0, up: 1 }, { name: 'Coronal', normal: 1, across: 0, up: 2 },
    { name: 'Sagittal', normal: 0, across: 1, up: 2 }];
  var INFINITE = 65535, air = [140, 152, 163];
  var lineColours = ['#0b7a3b', '#1747c7', '#b0008a', '#111111'];
  var tissueColours = ['#e8b48c', '#e9e2c8', '#d98ba0', '#8fb4d9', '#a8d08d', '#c9a6d8', '#f2d16b', '#8ccfc4', '#d9a066',
    '#b0b7bd', '#e58e73', '#9fa8da'];

  // ---- codes

  function unpack(text, count) {
    var raw = atob(text), bytes = new Uint8Array(raw.length);
    for (var k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
    var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Response(stream).arrayBuffer().then(function (buffer) {
      var split = new Uint8Array(buffer), codes = new Uint16Array(count), now = 0;
      if (split.length !== 2 * count) throw new Error('a volume of ' + split.length + ' bytes, expected ' + 2 * count);
      for (var k = 0; k < count; k++) {
        var word = split[k] | split[count + k] << 8;
        now = now + (word >>> 1 ^ -(word & 1)) & 65535;
        codes[k] = now;
      }
      return codes;
    });
  }

  function countOf(grid) {
    return grid.cells[0] * grid.cells[1] * grid.cells[2];
  }

  function valueOf(field, code) {
    var c = field.code;
    if (code === 0) return NaN;
    if (c.kind === 'whole') return code;
    if (code === INFINITE) return Infinity;
    if (c.kind === 'linear') return c.low + c.step * (code - 1);
    return code === 1 ? 0 : c.low * Math.exp(c.step * (code - 2));
  }

  // Not rounded: lines lie between codes.
  function codeAt(field, value) {
    var c = field.code;
    return c.kind === 'linear' ? 1 + (value - c.low) / c.step : 2 + Math.log(value / c.low) / c.step;
  }

  function cellAt(grid, axis, mm) {
    var i = Math.round((mm - grid.first_mm[axis]) / grid.step_mm[axis] - 1e-9);
    return i >= 0 && i < grid.cells[axis] ? i : -1;
  }

  function codeIn(field, codes, at) {
    var i = cellAt(field, 0, at[0]), j = cellAt(field, 1, at[1]), k = cellAt(field, 2, at[2]);
    return i < 0 || j < 0 || k < 0 || !codes ? -1 : codes[(k * field.cells[1] + j) * field.cells[0] + i];
  }

  // ---- colours: a table of RGBA by code

  function placeIn(legend, value) {
    if (value === Infinity) return 1;
    var place = legend.kind === 'logarithmic' ? Math.log(Math.max(value, legend.low) / legend.low) /
      Math.log(legend.high / legend.low) : (value - legend.low) / (legend.high - legend.low);
    return Math.max(0, Math.min(1, place));
  }

  function colourAt(colours, place) {
    var at = place * (colours.length - 1), k = Math.min(Math.floor(at), colours.length - 2), t = at - k;
    return [0, 1, 2].map(function (c) { return Math.round(colours[k][c] + t * (colours[k + 1][c] - colours[k][c])); });
  }

  function put(table, code, colour, alpha) {
    table.set([colour[0], colour[1], colour[2], alpha], 4 * code);
  }

  function labelTable(v) {
    var table = new Uint8ClampedArray(4 * 65536);
    v.tissues.forEach(function (tissue, k) {
      put(table, tissue.label, tissue.is_void ? air : page.rgb(tissueColours[k % tissueColours.length]),
        tissue.is_void && v.hasAnatomy ? 110 : 255);
    });
    return table;
  }

  // Over an image what is not heated is clear, and air is a veil.
  function tableOf(v, field) {
    if (field.kind === 'labels') return labelTable(v);
    var table = new Uint8ClampedArray(4 * 65536), colours = field.legend.colours.map(page.rgb), clear = 0.02;
    for (var code = 1; code < 65536; code++) {
      var place = placeIn(field.legend, valueOf(field, code));
      put(table, code, colourAt(colours, place), v.hasAnatomy && place < clear ? 0 : 255);
    }
    put(table, 0, air, v.hasAnatomy ? 110 : 255);
    return table;
  }

  function greyTable() {
    var table = new Uint8ClampedArray(4 * 65536);
    for (var level = 1; level < 64; level++) {
      var grey = Math.round(255 * (level - 1) / 62);
      put(table, level, [grey, grey, grey], 255);
    }
    return table;
  }

  // ---- slices

  // The codes of a plane, [up][across]; null: outside the field.
  function sliceOf(field, codes, plane, mm) {
    var n = cellAt(field, plane.normal, mm), nx = field.cells[plane.across], ny = field.cells[plane.up];
    if (n < 0 || !codes) return null;
    var stride = [1, field.cells[0], field.cells[0] * field.cells[1]], slice = new Uint16Array(nx * ny);
    for (var j = 0; j < ny; j++) {
      var from = n * stride[plane.normal] + j * stride[plane.up];
      for (var i = 0; i < nx; i++, from += stride[plane.across]) slice[j * nx + i] = codes[from];
    }
    return { codes: slice, nx: nx, ny: ny, field: field };
  }

  // Air is known from the largest temperature alone.
  function hideAir(v, slice, plane, mm) {
    var main = v.fields[0], airs = main === slice.field ? null : sliceOf(main, v.codes.get(main), plane, mm);
    if (!airs || main.kind !== 'temperature') return;
    for (var j = 0; j < slice.ny; j++) {
      var y = slice.field.first_mm[plane.up] + j * slice.field.step_mm[plane.up], jj = cellAt(main, plane.up, y);
      for (var i = 0; i < slice.nx && jj >= 0; i++) {
        var x = slice.field.first_mm[plane.across] + i * slice.field.step_mm[plane.across];
        var ii = cellAt(main, plane.across, x);
        if (ii >= 0 && airs.codes[jj * airs.nx + ii] === 0) slice.codes[j * slice.nx + i] = 0;
      }
    }
  }

  function paint(panel, slice, table, opacity) {
    if (!slice) return;
    var image = new ImageData(slice.nx, slice.ny), data = image.data, small = make('canvas');
    for (var j = 0; j < slice.ny; j++)
      for (var i = 0; i < slice.nx; i++) {
        var column = panel.isMirrored ? slice.nx - 1 - i : i;
        var from = 4 * slice.codes[j * slice.nx + i], to = 4 * ((slice.ny - 1 - j) * slice.nx + column);
        for (var c = 0; c < 4; c++) data[to + c] = table[from + c];
      }
    small.width = slice.nx;
    small.height = slice.ny;
    small.getContext('2d').putImageData(image, 0, 0);
    var f = slice.field, p = panel.plane, g = panel.context;
    var left = f.first_mm[p.across] + (panel.isMirrored ? slice.nx - 0.5 : -0.5) * f.step_mm[p.across];
    var top = f.first_mm[p.up] + (slice.ny - 0.5) * f.step_mm[p.up];
    g.globalAlpha = opacity;
    g.imageSmoothingEnabled = slice.field.isImage === true;
    g.drawImage(small, panel.x(left), panel.y(top), slice.nx * f.step_mm[p.across] * panel.scale,
      slice.ny * f.step_mm[p.up] * panel.scale);
    g.globalAlpha = 1;
  }

  // ---- lines

  // Marching squares on the codes, straight between the middles of cells; no line passes beside air.
  function traceLevel(panel, slice, level) {
    var nx = slice.nx, c = slice.codes, f = slice.field, p = panel.plane, g = panel.context;
    function point(i, j, di, dj) {
      var a = c[j * nx + i], b = c[(j + dj) * nx + i + di], t = (level - a) / (b - a);
      return [panel.x(f.first_mm[p.across] + (i + t * di) * f.step_mm[p.across]),
        panel.y(f.first_mm[p.up] + (j + t * dj) * f.step_mm[p.up])];
    }
    g.beginPath();
    for (var j = 0; j + 1 < slice.ny; j++)
      for (var i = 0; i + 1 < nx; i++) {
        var k = j * nx + i, a = c[k], b = c[k + 1], d = c[k + nx], e = c[k + nx + 1];
        if (!a || !b || !d || !e) continue;
        var sides = (a >= level) + (b >= level) + (d >= level) + (e >= level);
        if (sides === 0 || sides === 4) continue;
        var cut = [];
        if ((a >= level) !== (b >= level)) cut.push(point(i, j, 1, 0));
        if ((b >= level) !== (e >= level)) cut.push(point(i + 1, j, 0, 1));
        if ((d >= level) !== (e >= level)) cut.push(point(i, j + 1, 1, 0));
        if ((a >= level) !== (d >= level)) cut.push(point(i, j, 0, 1));
        for (var n = 0; n + 1 < cut.length; n += 2) {
          g.moveTo(cut[n][0], cut[n][1]);
          g.lineTo(cut[n + 1][0], cut[n + 1][1]);
        }
      }
  }

  function stroke(g, width, colour) {
    g.lineWidth = width;
    g.strokeStyle = colour;
    g.stroke();
  }

  function drawLevels(v, panel, slice) {
    if (!slice || !v.hasLines) return;
    levelsOf(v, slice.field).forEach(function (level, k) {
      traceLevel(panel, slice, codeAt(slice.field, level));
      stroke(panel.context, 3.2, '#ffffffd0');
      stroke(panel.context, 1.5, lineColours[k % lineColours.length]);
    });
  }

  function levelsOf(v, field) {
    return (v.levels[field.kind === 'frames' ? 'temperature' : field.kind] || []);
  }

  function drawBorders(v, panel, mm) {
    var field = v.fields.find(function (f) { return f.kind === 'labels'; }), p = panel.plane, g = panel.context;
    var slice = field && v.hasBorders ? sliceOf(field, v.codes.get(field), p, mm) : null;
    if (!slice) return;
    var sx = field.step_mm[p.across], sy = field.step_mm[p.up], nx = slice.nx, c = slice.codes;
    g.beginPath();
    for (var j = 0; j < slice.ny; j++)
      for (var i = 0; i < nx; i++) {
        var k = j * nx + i, x = panel.x(field.first_mm[p.across] + (i + 0.5) * sx);
        var y = panel.y(field.first_mm[p.up] + (j + 0.5) * sy);
        if (i + 1 < nx && c[k] !== c[k + 1]) {
          g.moveTo(x, y);
          g.lineTo(x, y + sy * panel.scale);
        }
        if (j + 1 < slice.ny && c[k] !== c[k + nx]) {
          g.moveTo(x, y);
          g.lineTo(panel.x(field.first_mm[p.across] + (i - 0.5) * sx), y);
        }
      }
    stroke(g, 0.8, v.hasAnatomy ? '#7fd3ffa0' : '#20303c90');
  }

  // ---- marks

  var markColours = { hottest: '#c2185b', target: '#0a7d3c', transducer: '#5b2d8e', sensor: '#1f5f99' };

  // Below the names that stand there already.
  function drawName(panel, text, x, y, colour) {
    var g = panel.context, right = panel.box[0] + panel.box[2] - 3;
    g.font = '600 11px sans-serif';
    var width = g.measureText(text).width, from = Math.max(panel.box[0] + 2, Math.min(x + 8, right - width));
    var isTaken = function (other) {
      return other[0] < from + width + 4 && from < other[1] + 4 && Math.abs(other[2] - y) < 13;
    };
    while (panel.taken.some(isTaken)) y += 4;
    panel.taken.push([from, from + width, y]);
    g.textAlign = 'left';
    g.textBaseline = 'middle';
    g.lineWidth = 3;
    g.strokeStyle = '#fffffff0';
    g.strokeText(text, from, y - 7);
    g.fillStyle = colour;
    g.fillText(text, from, y - 7);
  }

  // Solid within a cell's width of the plane, else faint and without a name.
  function drawMark(v, panel, mark, mm) {
    var p = panel.plane, g = panel.context, away = Math.abs(mark.place_mm[p.normal] - mm), r = mark.radius_mm || 0;
    var near = away <= Math.max(1, 1.5 * v.step_mm[p.normal]), x = panel.x(mark.place_mm[p.across]);
    var y = panel.y(mark.place_mm[p.up]), colour = markColours[mark.kind] || '#1f5f99';
    g.globalAlpha = near ? 1 : 0.3;
    g.beginPath();
    if (mark.kind === 'hottest') {
      g.moveTo(x - 6, y - 6);
      g.lineTo(x + 6, y + 6);
      g.moveTo(x + 6, y - 6);
      g.lineTo(x - 6, y + 6);
    } else g.arc(x, y, mark.kind === 'target' ? 6 : 3, 0, 7);
    stroke(g, 3.4, '#ffffffe0');
    stroke(g, 1.6, colour);
    if (r > away) {
      g.beginPath();
      g.arc(x, y, Math.sqrt(r * r - away * away) * panel.scale, 0, 7);
      g.globalAlpha = 1;
      stroke(g, 3.4, '#ffffffd0');
      stroke(g, 1.6, colour);
    }
    if (near) drawName(panel, mark.name, x, y, colour);
    g.globalAlpha = 1;
  }

  // The transducer, often outside the volume: an arrow at the edge then, and the beam's axis.
  function drawTransducer(v, panel, mark) {
    var p = panel.plane, g = panel.context, box = panel.box, to = v.marks.find(function (m) { return m.kind === 'target'; }) ||
      v.marks[0];
    var x = panel.x(mark.place_mm[p.across]), y = panel.y(mark.place_mm[p.up]);
    var tx = panel.x(to.place_mm[p.across]), ty = panel.y(to.place_mm[p.up]), margin = 9, t = 0;
    [[x, tx, box[0] + margin, box[0] + box[2] - margin], [y, ty, box[1] + margin, box[1] + box[3] - margin]]
      .forEach(function (side) {
        [side[2], side[3]].forEach(function (edge, k) {
          if (k === 0 ? side[0] < edge : side[0] > edge) t = Math.max(t, (edge - side[0]) / (side[1] - side[0]) || 0);
        });
      });
    t = Math.min(t, 1);
    var ax = x + t * (tx - x), ay = y + t * (ty - y), angle = Math.atan2(ty - ay, tx - ax), colour = markColours.transducer;
    g.beginPath();
    g.setLineDash([6, 4]);
    g.moveTo(ax, ay);
    g.lineTo(tx, ty);
    stroke(g, 1.4, colour);
    g.setLineDash([]);
    g.beginPath();
    [[9, 0], [-7, 6], [-7, -6]].forEach(function (corner) {
      g.lineTo(ax + corner[0] * Math.cos(angle) - corner[1] * Math.sin(angle),
        ay + corner[0] * Math.sin(angle) + corner[1] * Math.cos(angle));
    });
    g.closePath();
    g.fillStyle = colour;
    g.fill();
    drawName(panel, mark.name, ax, Math.max(ay, box[1] + 18), colour);
  }

  // ---- a panel

  function ticksOf(from, to, most) {
    var raw = (to - from) / most, power = Math.pow(10, Math.floor(Math.log10(raw)));
    var step = [1, 2, 5, 10].map(function (f) { return f * power; }).find(function (s) { return s >= raw; });
    var ticks = [];
    for (var k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k++) ticks.push(Number((k * step).toPrecision(10)));
    return ticks;
  }

  function axisUnit(v) {
    return v.scanner ? ' along the slices (mm)' : ' (mm)';
  }

  function drawAxes(v, panel) {
    var p = panel.plane, g = panel.context, b = panel.box, style = getComputedStyle(document.documentElement);
    g.strokeStyle = g.fillStyle = style.getPropertyValue('--text').trim();
    g.lineWidth = 1;
    g.strokeRect(b[0] + 0.5, b[1] + 0.5, b[2] - 1, b[3] - 1);
    g.font = '11px sans-serif';
    g.textAlign = 'center';
    g.textBaseline = 'top';
    ticksOf(panel.view[p.across][0], panel.view[p.across][1], b[2] / 55).forEach(function (t) {
      g.fillRect(panel.x(t), b[1] + b[3], 1, 4);
      g.fillText(page.withMinus(t), panel.x(t), b[1] + b[3] + 6);
    });
    g.fillText(names[p.across] + axisUnit(v), b[0] + b[2] / 2, b[1] + b[3] + 20);
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    ticksOf(panel.view[p.up][0], panel.view[p.up][1], b[3] / 40).forEach(function (t) {
      g.fillRect(b[0] - 4, panel.y(t), 4, 1);
      g.fillText(page.withMinus(t), b[0] - 6, panel.y(t));
    });
    g.save();
    g.translate(9, b[1] + b[3] / 2);
    g.rotate(-Math.PI / 2);
    g.textAlign = 'center';
    g.fillText(names[p.up] + axisUnit(v), 0, 0);
    g.restore();
  }

  // The letters at the left and at the right.
  function sidesOf(panel) {
    var sides = [low[panel.plane.across], high[panel.plane.across]];
    return panel.isMirrored ? sides.reverse() : sides;
  }

  function drawLetters(v, panel) {
    if (!v.is_oriented) return;
    var p = panel.plane, g = panel.context, b = panel.box;
    var sides = sidesOf(panel);
    [[sides[0], b[0] + 11, b[1] + b[3] / 2], [sides[1], b[0] + b[2] - 11, b[1] + b[3] / 2],
      [low[p.up], b[0] + b[2] / 2, b[1] + b[3] - 12], [high[p.up], b[0] + b[2] / 2, b[1] + 12]].forEach(function (letter) {
      g.font = '700 15px sans-serif';
      g.textAlign = 'center';
      g.textBaseline = 'middle';
      g.lineWidth = 4;
      g.strokeStyle = '#fffffff0';
      g.strokeText(letter[0], letter[1], letter[2]);
      g.fillStyle = '#111';
      g.fillText(letter[0], letter[1], letter[2]);
    });
  }

  // Lines to the other two planes.
  function drawCrosshair(v, panel) {
    var p = panel.plane, g = panel.context, b = panel.box, x = panel.x(v.at[p.across]), y = panel.y(v.at[p.up]), gap = 10;
    g.beginPath();
    [[b[0], y, x - gap, y], [x + gap, y, b[0] + b[2], y], [x, b[1], x, y - gap], [x, y + gap, x, b[1] + b[3]]].forEach(
      function (line) {
        g.moveTo(line[0], line[1]);
        g.lineTo(line[2], line[3]);
      });
    stroke(g, 0.8, v.hasAnatomy ? '#ffd54fb0' : '#30404c80');
  }

  // The same scale in all planes.
  function layOut(v) {
    var widest = Math.max.apply(null, v.panels.map(function (panel) { return extent(v, panel.plane.across); }));
    var width = Math.max(200, v.panels[0].canvas.parentNode.clientWidth), left = 46, right = 6, top = 4, bottom = 36;
    var tallest = Math.max.apply(null, v.panels.map(function (panel) { return extent(v, panel.plane.up); }));
    var scale = Math.min((width - left - right) / widest, 620 / tallest);
    v.panels.forEach(function (panel) {
      var p = panel.plane, w = extent(v, p.across) * scale, h = extent(v, p.up) * scale, ratio = window.devicePixelRatio || 1;
      panel.scale = scale;
      panel.view = v.view;
      panel.box = [left, top, w, h];
      panel.canvas.width = Math.round((left + w + right) * ratio);
      panel.canvas.height = Math.round((top + h + bottom) * ratio);
      panel.canvas.style.width = left + w + right + 'px';
      panel.canvas.style.height = top + h + bottom + 'px';
      panel.context = panel.canvas.getContext('2d');
      panel.context.scale(ratio, ratio);
      panel.isMirrored = v.isRadiological && p.across === 0;
      panel.x = function (mm) {
        return left + (panel.isMirrored ? v.view[p.across][1] - mm : mm - v.view[p.across][0]) * scale;
      };
      panel.y = function (mm) { return top + (v.view[p.up][1] - mm) * scale; };
      describe(v, panel);
    });
  }

  function extent(v, axis) {
    return v.view[axis][1] - v.view[axis][0];
  }

  function drawPanel(v, panel) {
    var g = panel.context, b = panel.box, p = panel.plane, mm = v.at[p.normal], field = v.field;
    g.clearRect(0, 0, panel.canvas.width, panel.canvas.height);
    panel.taken = [];
    g.save();
    g.beginPath();
    g.rect(b[0], b[1], b[2], b[3]);
    g.clip();
    var slice = sliceOf(field, codesOf(v, field), p, mm);
    if (v.hasAnatomy) paint(panel, sliceOf(v.anatomy, v.codes.get(v.anatomy), p, mm), v.tables.grey, 1);
    if (slice) {
      hideAir(v, slice, p, mm);
      paint(panel, slice, tableFor(v, field), v.hasAnatomy ? v.opacity : 1);
    }
    drawBorders(v, panel, mm);
    drawLevels(v, panel, slice);
    drawCrosshair(v, panel);
    if (v.hasMarks)
      v.marks.forEach(function (mark) {
        if (mark.kind === 'transducer') drawTransducer(v, panel, mark);
        else drawMark(v, panel, mark, mm);
      });
    drawLetters(v, panel);
    g.restore();
    drawAxes(v, panel);
    panel.slider.value = cellAt(v.sliderGrid, p.normal, mm);
    panel.text.textContent = names[p.normal] + ' = ' + page.withMinus(mm.toFixed(1)) + ' mm' +
      (v.scanner ? ' along the slices' : '');
  }

  function draw(v) {
    v.panels.forEach(function (panel) { drawPanel(v, panel); });
  }

  function tableFor(v, field) {
    var key = field.kind + (v.hasAnatomy ? ' over' : '');
    if (!v.tables[key]) v.tables[key] = tableOf(v, field);
    return v.tables[key];
  }

  function codesOf(v, field) {
    return field.kind === 'frames' ? v.frames[v.frame] : v.codes.get(field);
  }

  // ---- what the pointer shows

  function tissueAt(v, at) {
    var field = v.fields.find(function (f) { return f.kind === 'labels'; });
    var code = field ? codeIn(field, v.codes.get(field), at) : -1;
    var tissue = v.tissues.find(function (t) { return t.label === code; });
    return tissue ? tissue.name || 'label ' + code : code >= 0 ? 'label ' + code : '';
  }

  function valueText(v, at) {
    var field = v.field, code = codeIn(field, codesOf(v, field), at), value = valueOf(field, code), main = v.fields[0];
    if (code < 0) return 'not stored here';
    if (main.kind === 'temperature' && codeIn(main, v.codes.get(main), at) === 0) return 'not computed (air)';
    if (field.kind === 'labels') return '';
    if (value === Infinity) return '∞ ' + field.legend.unit;
    if (field.code.kind === 'logarithmic' && code === 1) return 'below ' + field.code.low + ' ' + field.legend.unit;
    return (field.code.kind === 'linear' ? page.withMinus(value.toFixed(2)) : page.number(value)) + ' ' + field.legend.unit;
  }

  // Between tilted slices the planes run along these; positions are the scanner's.
  function scannerAt(v, at) {
    return !v.scanner ? at : names.map(function (name, row) {
      var m = v.scanner.slice(4 * row, 4 * row + 4);
      return m[0] * at[0] + m[1] * at[1] + m[2] * at[2] + m[3];
    });
  }

  function showValue(v, at, panel) {
    var place = scannerAt(v, at);
    var parts = [valueText(v, at), tissueAt(v, at), names.map(function (name, axis) {
      return name + ' ' + page.withMinus(place[axis].toFixed(1));
    }).join(', ') + ' mm' + (v.scanner ? ' (scanner)' : '')].filter(Boolean);
    v.readout.textContent = (panel ? '' : 'At the lines: ') + parts.join(' · ');
  }

  function placeOf(v, panel, event) {
    var box = panel.canvas.getBoundingClientRect(), p = panel.plane, at = v.at.slice();
    var along = (event.clientX - box.left - panel.box[0]) / panel.scale;
    at[p.across] = panel.isMirrored ? v.view[p.across][1] - along : v.view[p.across][0] + along;
    at[p.up] = v.view[p.up][1] - (event.clientY - box.top - panel.box[1]) / panel.scale;
    return [p.across, p.up].every(function (axis) { return at[axis] >= v.view[axis][0] && at[axis] <= v.view[axis][1]; })
      ? at : null;
  }

  // To the middles of cells, so that the value shown is that of the plane.
  function moveTo(v, at) {
    v.at = at.map(function (mm, axis) {
      var g = v.sliderGrid, i = Math.round((mm - g.first_mm[axis]) / g.step_mm[axis]);
      return g.first_mm[axis] + Math.max(0, Math.min(g.cells[axis] - 1, i)) * g.step_mm[axis];
    });
    draw(v);
    showValue(v, v.at, null);
  }

  function addPointer(v, panel) {
    panel.canvas.addEventListener('pointermove', function (event) {
      var at = placeOf(v, panel, event);
      if (at && event.buttons & 1) moveTo(v, at);
      else if (at) showValue(v, at, panel);
    });
    panel.canvas.addEventListener('pointerdown', function (event) {
      var at = placeOf(v, panel, event);
      if (at) moveTo(v, at);
    });
    panel.canvas.addEventListener('pointerleave', function () { showValue(v, v.at, null); });
  }

  // ---- controls

  function makePanel(v, plane) {
    var box = make('div', 'plane'), head = make('div', 'plane-head'), row = make('div', 'slider');
    var panel = { plane: plane, canvas: make('canvas'), slider: make('input'), text: make('output') };
    head.appendChild(make('b', '', plane.name));
    panel.canvas.setAttribute('role', 'img');
    panel.slider.type = 'range';
    panel.slider.min = 0;
    panel.slider.max = v.sliderGrid.cells[plane.normal] - 1;
    panel.slider.setAttribute('aria-label', plane.name + ' plane: position along ' + names[plane.normal]);
    panel.slider.addEventListener('input', function () {
      var at = v.at.slice(), g = v.sliderGrid;
      at[plane.normal] = g.first_mm[plane.normal] + Number(panel.slider.value) * g.step_mm[plane.normal];
      moveTo(v, at);
    });
    [panel.slider, panel.text].forEach(function (part) { row.appendChild(part); });
    [head, panel.canvas, row].forEach(function (part) { box.appendChild(part); });
    return { panel: panel, box: box };
  }

  function describe(v, panel) {
    var plane = panel.plane, sides = sidesOf(panel);
    panel.canvas.setAttribute('aria-label', plane.name + ' plane: ' + (v.is_oriented
      ? 'left ' + sides[0] + ', right ' + sides[1] + ', top ' + high[plane.up] + ', bottom ' + low[plane.up]
      : names[plane.across] + ' to the right, ' + names[plane.up] + ' up'));
  }

  function choices(label, items, isChosen, choose) {
    var box = make('div', 'choices');
    box.setAttribute('role', 'group');
    box.setAttribute('aria-label', label);
    items.forEach(function (item) {
      var button = make('button', 'choice', item.name);
      button.addEventListener('click', function () { choose(item); });
      item.button = button;
      box.appendChild(button);
    });
    box.mark = function () {
      items.forEach(function (item) { item.button.setAttribute('aria-pressed', isChosen(item) ? 'true' : 'false'); });
    };
    box.mark();
    return box;
  }

  function check(label, isOn, change) {
    var box = make('label', 'check'), input = make('input');
    input.type = 'checkbox';
    input.checked = isOn;
    input.addEventListener('change', function () { change(input.checked); });
    box.appendChild(input);
    box.appendChild(document.createTextNode(' ' + label));
    return box;
  }

  function swatch(colour, text, isLine) {
    var item = make('span', 'swatch'), mark = make('i', isLine ? 'line' : '');
    mark.style.background = colour;
    item.appendChild(mark);
    item.appendChild(document.createTextNode(text));
    return item;
  }

  // Whether a field has less of the volume than the first one.
  function isPart(v, field) {
    return [0, 1, 2].some(function (axis) {
      return field.cells[axis] * field.step_mm[axis] < v.fields[0].cells[axis] * v.fields[0].step_mm[axis] -
        0.5 * field.step_mm[axis];
    });
  }

  function showLegend(v) {
    var field = v.field, list = make('div', 'swatches');
    v.legend.textContent = '';
    if (field.kind === 'labels')
      v.tissues.forEach(function (tissue, k) {
        list.appendChild(swatch(tissue.is_void ? 'rgb(' + air + ')' : tissueColours[k % tissueColours.length],
          tissue.name || 'label ' + tissue.label));
      });
    else {
      v.legend.appendChild(page.legendElement(field));
      levelsOf(v, field).forEach(function (level, k) {
        list.appendChild(swatch(lineColours[k % lineColours.length], level + (field.kind === 'dose' ? ' CEM43' : ' °C'), true));
      });
      list.appendChild(swatch('rgb(' + air + ')', 'air'));
      if (isPart(v, field)) list.appendChild(swatch('transparent', 'not stored'));
      if (v.hasAnatomy) list.appendChild(swatch('transparent', 'image alone: not heated'));
    }
    v.legend.appendChild(list);
  }

  function choose(v, field) {
    v.field = field;
    v.fieldChoices.mark();
    showLegend(v);
    draw(v);
    showValue(v, v.at, null);
  }

  function setView(v, isClose) {
    var box = isClose ? v.close : v.whole;
    v.isClose = isClose;
    v.view = [0, 1, 2].map(function (axis) { return [box[2 * axis], box[2 * axis + 1]]; });
    layOut(v);
    draw(v);
  }

  function addTime(v, place) {
    var field = v.fields.find(function (f) { return f.kind === 'frames'; });
    if (!field || field.frames.length < 2) return;
    var box = make('div', 'slider time'), play = make('button', 'play', '▶'), slider = make('input'), text = make('output');
    var timer = null;
    play.title = 'Play';
    slider.type = 'range';
    slider.min = 0;
    slider.max = field.frames.length - 1;
    slider.value = v.frame;
    slider.setAttribute('aria-label', 'Time');
    function showTime() { text.textContent = page.timeText(field.times_s[v.frame]); }
    function show() {
      v.frame = Number(slider.value);
      showTime();
      unpackFrame(v, field, v.frame).then(function () { choose(v, field); });
    }
    function stop() {
      clearInterval(timer);
      timer = null;
      play.textContent = '▶';
    }
    slider.addEventListener('input', function () {
      stop();
      show();
    });
    play.addEventListener('click', function () {
      if (timer !== null) return stop();
      play.textContent = '❚❚';
      timer = setInterval(function () {
        slider.value = (Number(slider.value) + 1) % field.frames.length;
        show();
      }, 350);
    });
    page.clockListeners.push(showTime);
    showTime();
    [play, slider, text].forEach(function (part) { box.appendChild(part); });
    place.appendChild(box);
  }

  function unpackFrame(v, field, k) {
    if (v.frames[k]) return Promise.resolve();
    return unpack(field.frames[k], countOf(field)).then(function (codes) { v.frames[k] = codes; });
  }

  function addAnatomy(v, place) {
    if (!v.anatomy) return;
    var slider = make('input'), label = make('label', 'check opacity', 'Colours over the image ');
    slider.type = 'range';
    slider.min = 0;
    slider.max = 100;
    slider.value = 100 * v.opacity;
    slider.setAttribute('aria-label', 'Opacity of the colours over the image');
    slider.addEventListener('input', function () {
      v.opacity = Number(slider.value) / 100;
      draw(v);
    });
    label.appendChild(slider);
    place.appendChild(check('Image', true, function (isOn) {
      v.hasAnatomy = isOn;
      showLegend(v);
      draw(v);
    }));
    place.appendChild(label);
  }

  function addGoTo(v, place) {
    var list = make('select'), label = make('label', 'check', 'Go to ');
    v.marks.forEach(function (mark, k) {
      var item = make('option', '', mark.name);
      item.value = k;
      list.appendChild(item);
    });
    list.addEventListener('change', function () { moveTo(v, v.marks[list.value].place_mm); });
    label.appendChild(list);
    place.appendChild(label);
  }

  // Neurologists show the body's right on the right, radiologists on the left.
  function addConvention(v, place) {
    if (!v.is_oriented) return;
    var views = [{ name: 'Neurological: R right', isOn: false }, { name: 'Radiological: R left', isOn: true }];
    var box = choices('Convention', views, function (view) { return view.isOn === v.isRadiological; }, function (view) {
      v.isRadiological = view.isOn;
      box.mark();
      layOut(v);
      draw(v);
    });
    place.appendChild(box);
  }

  function addOptions(v, place) {
    if (v.close) {
      var parts = [{ name: 'Whole', isClose: false }, { name: 'Heated part', isClose: true }];
      var box = choices('Part of the volume', parts, function (part) { return part.isClose === v.isClose; }, function (part) {
        setView(v, part.isClose);
        box.mark();
      });
      place.appendChild(box);
    }
    addConvention(v, place);
    addGoTo(v, place);
    [['Lines', 'hasLines'], ['Tissue borders', 'hasBorders'], ['Marks', 'hasMarks']].forEach(function (pair) {
      place.appendChild(check(pair[0], true, function (isOn) {
        v[pair[1]] = isOn;
        draw(v);
      }));
    });
    addAnatomy(v, place);
  }

  // ---- all

  // The frame nearest to the time of the largest temperature; the last one if that is not known.
  function warmestFrame(v) {
    var field = v.fields.find(function (f) { return f.kind === 'frames'; }), best = 0;
    if (!field) return 0;
    if (typeof v.hottest_s !== 'number') return field.frames.length - 1;
    field.times_s.forEach(function (t, k) {
      if (Math.abs(t - v.hottest_s) < Math.abs(field.times_s[best] - v.hottest_s)) best = k;
    });
    return best;
  }

  function prepare(v) {
    v.at = v.marks[0].place_mm.slice();
    v.sliderGrid = v.fields[0];
    v.step_mm = v.sliderGrid.step_mm;
    v.field = v.fields[0];
    v.hasLines = v.hasBorders = v.hasMarks = true;
    v.isRadiological = false;
    v.hasAnatomy = Boolean(v.anatomy);
    v.opacity = 0.75;
    v.tables = { grey: greyTable() };
    v.isClose = false;
    if (v.anatomy) v.anatomy.isImage = true;
    v.frame = warmestFrame(v);
  }

  function build(element, v) {
    var controls = make('div', 'below'), options = make('div', 'below'), grid = make('div', 'planes'), foot = make('div', 'below');
    v.readout = make('div', 'readout wide');
    v.legend = make('div', 'legend');
    v.fieldChoices = choices('Field', v.fields, function (field) { return field === v.field; }, function (field) {
      if (field.kind !== 'frames') return choose(v, field);
      unpackFrame(v, field, v.frame).then(function () { choose(v, field); });
    });
    controls.appendChild(v.fieldChoices);
    v.panels = planes.filter(function (plane) {
      return v.sliderGrid.cells[plane.across] > 1 && v.sliderGrid.cells[plane.up] > 1;
    }).map(function (plane) {
      var made = makePanel(v, plane);
      grid.appendChild(made.box);
      addPointer(v, made.panel);
      return made.panel;
    });
    addOptions(v, options);
    addTime(v, controls);
    foot.appendChild(v.legend);
    [controls, options, grid, v.readout, foot, make('p', 'soft', v.note)].forEach(function (part) { element.appendChild(part); });
    element.hidden = false;
    setView(v, false);
    showLegend(v);
    moveTo(v, v.at);
    window.addEventListener('resize', function () {
      layOut(v);
      draw(v);
    });
    document.body.classList.add('has-maps');
    element.dataset.ready = 'true';
  }

  // Frames are unpacked when they are shown.
  window.fathomPage.buildVolume = function (element, v) {
    if (typeof DecompressionStream === 'undefined' || !v.fields.length) return null;
    prepare(v);
    v.codes = new Map();
    v.frames = [];
    var all = v.fields.filter(function (field) { return field.data; }).concat(v.anatomy ? [v.anatomy] : []);
    var waiting = all.map(function (field) {
      return unpack(field.data, countOf(field)).then(function (codes) {
        v.codes.set(field, codes);
        delete field.data;
      });
    });
    if (v.field.kind === 'frames') waiting.push(unpackFrame(v, v.field, v.frame));
    Promise.all(waiting).then(function () { build(element, v); });
    return v;
  };
})();
