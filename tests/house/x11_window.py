"""A minimal X11 client, enough for tests of windows: finds a window, asks it to close, reads its pixels.

    display = Display(62)            # number of a local server without access control (Xvfb -ac)
    window = display.find("Crafty")  # None if there is none
    display.close_window(window)     # WM_DELETE_WINDOW, as a window manager sends it
    pixels = display.read_pixels(window, 0, 0, 640, 360)  # 4 bytes each: blue, green, red, 0
"""
import socket
import struct

WM_NAME = 39
INTERN_ATOM, GET_GEOMETRY, QUERY_TREE, GET_PROPERTY, SEND_EVENT, GET_IMAGE = 16, 14, 15, 20, 25, 73
CLIENT_MESSAGE = 33
Z_PIXMAP = 2


class Display:
    def __init__(self, number):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(f"/tmp/.X11-unix/X{number}")
        self.socket.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
        status, length = struct.unpack("<BxxxxxH", self._read(8))
        setup = self._read(4 * length)
        if status != 1:
            raise OSError("the X server refuses the connection")
        vendor_bytes, = struct.unpack_from("<H", setup, 16)
        formats = setup[21]
        self.root, = struct.unpack_from("<I", setup, 32 + (vendor_bytes + 3) // 4 * 4 + 8 * formats)

    def close(self):
        self.socket.close()

    def _read(self, size):
        data = b""
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            if not part:
                raise OSError("the X server closed the connection")
            data += part
        return data

    def _send(self, opcode, detail, body):
        body += b"\0" * (-len(body) % 4)
        self.socket.sendall(struct.pack("<BBH", opcode, detail, 1 + len(body) // 4) + body)

    def _ask(self, opcode, detail, body):
        """Returns the reply: 32 bytes and what follows them."""
        self._send(opcode, detail, body)
        while True:
            reply = self._read(32)
            if reply[0] == 0:
                raise OSError(f"X error {reply[1]} of request {opcode}")
            if reply[0] == 1:
                return reply + self._read(4 * struct.unpack_from("<I", reply, 4)[0])

    def _atom(self, name):
        reply = self._ask(INTERN_ATOM, 0, struct.pack("<Hxx", len(name)) + name.encode())
        return struct.unpack_from("<I", reply, 8)[0]

    def _name(self, window):
        reply = self._ask(GET_PROPERTY, 0, struct.pack("<IIIII", window, WM_NAME, 0, 0, 64))
        return reply[32:32 + struct.unpack_from("<I", reply, 16)[0]].decode(errors="replace")

    def find(self, name, inside=None):
        """Returns the id of the first window with this title, or None."""
        reply = self._ask(QUERY_TREE, 0, struct.pack("<I", inside or self.root))
        count, = struct.unpack_from("<H", reply, 16)
        for window in struct.unpack_from(f"<{count}I", reply, 32):
            if self._name(window) == name:
                return window
            found = self.find(name, window)
            if found:
                return found
        return None

    def close_window(self, window):
        event = struct.pack("<BBHII5I", CLIENT_MESSAGE, 32, 0, window, self._atom("WM_PROTOCOLS"),
                            self._atom("WM_DELETE_WINDOW"), 0, 0, 0, 0)
        self._send(SEND_EVENT, 0, struct.pack("<II", window, 0) + event)

    def size(self, window):
        reply = self._ask(GET_GEOMETRY, 0, struct.pack("<I", window))
        return struct.unpack_from("<HH", reply, 16)

    def read_pixels(self, window, x, y, width, height):
        reply = self._ask(GET_IMAGE, Z_PIXMAP, struct.pack("<IhhHHI", window, x, y, width, height, 0xFFFFFFFF))
        return reply[32:32 + 4 * width * height]
