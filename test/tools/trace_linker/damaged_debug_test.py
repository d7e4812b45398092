#!/usr/bin/python3
"""Links objects with damaged debug information: ftr-ld must exit with a status and name the object,
not crash. Arguments: the number of damaged objects for each version of DWARF, and a seed
(default 80 and 1)."""
import os
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "programs"
CONFIGURATION = "[tracer]\nname = damaged\ninclude = ftr.ini\ntrace = *\n"


def debug_sections(data):
    """Returns (offset, size) of the sections with debug information; those of types and names
    twice."""
    at, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, at + i * size) for i in range(count)]
    found = []
    for header in headers:
        begin = headers[names][4] + header[0]
        name = data[begin:data.index(b"\0", begin)].decode()
        if name.startswith((".debug", ".rela.debug")) and header[5]:
            weight = 2 if name.endswith(("debug_info", "debug_abbrev")) else 1
            found += [(header[4], header[5])] * weight
    return found


def damage(data, sections, chance):
    damaged = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 4, 16))):
        offset, size = chance.choice(sections)
        at = offset + chance.randrange(size)
        length = min(chance.randrange(1, 20), offset + size - at)
        kind = chance.randrange(4)
        if kind < 2:
            damaged[at] ^= 1 << chance.randrange(8)
        elif kind == 2:
            damaged[at] = chance.choice((0, 0x7F, 0x80, 0xFF))
        else:
            damaged[at:at + length] = bytes(length)
    return damaged


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 80
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    compiler = os.environ["CC"].split()
    told = wrong = 0
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        Path("t.ini").write_text(CONFIGURATION)
        subprocess.run([*compiler, "-w", "-Wno-psabi", "-g", "-c", PROGRAMS / "odd_types_main.c"], check=True)
        for version in ("-gdwarf-5", "-gdwarf-4"):
            subprocess.run([*compiler, "-w", "-Wno-psabi", version, "-O2", "-c", PROGRAMS / "odd_types.c"], check=True)
            data = Path("odd_types.o").read_bytes()
            if data[:6] != b"\x7fELF\x02\x01":
                return 77
            sections = debug_sections(data)
            for number in range(count):
                Path("damaged.o").write_bytes(damage(data, sections, chance))
                # Nothing is compiled or linked, because the generated code may be invalid.
                done = subprocess.run(
                    [os.environ["FTR_LD"], "-c", "true", "-l", "true", "-C", "t.ini", "--", "-o", "t",
                     "odd_types_main.o", "damaged.o"], capture_output=True, timeout=300, check=False)
                message = done.stderr.decode(errors="replace")
                told += "damaged.o: its debug information is damaged" in message
                if done.returncode not in (0, 10) or "by a signal" in message:
                    print(f"{version} {number}: status {done.returncode}\n{message}")
                    wrong += 1
    print(f"{told} of {2 * count} damaged objects were noticed")
    return 1 if wrong or not told else 0


if __name__ == "__main__":
    sys.exit(main())
