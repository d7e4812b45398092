# Every error is reported with file, line, section and key.
one() {
    printf "$1" >bad.ini
    $FTR_LD -C bad.ini -- main.o
    echo "$?"
}
tracer='[tracer]\nname = t\ntraces = t\nfunctions = f\n[t]\ngenerator = g\ntrace = one\n'
one 'name = t\n'
one '[tracer\n'
one '[tracer] x\n'
one '[tracer]\nname\n'
one '[tracer]\n= t\n'
one '[tracer]\ncode = <<<END\nint x;\n'
one '[trace]\n'
one '[tracer]\ntrace = f\n'
one '[tracer]\nname = t\nname = u\n'
one '[tracer]\nname = t\ntraces = missing\n'
one '[tracer]\nname = t\n'
one '[tracer]\nname = t\ntrace = one\n'
one '[tracer]\nname = t\ntrace = one two\n'
one '[tracer]\nname = t\ntrace = "one\n'
one '[tracer]\nname = t\ninclude = missing.ini\n'
one '[includes]\ninclude = missing.ini\n'
one "$tracer"'[g]\nlock-model = capture\n[f]\n'
one "$tracer"'[g]\n[f]\nsignatures = s\n[s]\none = int\n'
one "$tracer"'[g]\n[f]\nsignatures = s\n[s]\none = int, int, void\n'
one "$tracer"'[g]\n[f]\nsignatures = s\n[s]\none = int, int\none = int, int\n'
one "$tracer"'[g]\n[f]\nsignatures = s\n[s]\n1e = int, int\n'
one "$tracer"'[f]\n'
one '[tracer]\nname = t\ntraces = a, b\n[a]\ngenerator = g\n[b]\ngenerator = h\n'
one '[tracer]\nname = t\noptions = o\n[o]\ngen-enables = off\n'
one '[tracer]\nname = t\noptions = o\n[o]\nstring-limit = many\n'
one '[tracer]\nname = t\ntraces = a\n[a]\ntraces = a\n'
