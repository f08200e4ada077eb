#!/usr/bin/env python3
"""Whether the texts of pictures lie in the frame and apart: draws gnuplot's scripts as SVG, and measures
each text by the widths that the font's own file has.

picture_texts.py FOLDER...   folders with picture.gp. Prints what is wrong; exit code 1 if anything is, 77 if
the fonts DejaVu Sans are not there.
"""
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as tree

ASCENT, DESCENT, SLACK_PX = 0.76, 0.22, 1.5


class Font:
    """Advance widths by character, from the tables cmap (format 4), hhea, hmtx and head of a file."""

    def __init__(self, style):
        query = ["fc-match", "-f", "%{file}", "DejaVu Sans:" + style]
        path = subprocess.run(query, capture_output=True, text=True)
        if "DejaVuSans" not in path.stdout:
            sys.exit(77)
        with open(path.stdout, "rb") as file:
            data = file.read()
        tables = {}
        for k in range(struct.unpack(">H", data[4:6])[0]):
            tag, _, start, length = struct.unpack(">4sIII", data[12 + 16 * k : 28 + 16 * k])
            tables[tag.decode()] = data[start : start + length]
        self.unit = struct.unpack(">H", tables["head"][18:20])[0]
        count = struct.unpack(">H", tables["hhea"][34:36])[0]
        self.advances = [struct.unpack(">H", tables["hmtx"][4 * k : 4 * k + 2])[0] for k in range(count)]
        self.glyphs = self.read_cmap(tables["cmap"])

    @staticmethod
    def read_cmap(cmap):
        glyphs = {}
        for k in range(struct.unpack(">H", cmap[2:4])[0]):
            start = struct.unpack(">I", cmap[8 + 8 * k : 12 + 8 * k])[0]
            if struct.unpack(">H", cmap[start : start + 2])[0] != 4:
                continue
            segments = struct.unpack(">H", cmap[start + 6 : start + 8])[0] // 2
            at = start + 14

            def row(number, sign="H", at=at, segments=segments):
                begin = at + 2 * segments * number + (2 if number > 0 else 0)
                return struct.unpack(f">{segments}{sign}", cmap[begin : begin + 2 * segments])

            ends, starts, deltas, offsets = row(0), row(1), row(2, "h"), row(3)
            for s in range(segments):
                for code in range(starts[s], ends[s] + 1):
                    glyph = code + deltas[s]
                    if offsets[s]:
                        place = at + 2 * segments * 3 + 2 + 2 * s + offsets[s] + 2 * (code - starts[s])
                        glyph = struct.unpack(">H", cmap[place : place + 2])[0]
                        glyph += deltas[s] if glyph else 0
                    glyphs[code] = glyph & 0xFFFF
        return glyphs

    def width(self, text):
        glyphs = (self.glyphs.get(ord(character), 0) for character in text)
        return sum(self.advances[min(glyph, len(self.advances) - 1)] for glyph in glyphs) / self.unit


def draw(folder):
    """The picture as SVG; the size of its frame."""
    with open(folder + "/picture.gp", encoding="utf-8") as file:
        script = file.read()
    width, height = re.search(r"set terminal pngcairo.* size (\d+),(\d+)", script).groups()
    # A point is 4/3 pixels in the terminal pngcairo, and one in svg.
    terminal = f"set terminal svg noenhanced size {width},{height} fontscale 1.33333"
    script = re.sub(r"set terminal .*", terminal, script, count=1)
    script = re.sub(r"set output \".*", "set output 'texts.svg'", script, count=1)
    with open(folder + "/texts.gp", "w", encoding="utf-8") as file:
        file.write(script)
    subprocess.run(["gnuplot", "-d", "texts.gp"], cwd=folder, check=True)
    return tree.parse(folder + "/texts.svg"), float(width), float(height)


def boxes_of(picture, fonts):
    """Texts with their boxes: left, top, right, bottom."""
    name = "{http://www.w3.org/2000/svg}"
    for group in picture.iter(name + "g"):
        element = group.find(name + "text")
        text = "".join(element.itertext()).strip() if element is not None else ""
        if not text:
            continue
        x, y = map(float, re.search(r"translate\(([-\d.]+),([-\d.]+)\)", group.get("transform")).groups())
        size = float(group.get("font-size"))
        bold = any("Bold" in str(node.attrib) or "bold" in str(node.attrib) for node in group.iter())
        width = fonts[bold].width(text) * size
        begin = {"start": 0, "middle": -width / 2, "end": -width}[group.get("text-anchor")]
        if "rotate" in group.get("transform"):
            yield text, (x - ASCENT * size, y - begin - width, x + DESCENT * size, y - begin)
        else:
            yield text, (x + begin, y - ASCENT * size, x + begin + width, y + DESCENT * size)


def faults_of(folder, fonts):
    picture, width, height = draw(folder)
    boxes = list(boxes_of(picture, fonts))
    if len(boxes) < 5:
        yield f"{folder}: {len(boxes)} texts found"
    for k, (text, box) in enumerate(boxes):
        if box[0] < 0 or box[1] < 0 or box[2] > width or box[3] > height:
            yield f'"{text}" leaves the frame: {box}'
        for other, its in boxes[:k]:
            if (
                min(box[2], its[2]) - max(box[0], its[0]) > SLACK_PX
                and min(box[3], its[3]) - max(box[1], its[1]) > SLACK_PX
            ):
                yield f'"{text}" and "{other}" overlap: {box}, {its}'


def main():
    try:
        fonts = {False: Font("style=Book"), True: Font("style=Bold")}
    except FileNotFoundError:
        sys.exit(77)
    faults = [fault for folder in sys.argv[1:] for fault in faults_of(folder, fonts)]
    print("\n".join(faults[:20]))
    sys.exit(1 if faults else 0)


main()
