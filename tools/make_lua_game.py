#!/usr/bin/env python3
"""Generates the sounds of samples/lua_game. The output is the same on every run.

    tools/make_lua_game.py [folder]

Each file is WAV, 16 bits, one channel, 22,050 samples a second.
"""
import math
import struct
import sys
from pathlib import Path

RATE = 22050


def wav(samples):
    peak = max(abs(value) for value in samples)
    data = b"".join(struct.pack("<h", round(value / peak * 29000)) for value in samples)
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, 1,
                       RATE, RATE * 2, 2, 16, b"data", len(data))
    return head + data


def tone(seconds, value):
    """Samples of value(t), fading out over the last hundredth of a second."""
    count = int(seconds * RATE)
    fade = RATE // 100
    return [value(i / RATE) * min(1, (count - i) / fade) for i in range(count)]


class Noise:
    """The generator of Park and Miller, so that the sounds do not depend on the version of Python."""

    def __init__(self):
        self.state = 1

    def __call__(self):
        self.state = self.state * 48271 % 2147483647
        return self.state / 1073741823.5 - 1


def pluck():
    """A string after Karplus and Strong, tuned to 294 Hz."""
    noise = Noise()
    line = [noise() for _ in range(75)]
    samples = []
    for i in range(int(0.9 * RATE)):
        at = i % len(line)
        samples.append(line[at])
        line[at] = 0.4985 * (line[at] + line[(at + 1) % len(line)])
    return tone(0.9, lambda t: samples[int(t * RATE)])


def sweep(seconds, low, high, decay, partials=(1,)):
    phase = [0.0]

    def value(t):
        phase[0] += 2 * math.pi * (low + (high - low) * t / seconds) / RATE
        wave = sum(math.sin(phase[0] * k) / k for k in partials)
        return wave * math.exp(-decay * t) * min(1, t * 200)
    return tone(seconds, value)


def peep():
    first = sweep(0.09, 1900, 2900, 12)
    return first + sweep(0.13, 2100, 3300, 14)


def quack():
    return sweep(0.3, 420, 250, 7, (1, 2, 3, 4, 5, 6, 7)) + sweep(0.32, 360, 190, 8, (1, 2, 3, 4, 5, 6))


def chord(notes, step, seconds, decay):
    def value(t):
        sum_ = 0.0
        for i, frequency in enumerate(notes):
            at = t - i * step
            if at > 0:
                bell = math.sin(2 * math.pi * frequency * at) + 0.3 * math.sin(6 * math.pi * frequency * at)
                sum_ += bell * math.exp(-decay * at) * min(1, at * 300)
        return sum_
    return tone(seconds, value)


def splash():
    noise = Noise()
    low = [0.0]

    def value(t):
        low[0] += (noise() - low[0]) * (0.08 + 0.4 * math.exp(-t * 9))
        return low[0] * math.exp(-7 * t) * min(1, t * 90)
    return tone(0.5, value)


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else
                  Path(__file__).parent.parent / "samples/lua_game/assets")
    sounds = {
        "pluck": pluck(),
        "peep": peep(),
        "quack": quack(),
        "splash": splash(),
        "home": chord((587.3, 740, 880, 1174.7), 0.07, 0.8, 6),
        "over": chord((880, 740, 587.3, 440), 0.16, 1.3, 4),
    }
    for name, samples in sounds.items():
        (folder / f"{name}.wav").write_bytes(wav(samples))


if __name__ == "__main__":
    main()
