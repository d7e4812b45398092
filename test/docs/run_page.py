#!/usr/bin/python3
"""Runs the command lines of one page of the documentation, like a user of the installed product.

    run_page.py PAGE          (the environment variables of CMakeLists.txt must be set)
    run_page.py --list PAGE   prints the command lines and the treatment of each

Commands are the lines after "$ " in an indented block, or in a fence with the language `sh` or without a
language; if the block has no "$ ", all of its lines are commands. Blocks with other content need a fence with
another language: text, ini, cmake, cpp. A backslash at the end continues a line.

All commands of a page run in one scratch directory, in order; each block has a shell of its own, so that
files are shared and variables are not. A command must end with status 0. Lines below a "$ " command are its
expected output: each must occur in the actual output, in this order; "..." matches any text.

Beside this script, for the page NAME.md:
    NAME.sh     prepares the inputs; sourced once, before the first command, in the scratch directory.
                The code blocks are there as block.LANGUAGE.NUMBER. If NAME.sh defines a function
                `after`, the function is called at the end and must succeed.
    not_run.txt exempts commands: "PAGE | beginning of the command | HOW | reason", where HOW is "-" for a
                command that is not run, or "status N", or "status N, any output" if the
                output is not compared either. A line that matches no command is an error.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
HELP = """
Every command line of the documentation is run. If the page is right, prepare what the command needs in
test/docs/{name}.sh; if it cannot be run in a test, say why in test/docs/not_run.txt; if it is no command,
make it a fence with a language (```text). To run this page alone:
ctest -R Documentation.{name}   (after ctest -R Package.Installs)"""


class Command:
    def __init__(self, line, text, block):
        self.line, self.text, self.block = line, text, block
        self.expected = []
        self.status, self.reason = 0, None


def blocks(lines):
    """Returns (language, number of the first line, lines) of each fence and indented block."""
    at = 0
    while at < len(lines):
        fence = re.match(r"```(\w*)", lines[at])
        if fence:
            end = next(i for i in range(at + 1, len(lines)) if lines[i].startswith("```"))
            yield fence[1], at + 2, lines[at + 1:end]
            at = end + 1
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            yield "", at + 1, [line[4:] for line in lines[at:end]]
            at = end
        else:
            at += 1


def commands_of(number, block, lines):
    marked = any(line.startswith("$ ") for line in lines)
    found, continued = [], False
    for offset, line in enumerate(lines):
        if continued:
            found[-1].text += "\n" + line
        elif marked and not line.startswith("$ "):
            if found:
                found[-1].expected.append(line)
            continue
        elif line.strip() and not line.startswith("#"):
            found.append(Command(number + offset, line[2:] if marked else line, block))
        continued = line.rstrip().endswith("\\")
    return found


def read_page(path):
    """Returns all commands, and the code blocks by language."""
    commands, code = [], {}
    for block, (language, number, lines) in enumerate(blocks(path.read_text().split("\n"))):
        if language in ("", "sh"):
            commands += commands_of(number, block, lines)
        else:
            code.setdefault(language, []).append("\n".join(lines) + "\n")
    return commands, code


def exempt(page, commands):
    """Applies not_run.txt. Returns errors in it."""
    wrong = []
    for number, line in enumerate((HERE / "not_run.txt").read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        of_page, begin, how, reason = (part.strip() for part in line.split("|", 3))
        if of_page != page:
            continue
        matching = [c for c in commands if c.text.startswith(begin)]
        if not matching or not reason:
            wrong.append(f"test/docs/not_run.txt:{number}: fits no command of {page}, or has no reason")
        for command in matching:
            if command.reason is not None:
                continue  # an earlier line matches more
            command.reason = reason
            command.status = None if how == "-" else int(re.match(r"status (\d+)", how)[1])
            if how.endswith("any output"):
                command.expected = []
    return wrong


def script(page, commands):
    """One shell for the page, one subshell for each block."""
    setup = HERE / f"{page.stem}.sh"
    text = ["set -u", "ulimit -c 0"]
    if setup.exists():
        text += ["set -e", f". '{setup}' >&2", "set +e"]
    text.append("set +u")
    block = None
    for number, command in enumerate(commands):
        if command.status is None:
            continue
        if command.block != block:
            text += [")"] if block is not None else []
            text.append("(")
            block = command.block
        words = command.text.replace("/usr/local/", os.environ["ROOT"] + "/")
        # The assignment keeps bash from replacing itself with the command.
        Path(f"command.{number}").write_text(words + "\ncommand_status=$?\n")
        text += [f". ./command.{number} >output.{number} 2>&1 </dev/null",
                 f"echo $command_status >status.{number}"]
    text += [")"] if block is not None else []
    text += ["if declare -F after >/dev/null; then", "    set -e; after >&2", "fi"]
    return "\n".join(text) + "\n"


def missing_output(expected, output):
    """Returns the first expected line that does not occur after the previous ones."""
    lines = [" ".join(line.split()) for line in output.splitlines()]
    at = 0
    for line in expected:
        pattern = ".*".join(re.escape(part) for part in " ".join(line.split()).split("..."))
        while line.strip() not in ("", "...") and at < len(lines) and not re.fullmatch(pattern, lines[at]):
            at += 1
        if line.strip() in ("", "..."):
            continue
        if at == len(lines):
            return line
        at += 1
    return None


def judge(page, number, command):
    place = f"{page.name}:{command.line}: {command.text}"
    status, output = Path(f"status.{number}"), Path(f"output.{number}")
    if not status.exists():
        return f"{place}\n  was not reached, or ended the shell"
    text = output.read_text(errors="replace")
    if int(status.read_text()) != command.status:
        return f"{place}\n  ended with status {status.read_text().strip()}, not {command.status}:\n{text[-3000:]}"
    line = missing_output(command.expected, text)
    if line is not None:
        return f"{place}\n  does not print, where the page has it:\n    {line}\n  but:\n{text[-3000:]}"
    return None


def run(page, commands, code):
    root = os.environ["ROOT"]
    kept = {k: v for k, v in os.environ.items() if not k.startswith("FTR_") and k != "LD_PRELOAD"}
    kept.update(PATH=f"{root}/bin:{kept['PATH']}", LD_LIBRARY_PATH=f"{root}/{kept['LIBDIR']}",
                PKG_CONFIG_PATH=f"{root}/{kept['LIBDIR']}/pkgconfig", CMAKE_PREFIX_PATH=root,
                SOURCE=str(HERE.parent.parent), HERE=str(HERE))
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        kept["HOME"] = scratch
        for language, texts in code.items():
            for number, text in enumerate(texts, 1):
                Path(f"block.{language}.{number}").write_text(text)
        done = subprocess.run(["bash", "-c", script(page, commands)], env=kept, timeout=900, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        wrong = [judge(page, n, c) for n, c in enumerate(commands) if c.status is not None]
        wrong = [message for message in wrong if message]
        if done.returncode != 0:
            wrong.append(f"test/docs/{page.stem}.sh: preparing or checking afterwards failed:\n{done.stderr[-3000:]}")
        os.chdir("/")
    return wrong


def main():
    page = Path(sys.argv[-1]).resolve()
    os.environ["PATH"] = f"{os.environ.get('ROOT', '')}/bin:{os.environ['PATH']}"
    commands, code = read_page(page)
    wrong = exempt(page.name, commands)
    for command in commands:
        how = "run" if command.reason is None else \
            f"not run: {command.reason}" if command.status is None else f"status {command.status}: {command.reason}"
        print(f"{page.name}:{command.line}: {command.text}\n    [{how}]")
    if "--list" not in sys.argv:
        wrong += run(page, commands, code)
    for message in wrong:
        print("\n" + message)
    if wrong:
        print(HELP.format(name=page.stem))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
