"""Writes kernel event logs of QNX, and reads them without any code of ftr."""

import re
import struct

SIMPLE, BEGIN, CONTINUE, END = range(4)
CONTROL, CALL, INTERRUPT, THREAD, SYSTEM, USER = 1, 2, 3, 4, 5, 6
TIME, BUFFER = 1, 2
RUNNING, READY, SEND, DESTROY = 1, 2, 4, 25


class Log:
    def __init__(self, big=False, frequency=10**9, syspage=b"sys\npage\n", more=""):
        self.order = ">" if big else "<"
        self.data = bytearray(("TRACE_HEADER_BEGIN::\nTRACE_FILE_NAME::/dev/shmem/tracebuffer\n"
                     "TRACE_VER_MAJOR::1\nTRACE_VER_MINOR::01\n"
                     f"TRACE_{'BIG' if big else 'LITTLE'}_ENDIAN::TRUE\n{more}"
                     f"TRACE_CYCLES_PER_SEC::{frequency}\nTRACE_CPU_NUM::2\n"
                     f"TRACE_SYSPAGE_LEN::{len(syspage)}\nTRACE_HEADER_END::").encode() + syspage)

    def record(self, stamp, class_, number, first=0, second=0, cpu=0, structure=SIMPLE):
        head = structure << 30 | cpu << 24 | class_ << 10 | number
        self.data += struct.pack(self.order + "4I", head, stamp & 0xffffffff, first, second)
        return self

    def combined(self, stamp, class_, number, *words, cpu=0):
        """Returns the records of a combined event, which the caller inserts."""
        last = (len(words) + 1) // 2 - 1
        words = list(words) + [0]
        return [(stamp, class_, number, words[2 * n], words[2 * n + 1], cpu,
                 SIMPLE if last == 0 else BEGIN if n == 0 else END if n == last else CONTINUE) for n in range(last + 1)]

    def add(self, *records):
        for record in records:
            self.record(*record)
        return self

    def text(self, words, data):
        """Returns the words of an event with a text after these words."""
        data += b"\0" * (4 - len(data) % 4)
        return [*words, *struct.unpack(f"{self.order}{len(data) // 4}I", data)]

    def write(self, path):
        with open(path, "wb") as file:
            file.write(self.data)
        return path


class Event:
    def __init__(self, time, cpu, class_, number, words):
        self.time, self.cpu, self.class_, self.number, self.words = time, cpu, class_, number, words

    def __eq__(self, other):
        return vars(self) == vars(other)

    def __repr__(self):
        return f"{self.time:#x} cpu {self.cpu} {self.class_}/{self.number} {self.words}"


def read(data):
    """Returns the events of a log, in the order of their last records. The upper half of a time is that of the last
    CONTROL TIME event before the record, or one less for records that are less than 2**28 cycles older."""
    head, _, rest = data.partition(b"TRACE_HEADER_END::")
    order = ">" if b"TRACE_BIG_ENDIAN::TRUE" in head else "<"
    size = int(re.search(rb"TRACE_SYSPAGE_LEN::(\d+)", head)[1])
    full, opened, events = None, {}, []
    for header, stamp, *words in struct.iter_unpack(order + "4I", rest[size:]):
        structure, cpu, class_, number = header >> 30, header >> 24 & 63, header >> 10 & 31, header & 1023
        if (class_, number) == (CONTROL, TIME):
            full = words[0] << 32 | words[1]
        time = (full >> 32 << 32 | stamp) if full is not None else stamp
        if full is not None and time - full > 2**32 - 2**28:
            time -= 2**32
        key = stamp, cpu, class_, number
        if structure == BEGIN:
            opened[key] = Event(time, cpu, class_, number, words)
        elif structure == SIMPLE:
            events.append(Event(time, cpu, class_, number, words))
        else:
            opened[key].words += words
            if structure == END:
                events.append(opened.pop(key))
    return events
