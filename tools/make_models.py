#!/usr/bin/env python3
"""Generates the models of scenes/models. The output is the same on every run.

    tools/make_models.py [folder]

box.gltf         a box with a texture, in three files (gltf, bin, png)
column.glb       a skinned column with two clips, Bend and Wave
crate.obj        a crate with two materials, in three files (obj, mtl, png)
lighthouse.glb   seven materials: stripes with a normal map, metal, glass, light, a railing with holes; a rotating lamp
"""
import json
import math
import struct
import sys
import zlib
from pathlib import Path

FLOAT, UBYTE, USHORT, UINT = 5126, 5121, 5123, 5125


# ---- Images ----

def png(width, height, pixel, alpha=False):
    channels = 4 if alpha else 3
    rows = bytearray()
    previous = bytes(width * channels)
    for y in range(height):
        row = bytearray()
        for x in range(width):
            for value in pixel(x, y)[:channels]:
                row.append(max(0, min(255, int(value * 255 + 0.5))))
        # Uses the filter "up" where it gives a smaller result.
        up = bytes((a - b) & 255 for a, b in zip(row, previous))
        best = min((bytes([0]) + row, bytes([2]) + up), key=lambda r: len(zlib.compress(r, 9)))
        rows += best
        previous = bytes(row)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", width, height, 8, 6 if alpha else 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 9))
            + chunk(b"IEND", b""))


def hashed(x, y, seed=0):
    n = (x * 374761393 + y * 668265263 + seed * 2147483647) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((n ^ (n >> 16)) & 0xFFFF) / 65535


def noise(x, y, period, seed=0):
    """Returns smooth noise that repeats after `period` lattice cells."""
    xi, yi = math.floor(x), math.floor(y)
    fx, fy = x - xi, y - yi
    fx, fy = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)

    def at(i, j):
        return hashed((xi + i) % period, (yi + j) % period, seed)
    top = at(0, 0) + (at(1, 0) - at(0, 0)) * fx
    bottom = at(0, 1) + (at(1, 1) - at(0, 1)) * fx
    return top + (bottom - top) * fy


def normals_of(height, size, strength):
    """Returns a normal map of a periodic height field; y of the image points down, green up."""
    def pixel(x, y):
        dx = (height((x + 1) % size, y) - height((x - 1) % size, y)) * strength
        dy = (height(x, (y + 1) % size) - height(x, (y - 1) % size)) * strength
        length = math.sqrt(dx * dx + dy * dy + 1)
        return (0.5 - dx / length * 0.5, 0.5 + dy / length * 0.5, 0.5 + 0.5 / length)
    return pixel


# ---- Meshes ----

