# Completion of ftr and ftr-ld for fish. The options come from the commands' own help.

function __ftr_options
    sed -n 's/^ \{2,6\}\(-.*\)/\1/p' | sed 's/   .*//' | grep -oE -- '(^|[ ,])--?[A-Za-z][a-z-]*' | tr -d ' ,'
end

function __ftr_command_options
    set --local words (commandline --tokenize --cut-at-cursor --current-process)
    ftr help $words[2] 2>/dev/null | __ftr_options
end

function __ftr_commands
    ftr help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p'
end

function __ftr_wants_command
    test (count (commandline --tokenize --cut-at-cursor --current-process)) -eq 1
end

complete --command ftr --condition __ftr_wants_command --no-files --arguments '(__ftr_commands)'
complete --command ftr --condition 'not __ftr_wants_command; and string match -q -- "-*" (commandline -t)' \
    --arguments '(__ftr_command_options)'
complete --command ftr-ld --condition 'string match -q -- "-*" (commandline -t)' \
    --arguments '(ftr-ld --help 2>/dev/null | __ftr_options)'
