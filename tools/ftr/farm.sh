#!/bin/bash
# Summarizes traces on a farm: a job array, one part of the files per task, and one job that merges the parts.
#
#     farm.sh FTR summary [OPTION...] TRACE|SUMMARY|PATTERN|FOLDER... -o FILE
#     farm.sh FTR task FOLDER [INDEX]
#     farm.sh FTR reduce FOLDER
#
# `ftr farm` calls this script; the options are in the help text of this command (tools/ftr/installed_program.c). The
# work folder holds the plan:
#
#     folder     directory of submission; names of files are relative to it
#     output     name of the result
#     tasks      number of tasks
#     options    options for `ftr summary`, each ended by NUL
#     files.I    traces and summaries of task I, each ended by NUL
#     part.I     summary made by task I, renamed to this name when it is complete
#     log/       messages of the jobs
#
# A task may run twice, even at the same time: both runs write the same bytes to the same name. The reduction itself
# makes the parts that are missing, so the result does not depend on which tasks survived.
set -euo pipefail

ftr=$1
shift

# plain TEXT...: prints a line in which control characters, and characters that change the direction of text, are `?`.
plain() {
    printf '%s\n' "$*" | LC_ALL=C sed \
        's/[\x01-\x1f\x7f]\|\xc2[\x80-\x9f]\|\xd8\x9c\|\xe2\x80[\x8e\x8f\xa8-\xae]\|\xe2\x81[\xa6-\xa9]/?/g'
}

complain() { plain "ftr farm: $*" >&2; }
fail() {
    complain "$*"
    exit 2
}

# ---- planning -------------------------------------------------------------------------------------------------------

