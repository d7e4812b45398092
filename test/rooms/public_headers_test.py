#!/usr/bin/env python3
"""public_headers_test.py INCLUDE: the public headers below INCLUDE are short, include each other without a
circle, have unique names, and headers for readers include nothing of the recorder."""
import pathlib
import re
import sys

LINES_MAX = 400
INCLUDE = re.compile(r'^\s*#\s*include\s*<(ftr/[^>]+)>', re.MULTILINE)
# Headers that programs for reading may include.
OF_READERS = {'ftr/file_repair.h', 'ftr/file_info.h', 'ftr/finding.h', 'ftr/reader.h',
              'ftr/reader_objects.h', 'ftr/reader_options.h', 'ftr/status.h', 'ftr/trace_index.h',
              'ftr/types.h'}
ALLOWED = {'ftr/reader.h': OF_READERS, 'ftr/parser.h': OF_READERS}


def reached(includes, header, path=()):
    """Returns all headers that HEADER includes, directly or indirectly; a circle fails the test."""
    if header in path:
        sys.exit('circle: ' + ' -> '.join(path[path.index(header):] + (header,)))
    found = set()
    for included in includes.get(header, ()):
        found |= {included} | reached(includes, included, path + (header,))
    return found


def main(root):
    files = sorted(p for p in root.rglob('*') if p.suffix in ('.h', '.hpp', '.in'))
    includes = {}
    wrong = []
    for path in files:
        text = path.read_text(encoding='utf-8')
        name = str(path.relative_to(root)).removesuffix('.in')
        includes[name] = INCLUDE.findall(text)
        lines = text.count('\n')
        if lines >= LINES_MAX:
            wrong.append(f'{name} has {lines} lines; a public header has fewer than {LINES_MAX}')
    for name, included in includes.items():
        wrong += [f'{name} includes <{i}>, which does not exist' for i in included if i not in includes]
    every = {name: reached(includes, name) for name in includes}
    for name, allowed in ALLOWED.items():
        wrong += [f'{name} includes <{i}>' for i in sorted(every[name] - allowed)]
    base_names = [name.rsplit('/', 1)[-1] for name in includes]
    wrong += [f'{n} exists twice' for n in sorted(set(base_names)) if base_names.count(n) > 1]
    if wrong:
        sys.exit('\n'.join(wrong))
    print(f'{len(includes)} headers')


main(pathlib.Path(sys.argv[1]))
