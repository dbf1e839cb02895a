#!/usr/bin/env python3
"""Draws the tiles of all blocks on one sheet, in their order: cracks, special blocks, families.

Usage: make_block_sheet.py blocks.tiles sheet.png
"""

import struct
import sys
import zlib
from pathlib import Path

SIZE = 16
SCALE = 2
GAP = 2
COLUMNS = 40
BACKGROUND = (58, 64, 78)


def read_tiles(path):
    """Returns the largest level of each layer as RGBA bytes."""
    data = Path(path).read_bytes()
    magic, version, count, size, _ = struct.unpack_from("<8sIIII", data)
    if magic != b"CNTILES\n" or version != 1 or size != SIZE:
        sys.exit(f"{path}: not a tile file of the supported version")
    start = 32 + (count + 3) // 4 * 4
    tile = SIZE * SIZE * 4
    return [data[start + i * tile:start + (i + 1) * tile] for i in range(count)]


def draw(tiles):
    """Returns rows of RGB pixels with the tiles on them."""
    cell = SIZE * SCALE + GAP
    width = COLUMNS * cell + GAP
    height = (len(tiles) + COLUMNS - 1) // COLUMNS * cell + GAP
    rows = [bytearray(BACKGROUND * width) for _ in range(height)]
    for index, tile in enumerate(tiles):
        left, top = GAP + index % COLUMNS * cell, GAP + index // COLUMNS * cell
        for at in range(SIZE * SIZE):
            pixel = tile[4 * at:4 * at + 4]
            color = bytes((pixel[i] * pixel[3] + BACKGROUND[i] * (255 - pixel[3])) // 255
                          for i in range(3))
            x = (left + at % SIZE * SCALE) * 3
            for y in range(SCALE):
                rows[top + at // SIZE * SCALE + y][x:x + 3 * SCALE] = color * SCALE
    return width, rows


def write_png(path, width, rows):
    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body
                + struct.pack(">I", zlib.crc32(kind + body)))

    head = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body)
                           + chunk(b"IEND", b""))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write_png(sys.argv[2], *draw(read_tiles(sys.argv[1])))
