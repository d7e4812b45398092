# Completion of ftr and ftr-ld for bash. The options come from the commands' own help.

# _ftr_options TEXT: the options in a help text
_ftr_options()
{
    sed -n 's/^ \{2,6\}\(-.*\)/\1/p' <<<"$1" | sed 's/   .*//' | grep -oE -- '(^|[ ,])--?[A-Za-z][a-z-]*' | tr -d ' ,'
}

# _ftr_values TEXT OPTION: what the option takes, where its help lists it as a|b|c
_ftr_values()
{
    sed -n "s/^  .*$2 \([a-z|]*|[a-z|]*\) .*/\1/p" <<<"$1" | tr '|' '\n'
}

_ftr_complete_words()
{
    local word
    while read -r word; do
        COMPREPLY+=("$word")
    done < <(compgen -W "$1" -- "$2")
}

_ftr()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} text values=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _ftr_complete_words "$(ftr help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')" "$current"
        return
    fi
    if [ "${COMP_WORDS[1]}" = help ]; then
        _ftr_complete_words "$(ftr help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')" "$current"
        return
    fi
    text=$(ftr help "${COMP_WORDS[1]}" 2>/dev/null)
    case $previous in
    -*) values=$(_ftr_values "$text" "$previous") ;;
    esac
    if [ -n "$values" ]; then
        _ftr_complete_words "$values" "$current"
    elif [ "${current#-}" != "$current" ]; then
        _ftr_complete_words "$(_ftr_options "$text")" "$current"
    fi
}

_ftr_ld()
{
    local current=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    if [ "${current#-}" != "$current" ]; then
        _ftr_complete_words "$(_ftr_options "$(ftr-ld --help 2>/dev/null)")" "$current"
    fi
}

complete -o bashdefault -o default -F _ftr ftr
complete -o bashdefault -o default -F _ftr_ld ftr-ld