class Mesh:
    def __init__(self):
        self.positions, self.normals, self.uvs, self.indices = [], [], [], []

    def vertex(self, position, normal, uv):
        length = math.sqrt(sum(n * n for n in normal)) or 1
        self.positions.append(tuple(position))
        self.normals.append(tuple(n / length for n in normal))
        self.uvs.append(tuple(uv))
        return len(self.positions) - 1

    def quad(self, a, b, c, d):
        """Adds a quad, counter-clockwise as seen from outside."""
        self.indices += [a, b, c, a, c, d]

    def box(self, center, half, uv_size=None):
        for axis in range(3):
            for sign in (1, -1):
                u, v = (axis + 1) % 3, (axis + 2) % 3
                normal = [0, 0, 0]
                normal[axis] = sign
                corners = []
                for su, sv in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                    p = list(center)
                    p[axis] += sign * half[axis]
                    p[u] += su * half[u] * sign
                    p[v] += sv * half[v]
                    # Textures are upright on the sides: v decreases with y.
                    if axis == 1:
                        s, t = (p[0] - center[0]) / half[0] * sign, -(p[2] - center[2]) / half[2]
                        s, t = s * sign, t * sign
                    else:
                        other = 2 if axis == 0 else 0
                        s = (p[other] - center[other]) / half[other] * sign * (-1 if axis == 0 else 1)
                        t = (p[1] - center[1]) / half[1]
                    corners.append(self.vertex(p, normal, ((s + 1) / 2, (1 - t) / 2)))
                self.quad(*corners)

    def turned(self, profile, sides, u_repeat=1, v_repeat=1, smooth=True, wobble=None):
        """Adds a surface of revolution: a profile of (radius, y) from the bottom up, turned about y."""
        lengths = [0]
        for (r0, y0), (r1, y1) in zip(profile, profile[1:]):
            lengths.append(lengths[-1] + math.hypot(r1 - r0, y1 - y0))
        rings = []
        spans = [(i, i + 1) for i in range(len(profile) - 1)]

        def slope(i, j):
            (r0, y0), (r1, y1) = profile[i], profile[j]
            return (y1 - y0, -(r1 - r0))

        def ring(i, normal):
            row = []
            for k in range(sides + 1):
                angle = 2 * math.pi * (k % sides) / sides
                c, s = math.cos(angle), math.sin(angle)
                r, y = profile[i]
                grow = wobble(k % sides, i) if wobble else 1
                row.append(self.vertex((r * c * grow, y, -r * s * grow), (normal[0] * c, normal[1], -normal[0] * s),
                                       (k / sides * u_repeat, (1 - lengths[i] / lengths[-1]) * v_repeat)))
            return row
        if smooth:
            for i in range(len(profile)):
                near = [slope(a, b) for a, b in spans if i in (a, b)]
                near = [(x / (math.hypot(x, y) or 1), y / (math.hypot(x, y) or 1)) for x, y in near]
                rings.append(ring(i, (sum(n[0] for n in near), sum(n[1] for n in near))))
            pairs = list(zip(rings, rings[1:]))
        else:
            pairs = [(ring(a, slope(a, b)), ring(b, slope(a, b))) for a, b in spans]
        for (low, high), (a, b) in zip(pairs, spans):
            for k in range(sides):
                if profile[a][0] > 0 and profile[b][0] > 0:
                    self.quad(low[k], low[k + 1], high[k + 1], high[k])
                elif profile[b][0] > 0:
                    self.indices += [low[k], high[k + 1], high[k]]
                else:
                    self.indices += [low[k], low[k + 1], high[k]]
        return self

    def flat_normals(self):
        """Splits shared vertices, for flat shading."""
        old = (self.positions, self.uvs, self.indices)
        self.__init__()
        for i in range(0, len(old[2]), 3):
            p = [old[0][j] for j in old[2][i:i + 3]]
            u, v = ([p[k][c] - p[0][c] for c in range(3)] for k in (1, 2))
            n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
            if math.sqrt(sum(x * x for x in n)) < 1e-9:
                continue
            self.indices += [self.vertex(p[k], n, old[1][old[2][i + k]]) for k in range(3)]
        return self


# ---- glTF ----

