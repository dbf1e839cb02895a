#!/usr/bin/env python3
"""Generates the textures of scenes/gallery: paving stones (color, normal, roughness) and a lattice with
holes.

Usage: make_gallery.py [folder]
"""

import struct
import sys
import zlib
from pathlib import Path

SIZE = 256


def png(path, pixel):
    """Writes SIZE x SIZE RGBA pixels; pixel(x, y) returns components from 0 to 1."""
    rows = bytearray()
    for y in range(SIZE):
        rows.append(0)
        for x in range(SIZE):
            rows += bytes(min(255, max(0, round(value * 255))) for value in pixel(x, y))

    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body
                + struct.pack(">I", zlib.crc32(kind + body)))

    head = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
                     + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


def noise(x, y, seed):
    """Returns a deterministic number from 0 to 1 for a lattice point."""
    n = (x * 374761393 + y * 668265263 + seed * 2147483647) & 0xFFFFFFFF
    n = ((n ^ n >> 13) * 1274126177) & 0xFFFFFFFF
    return (n ^ n >> 16) / 0xFFFFFFFF


def smooth(x, y, step, seed):
    """Returns lattice noise that repeats with the texture."""
    cells = SIZE // step
    fx, fy = x / step, y / step
    ix, iy = int(fx), int(fy)
    u, v = fx - ix, fy - iy
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    corner = [[noise((ix + i) % cells, (iy + j) % cells, seed) for i in (0, 1)] for j in (0, 1)]
    above = corner[0][0] + (corner[0][1] - corner[0][0]) * u
    below = corner[1][0] + (corner[1][1] - corner[1][0]) * u
    return above + (below - above) * v


def grain(x, y, seed):
    return sum(smooth(x, y, step, seed + step) * weight
               for step, weight in ((64, .35), (32, .25), (16, .15), (8, .15), (4, .1)))


def stone(x, y):
    """Returns the stone at a position and the distance from its joint: 0 in the joint, 1 on the stone."""
    half = SIZE // 2
    row = y // half
    across = (x + (half // 2 if row else 0)) % SIZE
    inside = min(across % half, half - 1 - across % half, y % half, half - 1 - y % half)
    return row * 2 + across // half, min(1.0, max(0.0, (inside - 2) / 8))


def height(x, y):
    _, inside = stone(x % SIZE, y % SIZE)
    return inside + grain(x % SIZE, y % SIZE, 5) * .35


def ground_color(x, y):
    number, inside = stone(x, y)
    shade = .5 + .12 * noise(number, 3, 9) + .22 * (grain(x, y, 1) - .5)
    shade *= .55 + .45 * inside
    warm = .03 * (noise(number, 7, 2) - .5)
    return shade + warm, shade, shade - warm - .02, 1


def ground_normal(x, y):
    dx = (height(x + 1, y) - height(x - 1, y)) * 1.2
    dy = (height(x, y + 1) - height(x, y - 1)) * 1.2
    length = (dx * dx + dy * dy + 1) ** .5
    return .5 - .5 * dx / length, .5 + .5 * dy / length, .5 + .5 / length, 1


def ground_roughness(x, y):
    _, inside = stone(x, y)
    return 1, .95 - .4 * inside * grain(x, y, 21), 0, 1


def fence(x, y):
    """Returns a lattice of diagonal bars with holes."""
    step = SIZE // 4
    bar = min((x + y) % step, -(x + y) % step, (x - y) % step, (y - x) % step)
    alpha = min(1, max(0, (11 - bar) / 3))
    shade = .55 - .02 * bar
    return shade, shade * .62, shade * .34, alpha


def main():
    default = Path(__file__).resolve().parent.parent / "scenes" / "gallery" / "assets"
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    folder.mkdir(parents=True, exist_ok=True)
    png(folder / "ground.png", ground_color)
    png(folder / "ground_normal.png", ground_normal)
    png(folder / "ground_roughness.png", ground_roughness)
    png(folder / "fence.png", fence)


if __name__ == "__main__":
    main()
