#!/usr/bin/python3
"""Generates the man pages of the ftr command from its help texts, and ftr-environment(7) from the list of
environment variables in README.md. Further sections of a page come from sections/PAGE.man.

    make_pages.py FTR DIRECTORY           writes the pages
    make_pages.py --check FTR DIRECTORY   fails if a page in DIRECTORY is not up to date
"""

import pathlib
import re
import subprocess
import sys

MORE = """.SH FILES
A file named
.B \\-
is stdin. A pipe is copied to a temporary file in
.BR TMPDIR ,
except for stored order.
.SH EXIT STATUS
0 success; 1 findings or differences; 2 wrong usage, or a file that cannot be read or written.
"""


HERE = pathlib.Path(__file__).resolve().parent
STATUS = "0 success; 1 findings or differences; 2 wrong usage, or a file that cannot be read or written."


def say(ftr, *arguments):
    return subprocess.run([ftr, *arguments], capture_output=True, text=True, check=True).stdout


def quote(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def sections(page):
    path = HERE / "sections" / f"{page}.man"
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n") if path.exists() else []


def plain(markdown):
    """Text without the markup of Markdown."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown.replace("\\|", "|"))
    return text.replace("`", "").strip()


def environment_page():
    """A list item `NAME=VALUE`: TEXT of README.md becomes an entry, a line that ends with a colon a heading."""
    readme = (HERE.parent.parent / "README.md").read_text(encoding="utf-8")
    section = readme.split("## Environment variables")[1].split("\n## ")[0]
    page = ['.TH FTR\\-ENVIRONMENT 7 "" "ftr" "Environment variables"', ".SH NAME",
            "ftr\\-environment \\- environment variables of programs that record with ftr", ".SH DESCRIPTION",
            "A program that records with libftr, an instrumented model and a prototype under",
            ".BR ftr\\-attach (1)", "read these variables when recording starts.", ".SH VARIABLES"]
    for paragraph in section.strip().split("\n\n"):
        for entry in re.split(r"\n(?=- )", paragraph):
            text = plain(" ".join(line.strip() for line in entry.splitlines()))
            if entry.startswith("- "):
                names, meaning = text[2:].split(": ", 1)
                page += [".TP", ".B " + quote(names), quote(meaning)]
            elif entry.endswith(":"):
                page += [".SS " + quote(text.rstrip(":"))]
            else:
                page += [quote(text)] if page[-1].startswith(".S") else [".PP", quote(text)]
    page += sections("ftr-environment")
    page += [".SH SEE ALSO", ".BR ftr (1),", ".BR ftr\\-attach (1),", ".BR ftr\\-ld (1)"]
    return "\n".join(page) + "\n"


def command_page(ftr, name, others):
    usage, summary, *options = say(ftr, "help", name).splitlines()
    page = [f'.TH FTR\\-{quote(name.upper())} 1 "" "ftr" "User Commands"', ".SH NAME",
            f"ftr\\-{quote(name)} \\- {quote(summary)}", ".SH SYNOPSIS", ".B " + quote(usage),
            ".SH OPTIONS"]
    status = STATUS
    if "Exit status: " in options[-1] or "Exit status: " in options[-2]:
        at = next(i for i, line in enumerate(options) if "Exit status: " in line)
        status = " ".join(options[at:]).split("Exit status: ")[1]
        options = options[:at]
    remark = False  # in a text between or after the options
    for line in options:
        if line.startswith("  ") and not line.startswith("   "):
            option, _, text = line.strip().partition("  ")
            page += [".TP", ".B " + quote(option), quote(text.strip())]
            remark = False
        else:
            if not line.startswith(" ") and not remark:
                if not page[-1].startswith(".SH"):
                    page.append(".PP")
                remark = True
            page.append(quote(line.strip()))
    page += sections(f"ftr-{name}")
    page += [".SH EXIT STATUS", quote(status)]
    see = ", ".join(f".BR ftr\\-{quote(other)} (1)" for other in others if other != name)
    page += [".SH SEE ALSO", ".BR ftr (1),", ".BR ftr\\-environment (7),"]
    page += [entry + "," for entry in see.split(", ")]
    page[-1] = page[-1].rstrip(",")
    return "\n".join(page) + "\n"


def overview_page(ftr, commands):
    page = ['.TH FTR 1 "" "ftr" "User Commands"', ".SH NAME",
            "ftr \\- read, compare and convert FTR (Fast Transaction Recording) files", ".SH SYNOPSIS",
            ".B ftr", ".I command argument...", ".SH COMMANDS"]
    for name, summary in commands:
        page += [".TP", f".BR ftr\\-{quote(name)} (1)", quote(summary)]
    page += [".TP", ".BR ftr\\-ld (1)", "links a C program so that selected functions record their calls"]
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
        sys.exit("not up to date: " + ", ".join(stale) + "; run docs/man/make_pages.py")


if __name__ == "__main__":
    main()