class Gltf:
    def __init__(self):
        self.bytes = bytearray()
        self.json = {"asset": {"version": "2.0", "generator": "tools/make_models.py"}, "scene": 0,
                     "scenes": [{"nodes": []}], "nodes": [], "meshes": [], "materials": [], "accessors": [],
                     "bufferViews": [], "textures": [], "images": [], "samplers": [{}], "skins": [], "animations": []}

    def view(self, data, target=None):
        while len(self.bytes) % 4:
            self.bytes.append(0)
        view = {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)}
        if target:
            view["target"] = target
        self.bytes += data
        self.json["bufferViews"].append(view)
        return len(self.json["bufferViews"]) - 1

    def accessor(self, values, kind, component=FLOAT, target=None):
        flat = [x for value in values for x in (value if isinstance(value, (tuple, list)) else (value,))]
        code = {FLOAT: "f", UBYTE: "B", USHORT: "H", UINT: "I"}[component]
        accessor = {"bufferView": self.view(struct.pack("<%d%s" % (len(flat), code), *flat), target),
                    "componentType": component, "count": len(values), "type": kind}
        if component == FLOAT:
            size = len(flat) // len(values)
            as_float = struct.unpack("<%df" % len(flat), struct.pack("<%df" % len(flat), *flat))
            accessor["min"] = [min(as_float[c::size]) for c in range(size)]
            accessor["max"] = [max(as_float[c::size]) for c in range(size)]
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def texture(self, data=None, uri=None):
        image = {"uri": uri} if uri else {"bufferView": self.view(data), "mimeType": "image/png"}
        self.json["images"].append(image)
        self.json["textures"].append({"source": len(self.json["images"]) - 1, "sampler": 0})
        return len(self.json["textures"]) - 1

    def material(self, name, color=(1, 1, 1, 1), metallic=0, roughness=1, texture=None, **more):
        pbr = {"baseColorFactor": list(color), "metallicFactor": metallic, "roughnessFactor": roughness}
        if texture is not None:
            pbr["baseColorTexture"] = {"index": texture}
        self.json["materials"].append({"name": name, "pbrMetallicRoughness": pbr, **more})
        return len(self.json["materials"]) - 1

    def mesh(self, name, mesh, material, skin=None):
        attributes = {"POSITION": self.accessor(mesh.positions, "VEC3", target=34962),
                      "NORMAL": self.accessor(mesh.normals, "VEC3", target=34962),
                      "TEXCOORD_0": self.accessor(mesh.uvs, "VEC2", target=34962)}
        if skin:
            attributes["JOINTS_0"] = self.accessor(skin[0], "VEC4", UBYTE, 34962)
            attributes["WEIGHTS_0"] = self.accessor(skin[1], "VEC4", target=34962)
        kind = USHORT if len(mesh.positions) < 65536 else UINT
        indices = self.accessor(mesh.indices, "SCALAR", kind, 34963)
        self.json["meshes"].append({"name": name, "primitives": [
            {"attributes": attributes, "indices": indices, "material": material}]})
        return len(self.json["meshes"]) - 1

    def node(self, name, parent=None, **more):
        self.json["nodes"].append({"name": name, **more})
        number = len(self.json["nodes"]) - 1
        if parent is None:
            self.json["scenes"][0]["nodes"].append(number)
        else:
            self.json["nodes"][parent].setdefault("children", []).append(number)
        return number

    def animation(self, name, channels):
        """channels: (node, path, times, values, interpolation)"""
        samplers, targets = [], []
        for node, path, times, values, interpolation in channels:
            kind = "VEC4" if path == "rotation" else "VEC3"
            samplers.append({"input": self.accessor(times, "SCALAR"), "output": self.accessor(values, kind),
                             "interpolation": interpolation})
            targets.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
        self.json["animations"].append({"name": name, "samplers": samplers, "channels": targets})

    def document(self, uri=None):
        document = {k: v for k, v in self.json.items() if v}
        while len(self.bytes) % 4:
            self.bytes.append(0)
        document["buffers"] = [{"byteLength": len(self.bytes), **({"uri": uri} if uri else {})}]
        return document

    def write_gltf(self, folder, name):
        (folder / (name + ".bin")).write_bytes(self.bytes)
        text = json.dumps(self.document(name + ".bin"), indent=1)
        # Written after the document, which pads the bytes.
        (folder / (name + ".bin")).write_bytes(self.bytes)
        (folder / (name + ".gltf")).write_text(text + "\n")

    def write_glb(self, folder, name):
        text = json.dumps(self.document(), separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<II", len(text), 0x4E4F534A) + text
        body += struct.pack("<II", len(self.bytes), 0x004E4942) + bytes(self.bytes)
        (folder / (name + ".glb")).write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body)


def turn(axis, degrees):
    half = math.radians(degrees) / 2
    s = math.sin(half)
    return (axis[0] * s, axis[1] * s, axis[2] * s, math.cos(half))


# ---- The models ----

ARROW = ["........", "...##...", "..####..", ".##..##.", "...##...", "...##...", "...##...", "........"]