# expand_inputs ARGUMENT...: fills `files` with the sorted names of all traces and summaries, each once. An existing
# name is taken literally, so names with brackets need no quoting; other arguments are patterns, in which ** matches
# folders. An earlier result in a folder is not an input.
expand_inputs() {
    local argument found name IFS=
    shopt -s globstar nullglob
    for argument; do
        if [ -d "$argument" ]; then
            found=()
            for name in "${argument%/}"/**/*.ftr "${argument%/}"/**/*.fts; do
                [ "$name" -ef "$output" ] || found+=("$name")
            done
        elif [ -e "$argument" ] || [[ $argument != *[*?[]* ]]; then
            found=("$argument")
        else
            # shellcheck disable=SC2206 # The pattern must be expanded; it is not split, because IFS is empty.
            found=($argument)
        fi
        [ ${#found[@]} -gt 0 ] || fail "no trace or summary matches '$argument'"
        files+=("${found[@]}")
    done
    mapfile -d '' -t files < <(printf '%s\0' "${files[@]}" | LC_ALL=C sort --zero-terminated --unique)
}

# missing_ancestor FOLDER: prints the uppermost of the folders that `mkdir -p FOLDER` makes; nothing if FOLDER exists.
missing_ancestor() {
    local folder=$1 missing=""
    while [ ! -e "$folder" ]; do
        missing=$folder
        folder=$(dirname "$folder")
    done
    printf '%s' "$missing"
}

# write_plan: gives the files to the tasks in turn, one at a time, because neighbouring files often have similar sizes.
write_plan() {
    mkdir "$work/log"
    pwd >"$work/folder"
    printf '%s\n' "$output" >"$work/output"
    echo "$tasks" >"$work/tasks"
    : >"$work/options"
    [ ${#summary_options[@]} -eq 0 ] || printf '%s\0' "${summary_options[@]}" >"$work/options"
    local i
    for ((i = 0; i < tasks; i++)); do
        : >"$work/files.$i"
    done
    for i in "${!files[@]}"; do
        printf '%s\0' "${files[i]}" >>"$work/files.$((i % tasks))"
    done
}

# ---- jobs -----------------------------------------------------------------------------------------------------------

# make_part FOLDER INDEX: makes the summary of one task. An unreadable file is not a failure: `ftr summary` then exits
# with 1, and the summary contains a run with the reason, which `ftr gate` reports.
make_part() {
    local work=$1 index=$2 status=0 options=()
    [ -e "$work/files.$index" ] || fail "'$work' has no task $index"
    mapfile -d '' -t options <"$work/options"
    (cd "$(<"$work/folder")" &&
        exec "$ftr" summary "${options[@]}" --files-from "$work/files.$index" -o "$work/part.$index") || status=$?
    [ $status -le 1 ] || fail "task $index failed with exit status $status"
}

reduce() {
    local work=$1 tasks output i parts=() status=0
    tasks=$(<"$work/tasks")
    output=$(<"$work/output")
    for ((i = 0; i < tasks; i++)); do
        if [ ! -e "$work/part.$i" ]; then
            complain "task $i left no summary; the reduction repeats it"
            make_part "$work" "$i"
        fi
        parts+=("$work/part.$i")
    done
    printf '%s\0' "${parts[@]}" >"$work/parts"
    (cd "$(<"$work/folder")" && exec "$ftr" summary --merge --strict --files-from "$work/parts" -o "$output") || status=$?
    [ $status -le 1 ] || fail "the parts in '$work' could not be merged"
    rm -rf "$work"
    return $status
}

# refuse STATUS WHAT: removes the work folder, and fails. The message of sbatch is already on stderr.
refuse() {
    # A task that was just cancelled may still write to the folder.
    rm -rf "$work" 2>/dev/null || { sleep 1 && rm -rf "$work"; } || true
    [ -z "$made" ] || find "$made" -depth -type d -empty -delete
    fail "sbatch did not accept $2: exit status $1; the work folder is removed"
}

# submit_slurm: an array with a task per part, and the reduction, which starts when every task has ended.
submit_slurm() {
    local common=(--parsable --requeue --open-mode=append "${sbatch_options[@]}") array reduction status=0
    array=$(sbatch "${common[@]}" --job-name=ftr-summary --array="0-$((tasks - 1))" --output="$work/log/task.%a" \
        --wrap "exec $(printf '%q ' "$ftr" farm task "$work")") || status=$?
    [ "$status" -eq 0 ] || refuse "$status" "the tasks"
    array=${array%%;*}
    echo "tasks: job $array, $tasks tasks, ${#files[@]} files"

    # `sbatch --wait` prints the id at once and ends with the exit status of the job.
    local wait=()
    [ -z "$waits" ] || wait=(--wait)
    exec 3< <(
        sbatch "${common[@]}" "${wait[@]}" --job-name=ftr-reduce --dependency="afterany:$array" \
            --output="$work/log/reduce" --wrap "exec $(printf '%q ' "$ftr" farm reduce "$work")" || status=$?
        echo "$status"
    )
    read -r reduction <&3
    if ! read -r status <&3; then # only the exit status was printed
        scancel "$array" || complain "the tasks, job $array, could not be cancelled"
        refuse "$reduction" "the reduction, so the tasks are cancelled"
    fi
    plain "reduction: job ${reduction%%;*}, writes $output"
    if [ -z "$waits" ]; then
        plain "messages: $work/log"
    elif [ -e "$work" ]; then
        cat "$work"/log/* >&2
        fail "'$output' is not complete; the messages and parts are in '$work', 'ftr farm reduce' continues"
    else
        return "$status"
    fi
}

# ---- arguments ------------------------------------------------------------------------------------------------------

summary() {
    output="" tasks=64 waits="" prepares=""
    summary_options=() sbatch_options=() files=()
    local inputs=()
    while [ $# -gt 0 ]; do
        if [[ " -o --output --jobs --sbatch --stream --generator --from --to " == *" $1 "* ]]; then
            [ $# -gt 1 ] || fail "option '$1' needs a value"
            set -- "$1=$2" "${@:3}"
        fi
        case $1 in
        -o=* | --output=*) output=${1#*=} ;;
        --jobs=*) tasks=${1#*=} ;;
        --sbatch=*) sbatch_options+=("${1#*=}") ;;
        --stream=* | --generator=* | --from=* | --to=*) summary_options+=("$1") ;;
        --wait) waits=yes ;;
        --prepare) prepares=yes ;;
        --)
            shift
            inputs+=("$@")
            break
            ;;
        -*) fail "unknown option '$1'; 'ftr help farm' lists the options" ;;
        *) inputs+=("$1") ;;
        esac
        shift
    done
    [ -n "$output" ] || fail "no output: -o FILE is missing"
    [[ $tasks =~ ^[1-9][0-9]{0,5}$ ]] || fail "--jobs: '$tasks' is not a number from 1 to 999999"
    [ ${#inputs[@]} -gt 0 ] || fail "no trace and no summary given"
    expand_inputs "${inputs[@]}"
    [ -n "$prepares" ] || command -v sbatch >/dev/null ||
        fail "sbatch is not in PATH; --prepare makes a plan for other batch systems, 'ftr summary' needs none"
    [ "$tasks" -le ${#files[@]} ] || tasks=${#files[@]}

    made=$(missing_ancestor "$(dirname "$output")")
    mkdir -p "$(dirname "$output")"
    work=$(mktemp -d "$(realpath "$(dirname "$output")")/$(basename "$output").farm-XXXXXX")
    write_plan
    if [ -n "$prepares" ]; then
        echo "$work"
    else
        submit_slurm
    fi
}

verb=${1-}
[ $# -eq 0 ] || shift
case $verb in
summary) summary "$@" ;;
task)
    index=${2-${SLURM_ARRAY_TASK_ID-}}
    # LSF counts the members of an array from 1.
    [ -n "$index" ] || [ -z "${LSB_JOBINDEX-}" ] || index=$((LSB_JOBINDEX - 1))
    [[ -n ${1-} && $index =~ ^[0-9]+$ ]] || fail "usage: ftr farm task FOLDER INDEX"
    make_part "$(realpath "$1")" "$index"
    ;;
reduce)
    [ -n "${1-}" ] || fail "usage: ftr farm reduce FOLDER"
    reduce "$(realpath "$1")"
    ;;
*) fail "'${verb:-nothing}' is not one of summary, task, reduce" ;;
esac
