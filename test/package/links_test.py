#!/usr/bin/python3
"""links_test.py DIRECTORY: every relative link of the installed pages leads to a file, and every
anchor to a heading of the page."""
import re
import sys
from pathlib import Path


def anchors(page):
    """Returns the anchor of a heading, as the usual viewers of Markdown compute it."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def main():
    wrong = links = 0
    for page in Path(sys.argv[1]).rglob("*.md"):
        text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
        for link in re.findall(r"\]\(([^)\s]*)\)", re.sub(r"`[^`]*`", "", text)):
            if re.match(r"\w+:", link):
                continue
            links += 1
            name, _, anchor = link.partition("#")
            target = page.parent / name if name else page
            if not target.exists():
                print(f"{page}: {link}: there is no such file")
                wrong += 1
            elif anchor and anchor not in anchors(target):
                print(f"{page}: {link}: the page has no such heading")
                wrong += 1
    print(f"{links} links")
    return 1 if wrong or not links else 0


if __name__ == "__main__":
    sys.exit(main())
