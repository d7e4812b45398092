#!/usr/bin/python3
"""The output of compilers and linkers that ftr-ld runs does not act on a terminal, and reaches a file unchanged. Names of
the configuration and of symbols never act."""

import os
import pty
import re
import stat
import subprocess
import sys
import tempfile
import unittest

FTR_LD, CC = os.environ["FTR_LD"], os.environ["CC"]
HOSTILE = "e\x1b[31m\x07\u009b1m\u202e\x7f"
#: prints hostile text to both outputs, like a compiler that names a file, and then compiles
COMPILER = f"""#!/bin/sh
case " $* " in *" -dumpversion "*|*" -print-"*) ;; *)
printf 'said\\t%s\\n' '{HOSTILE}' >&2
printf 'shown %s' '{HOSTILE}';; esac
exec {CC} "$@"
"""
ACTING = set(HOSTILE) - set("e[31m1m")


class Terminal(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.write("main.c", "int f(int a);\nint main(void) { return f(1); }\n")
        self.write("f.c", "int f(int a) { return a - 1; }\n")
        self.write("t.ini", "[tracer]\nname = t\ninclude = ftr.ini\ntrace = f\n")
        self.write("cc", COMPILER)
        os.chmod(self.path("cc"), stat.S_IRWXU)
        for name in ("main", "f"):
            subprocess.run([CC, "-g", "-c", self.path(name + ".c"), "-o", self.path(name + ".o")], check=True)

    def path(self, name):
        return os.path.join(self.scratch.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def on_terminal(self, *command):
        ours, theirs = pty.openpty()
        with subprocess.Popen(command, cwd=self.scratch.name, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs) as child:
            os.close(theirs)
            output = b""
            while True:
                try:
                    output += os.read(ours, 65536)
                except OSError:  # every descriptor of the terminal is closed
                    break
        os.close(ours)
        return output.decode().replace("\r\n", "\n"), child.returncode

    def link(self, *options):
        compiler = self.path("cc")
        return [FTR_LD, "-c", compiler, "-l", compiler, "-C", "t.ini", *options, "--", "-o", "made", "main.o", "f.o"]

    def test_output_of_compilers_is_escaped_on_a_terminal(self):
        text, status = self.on_terminal(*self.link())
        self.assertEqual(status, 0, text)
        self.assertEqual(sorted(map(ascii, ACTING & set(text))), [], ascii(text))
        escaped = "e\\x1b[31m\\x07\\xc2\\x9b1m\\xe2\\x80\\xae\\x7f"
        for word in ("said", "shown "):
            self.assertIn(word + escaped, re.sub(r"said\s+", "said", text))
        self.assertTrue(os.access(self.path("made"), os.X_OK))

    def test_output_of_compilers_is_unchanged_in_a_file(self):
        done = subprocess.run(self.link(), cwd=self.scratch.name, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn(f"said\t{HOSTILE}\n", done.stderr.decode())
        self.assertIn(f"shown {HOSTILE}", done.stdout.decode())

    def test_a_failed_command_keeps_its_status(self):
        self.write("cc", COMPILER.replace("exec ", "case \" $* \" in *\" made \"*) kill -9 $$;; esac\nexec "))
        text, status = self.on_terminal(*self.link())
        self.assertNotEqual(status, 0)
        self.assertIn("failed with status 137", text)

    def test_names_of_the_configuration(self):
        self.write("t.ini", f"[tracer]\nname = t{HOSTILE}\ninclude = ftr.ini\ntrace = f\n")
        for options in (["-v"], ["-v", "-v"], ["--keep"]):
            text, _ = self.on_terminal(*self.link(*options))
            self.assertEqual(sorted(map(ascii, ACTING & set(text))), [], (options, ascii(text)))

    def test_names_of_symbols(self):
        self.write("odd.s", f'.globl "a{HOSTILE}"\n"a{HOSTILE}":\n.type "a{HOSTILE}",@function\n ret\n.size "a{HOSTILE}",.-"a{HOSTILE}"\n')
        subprocess.run([CC, "-c", self.path("odd.s"), "-o", self.path("odd.o")], check=True)
        text, _ = self.on_terminal(FTR_LD, "--list", self.path("odd.o"), self.path("f.o"))
        self.assertEqual(sorted(map(ascii, ACTING & set(text))), [], ascii(text))
        self.assertIn("\\x1b", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
