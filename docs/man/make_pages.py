#!/usr/bin/python3
"""Makes the man pages of the ftr command from what it says about itself, and ftr-environment(7) from
the table in README.md. sections/PAGE.man has the sections that a page has besides.

    make_pages.py FTR DIRECTORY           writes the pages
    make_pages.py --check FTR DIRECTORY   fails when one there is another
"""

import pathlib
import re
import subprocess
import sys

MORE = """.SH FILES
A file named
.B \\-
is the standard input. A pipe is copied to a temporary file in
.BR TMPDIR ,
unless stored order was asked for.
.SH EXIT STATUS
0 all is well; 1 something was found; 2 misuse, or a file that cannot be read or written.
"""


HERE = pathlib.Path(__file__).resolve().parent
STATUS = "0 all is well; 1 something was found; 2 misuse, or a file that cannot be read or written."


def say(ftr, *arguments):
    return subprocess.run([ftr, *arguments], capture_output=True, text=True, check=True).stdout


def quote(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def sections(page):
    path = HERE / "sections" / f"{page}.man"
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n") if path.exists() else []


def plain(markdown):
    """A cell of a table without markup."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown.replace("\\|", "|"))
    return text.replace("`", "").strip()


def environment_page():
    readme = (HERE.parent.parent / "README.md").read_text(encoding="utf-8")
    table = readme.split("## Environment variables")[1].split("\n## ")[0]
    rows = [re.split(r"(?<!\\)\|", line)[1:4] for line in table.splitlines() if line.startswith("|")]
    after = [line for line in table.split("|\n\n")[-1].strip().splitlines()]
    page = ['.TH FTR\\-ENVIRONMENT 7 "" "ftr" "Environment variables"', ".SH NAME",
            "ftr\\-environment \\- variables that programs recorded with ftr read", ".SH DESCRIPTION",
            "A program that records with libftr, an instrumented model and a prototype under",
            ".BR ftr\\-attach (1)", "read these variables when they start to record.", ".SH VARIABLES"]
    for names, values, meaning in (map(plain, row) for row in rows[2:]):
        if names:
            page += [".TP", ".B " + quote(names)]
        page += [quote(f"{values}: {meaning}")] if names else [".br", quote(f"{values}: {meaning}")]
    page += [".PP"] + [quote(plain(line)) for line in after] + sections("ftr-environment")
    page += [".SH SEE ALSO", ".BR ftr (1),", ".BR ftr\\-attach (1),", ".BR ftr\\-ld (1)"]
    return "\n".join(page) + "\n"


def command_page(ftr, name, others):
    usage, summary, *options = say(ftr, "help", name).splitlines()
    page = [f'.TH FTR\\-{name.upper()} 1 "" "ftr" "User Commands"', ".SH NAME",
            f"ftr\\-{name} \\- {quote(summary)}", ".SH SYNOPSIS", ".B " + quote(usage),
            ".SH OPTIONS"]
    status = STATUS
    if "Exit status: " in options[-1] or "Exit status: " in options[-2]:
        at = next(i for i, line in enumerate(options) if "Exit status: " in line)
        status = " ".join(options[at:]).split("Exit status: ")[1]
        options = options[:at]
    remark = False  # lines behind the options, which are about all of the command
    for line in options:
        if line.startswith("  ") and not line.startswith("   "):
            option, _, text = line.strip().partition("  ")
            page += [".TP", ".B " + quote(option), quote(text.strip())]
        else:
            if not line.startswith(" ") and not remark:
                page.append(".PP")
                remark = True
            page.append(quote(line.strip()))
    page += sections(f"ftr-{name}")
    page += [".SH EXIT STATUS", quote(status)]
    see = ", ".join(f".BR ftr\\-{other} (1)" for other in others if other != name)
    page += [".SH SEE ALSO", ".BR ftr (1),", ".BR ftr\\-environment (7),"]
    page += [entry + "," for entry in see.split(", ")]
    page[-1] = page[-1].rstrip(",")
    return "\n".join(page) + "\n"


def overview_page(ftr, commands):
    page = ['.TH FTR 1 "" "ftr" "User Commands"', ".SH NAME",
            "ftr \\- look into FTR (Fast Transaction Recording) files", ".SH SYNOPSIS",
            ".B ftr", ".I command argument...", ".SH COMMANDS"]
    for name, summary in commands:
        page += [".TP", f".BR ftr\\-{name} (1)", quote(summary)]
    page += [".TP", ".BR ftr\\-ld (1)", "links a C program so that chosen functions record their calls"]
    page += MORE.rstrip("\n").split("\n") + sections("ftr")
    page += [".SH SEE ALSO", ".BR ftr\\-environment (7)"]
    return "\n".join(page) + "\n"


def main():
    check = sys.argv[1] == "--check"
    ftr, directory = sys.argv[1 + check:]
    commands = [line.split(None, 1) for line in say(ftr, "help").splitlines()
                if line.startswith("  ")]
    commands = [(name, summary) for name, summary in commands if name != "help"]
    names = [name for name, _ in commands]
    pages = {"ftr.1": overview_page(ftr, commands), "ftr-environment.7": environment_page()}
    for name in names:
        pages[f"ftr-{name}.1"] = command_page(ftr, name, names)
    stale = []
    for name, text in pages.items():
        path = pathlib.Path(directory, name)
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        sys.exit("not as the command has it: " + ", ".join(stale) + "; run docs/man/make_pages.py")


if __name__ == "__main__":
    main()