def box_texture(x, y):
    """Returns planks with an arrow that points up, in colors that distinguish all four sides."""
    cell = ARROW[y // 16][x // 16] == "#"
    border = min(x, y, 127 - x, 127 - y) < 4
    base = (0.25 + 0.5 * x / 127, 0.55 - 0.3 * y / 127, 0.75 - 0.5 * x / 127)
    if border:
        return (0.12, 0.1, 0.1)
    return (0.97, 0.93, 0.82) if cell else base


def make_box(folder):
    (folder / "box.png").write_bytes(png(128, 128, box_texture))
    gltf, mesh = Gltf(), Mesh()
    mesh.box((0, 0, 0), (0.5, 0.5, 0.5))
    material = gltf.material("Painted", roughness=0.6, texture=gltf.texture(uri="box.png"))
    gltf.node("Box", mesh=gltf.mesh("Box", mesh, material), translation=[0, 0.5, 0])
    gltf.write_gltf(folder, "box")


def make_column(folder):
    gltf, mesh = Gltf(), Mesh()
    joints, height, sides, rings = 5, 4.0, 24, 40
    profile = [(0.0, 0.0)] + [(0.42 - 0.16 * i / rings + 0.03 * (i % 8 == 0), height * i / rings)
                              for i in range(rings + 1)] + [(0.0, height + 0.12)]
    mesh.turned(profile, sides, u_repeat=2, v_repeat=4)

    def stripes(x, y):
        band = (y // 16 + x // 32) % 2
        return (0.16, 0.46, 0.42) if band else (0.93, 0.78, 0.42)
    material = gltf.material("Column", roughness=0.45, texture=gltf.texture(data=png(64, 64, stripes)))
    bones, weights = [], []
    for x, y, z in mesh.positions:
        at = max(0.0, min(joints - 1.001, y / (height / joints) - 0.5))
        low = int(at)
        part = at - low
        bones.append((low, low + 1, 0, 0))
        weights.append((1 - part, part, 0, 0))
    numbers, parent = [], None
    for i in range(joints):
        parent = gltf.node("Joint%d" % i, parent, translation=[0, 0 if i == 0 else height / joints, 0])
        numbers.append(parent)
    inverse = []
    for i in range(joints):
        y = height / joints * i
        inverse.append((1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1))
    gltf.json["skins"].append({"joints": numbers, "skeleton": numbers[0],
                               "inverseBindMatrices": gltf.accessor(inverse, "MAT4")})
    gltf.node("Column", mesh=gltf.mesh("Column", mesh, material, (bones, weights)), skin=0)
    bend = [(n, "rotation", [0.0, 1.0, 2.0], [turn((0, 0, 1), 0), turn((0, 0, 1), -22), turn((0, 0, 1), 0)], "LINEAR")
            for n in numbers[1:]]
    gltf.animation("Bend", bend)
    times = [i * 0.25 for i in range(9)]
    wave = []
    for i, n in enumerate(numbers[1:]):
        angles = [16 * math.sin(math.pi * t + i * 1.2) for t in times]
        wave.append((n, "rotation", times, [turn((1, 0, 0), a) for a in angles], "LINEAR"))
    gltf.animation("Wave", wave)
    gltf.write_glb(folder, "column")


def wood(x, y):
    plank = y // 16
    grain = 0.5 + 0.5 * math.sin((noise(x / 16, y / 4, 4 if False else 64, plank) * 3 + y * 0.9) * 2)
    gap = 0.45 if y % 16 < 1 else 1.0
    tone = (0.75 + 0.25 * hashed(plank, 7)) * (0.8 + 0.2 * grain) * gap
    return (0.62 * tone, 0.42 * tone, 0.24 * tone)


def make_crate(folder):
    (folder / "crate.png").write_bytes(png(64, 64, wood))
    (folder / "crate.mtl").write_text("# made by tools/make_models.py\nnewmtl Wood\nKd 1 1 1\nKs 0 0 0\nmap_Kd crate.png\n\n"
                                      "newmtl Iron\nKd 0.22 0.23 0.26\nKs 0.4 0.4 0.4\nNs 60\n")
    parts = [("Boards", "Wood", [((0, 0.5, 0), (0.47, 0.47, 0.47))]), ("Frame", "Iron", [])]
    for sx in (-1, 1):
        for sy in (-1, 1):
            parts[1][2].append(((0.46 * sx, 0.5 + 0.46 * sy, 0), (0.05, 0.05, 0.51)))
            parts[1][2].append(((0.46 * sx, 0.5, 0.46 * sy), (0.05, 0.51, 0.05)))
            parts[1][2].append(((0, 0.5 + 0.46 * sx, 0.46 * sy), (0.51, 0.05, 0.05)))
    lines, base = ["# made by tools/make_models.py", "mtllib crate.mtl"], 1
    for name, material, boxes in parts:
        mesh = Mesh()
        for center, half in boxes:
            mesh.box(center, half)
        lines += ["o " + name]
        lines += ["v %.6g %.6g %.6g" % p for p in mesh.positions]
        lines += ["vt %.6g %.6g" % (u, 1 - v) for u, v in mesh.uvs]
        lines += ["vn %.6g %.6g %.6g" % n for n in mesh.normals]
        lines += ["usemtl " + material]
        for i in range(0, len(mesh.indices), 6):
            a, b, c, _, _, d = (base + j for j in mesh.indices[i:i + 6])
            lines.append("f " + " ".join("%d/%d/%d" % (j, j, j) for j in (a, b, c, d)))
        base += len(mesh.positions)
    (folder / "crate.obj").write_text("\n".join(lines) + "\n")


def brick_height(size):
    def height(x, y):
        row = y // 16
        across = (x + (16 if row % 2 else 0)) % 32
        edge = min(across, 31 - across, y % 16, 15 - y % 16)
        return min(1.0, edge / 2.5) + 0.15 * noise(x / 8, y / 8, size // 8, 3)
    return height


def lighthouse_textures():
    size = 128

    def tower(x, y):
        red = (y // 32) % 2 == 0
        base = (0.72, 0.13, 0.1) if red else (0.93, 0.91, 0.86)
        dirt = 0.88 + 0.12 * noise(x / 8, y / 8, 16, 1)
        return tuple(c * dirt for c in base)

    def rock(x, y):
        n = 0.5 * noise(x / 16, y / 16, 8, 5) + 0.3 * noise(x / 8, y / 8, 16, 6) + 0.2 * noise(x / 4, y / 4, 32, 7)
        return (0.25 + 0.3 * n, 0.25 + 0.28 * n, 0.24 + 0.25 * n)

    def railing(x, y):
        solid = y < 6 or y >= 58 or x % 16 < 3 or 28 <= y < 32
        return (0.16, 0.17, 0.2, 1.0 if solid else 0.0)

    def wear(x, y):  # green: roughness, blue: metallic
        n = noise(x / 8, y / 8, 8, 9) * 0.6 + noise(x / 4, y / 4, 16, 11) * 0.4
        rust = 1.0 if n > 0.55 else 0.0
        return (0, 0.35 + 0.5 * rust, 1 - 0.9 * rust)

    def metal(x, y):
        rust = wear(x, y)[1] > 0.6
        return (0.42, 0.24, 0.14) if rust else (0.46, 0.5, 0.53)
    return {"tower": png(size, size, tower), "bricks": png(size, size, normals_of(brick_height(size), size, 1.2)),
            "rock": png(size, size, rock), "railing": png(64, 64, railing, alpha=True),
            "wear": png(64, 64, wear), "metal": png(64, 64, metal)}


def make_lighthouse(folder):
    gltf = Gltf()
    textures = {name: gltf.texture(data=data) for name, data in lighthouse_textures().items()}
    rock = gltf.material("Rock", roughness=0.95, texture=textures["rock"])
    tower = gltf.material("Tower", roughness=0.75, texture=textures["tower"],
                          normalTexture={"index": textures["bricks"], "scale": 1.0})
    metal = gltf.material("Metal", metallic=1, roughness=1, texture=textures["metal"])
    gltf.json["materials"][metal]["pbrMetallicRoughness"]["metallicRoughnessTexture"] = {"index": textures["wear"]}
    railing = gltf.material("Railing", roughness=0.5, texture=textures["railing"], alphaMode="MASK", alphaCutoff=0.5,
                            doubleSided=True)
    glass = gltf.material("Glass", color=(0.75, 0.9, 0.95, 0.25), roughness=0.08, alphaMode="BLEND", doubleSided=True)
    lamp = gltf.material("Lamp", color=(1, 0.9, 0.6, 1), roughness=0.4, emissiveFactor=[1, 0.82, 0.45],
                         extensions={"KHR_materials_emissive_strength": {"emissiveStrength": 8}})
    gltf.json["extensionsUsed"] = ["KHR_materials_emissive_strength"]
    copper = gltf.material("Copper", color=(0.72, 0.42, 0.3, 1), metallic=1, roughness=0.32)

    def hewn(k, i):
        return 1 if i == 8 else 0.85 + 0.35 * hashed(k, i, 21)
    stone = Mesh().turned([(2.6, -0.5), (2.5, 0.0), (2.2, 0.35), (1.9, 0.6), (1.55, 0.75), (1.2, 0.85), (0.8, 0.9),
                           (0.4, 0.92), (0.0, 0.92)], 18, 12, 3, wobble=hewn).flat_normals()
    gltf.node("Rock", mesh=gltf.mesh("Rock", stone, rock))
    body = Mesh().turned([(0.95 - 0.36 * (i / 12) ** 0.8, 0.8 + 3.6 * i / 12) for i in range(13)], 40, 6, 3)
    gltf.node("Tower", mesh=gltf.mesh("Tower", body, tower))
    door = Mesh()
    door.box((0, 1.2, 0.87), (0.2, 0.38, 0.08))
    for level, radius in ((2.3, 0.77), (3.2, 0.68)):
        door.box((0, level, radius), (0.1, 0.16, 0.06))
    gltf.node("Fittings", mesh=gltf.mesh("Fittings", door, metal))
    deck = Mesh().turned([(0.6, 4.32), (0.95, 4.42), (0.95, 4.5), (0.0, 4.5)], 32, 6, 1, smooth=False)
    gltf.node("Gallery", mesh=gltf.mesh("Gallery", deck, metal))
    rail = Mesh().turned([(0.9, 4.5), (0.9, 4.85)], 32, 8, 1)
    gltf.node("Railing", mesh=gltf.mesh("Railing", rail, railing))
    pane = Mesh().turned([(0.48, 4.5), (0.48, 5.15)], 12, 1, 1, smooth=False)
    gltf.node("Glass", mesh=gltf.mesh("Glass", pane, glass))
    roof = Mesh().turned([(0.0, 5.13), (0.58, 5.13)], 32, smooth=False)
    roof.turned([(0.58, 5.13), (0.5, 5.3), (0.34, 5.48), (0.14, 5.58), (0.06, 5.62), (0.06, 5.72), (0.0, 5.8)], 32)
    gltf.node("Roof", mesh=gltf.mesh("Roof", roof, copper))
    light = Mesh()
    light.turned([(0.0, -0.22), (0.12, -0.2), (0.17, -0.1), (0.17, 0.1), (0.12, 0.2), (0.0, 0.22)], 16)
    lens = Mesh()
    for side in (-1, 1):
        lens.box((0.24 * side, 0, 0), (0.03, 0.22, 0.12))
    turning = gltf.node("Lens", translation=[0, 4.82, 0])
    gltf.node("Bulb", turning, mesh=gltf.mesh("Bulb", light, lamp))
    gltf.node("Shades", turning, mesh=gltf.mesh("Shades", lens, copper))
    gltf.animation("Turn", [(turning, "rotation", [0.0, 2.0, 4.0, 6.0, 8.0],
                             [turn((0, 1, 0), a) for a in (0, 90, 180, 270, 360)], "LINEAR")])
    gltf.write_glb(folder, "lighthouse")


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "scenes/models"
    folder.mkdir(parents=True, exist_ok=True)
    make_box(folder)
    make_column(folder)
    make_crate(folder)
    make_lighthouse(folder)


main()
