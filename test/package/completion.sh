#!/bin/bash
# completion.sh ROOT DATA MAN: completion offers the commands, and for each command exactly the
# options of its manual page; the files for the other shells have no syntax errors.
set -eu
PATH=$1/bin:$PATH
for shell in zsh fish; do
    command -v $shell >/dev/null || echo "$shell is not installed: not checked"
done
! command -v zsh >/dev/null || zsh -n "$2/zsh/site-functions/_ftr"
! command -v fish >/dev/null || fish -n "$2/fish/vendor_completions.d/ftr.fish"
[ -s "$2/bash-completion/completions/ftr-ld" ]
# shellcheck source=docs/completion/ftr.bash
. "$2/bash-completion/completions/ftr"
wrong=0

# offered FUNCTION WORD...: prints the completions of the last word, one per line, sorted
offered()
{
    local function=$1
    shift
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    $function
    printf '%s\n' "${COMPREPLY[@]}" | sort -u
}

# same NAME GOT EXPECTED
same()
{
    [ "$2" != "$3" ] || return 0
    echo "$1: completion and manual differ:"
    diff <(echo "$2") <(echo "$3") || true
    wrong=1
}

manual_options()
{
    sed 's/\\-/-/g; s/\\f.//g; s/"//g' "$1" | sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' | grep -E '^\.BR? -' |
        grep -oE -- '--[a-z][a-z-]*' | sort -u
}

commands=$(offered _ftr ftr "" | grep -v '^help$')
same "the commands" "$commands" "$(cd "$3/man1" && printf "%s\n" ./* | sed -n 's/^.\/ftr-\([a-z-]*\)\.1$/\1/p' | grep -v '^ld$' | sort)"
for name in $commands; do
    expected=$(manual_options "$3/man1/ftr-$name.1")
    [ -n "$expected" ]
    same "ftr $name" "$(offered _ftr ftr "$name" --)" "$expected"
done
same ftr-ld "$(offered _ftr_ld ftr-ld --)" "$(manual_options "$3/man1/ftr-ld.1")"
same "a value" "$(offered _ftr ftr attach --dmi d)" deny
same "a command" "$(offered _ftr ftr at)" attach
exit $wrong
