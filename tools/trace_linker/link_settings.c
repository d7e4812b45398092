/* The command line, and the choice of compiler and linker. */
#include "link_settings.h"

#include "command_run.h"
#include "name_glob.h"

#include <dirent.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "Usage: ftr-ld [options] -- <link command line>\n"
    "       ftr-ld --list <objects and archives>\n"
    "Links a program again so that selected functions record their calls.\n"
    "\n"
    "  -h, --help             print this text\n"
    "  -V, --version          print the version\n"
    "  -v, --verbose          print each step; twice: also the generated C code\n"
    "  -w, --warn             warn about unknown keys\n"
    "  -k, --keep             keep temporary files\n"
    "  -c, --compiler cc      compiler of the wrappers\n"
    "  -l, --linker ld        link driver\n"
    "  -E, --exec-prefix pre  prefix of the tools, for example arm-none-eabi\n"
    "  -f, --cflags flags     additional flags of the compiler\n"
    "  -r, --rtems path       directory in which RTEMS is installed\n"
    "  -B, --rtems-bsp a/bsp  use the compiler and the flags of this BSP\n"
    "  -W, --wrapper name     name the wrappers name.c and name.o, and keep them\n"
    "  -C, --config ini       the configuration\n"
    "  -P, --path dirs        directories of configurations; repeatable, or joined with ':'\n"
    "      --list             print the functions of the objects that can be wrapped\n"
    "\n"
    "The arguments after -- are passed to the link driver unchanged. If the first of them is a\n"
    "program, it is the link driver.\n";

static const struct option long_options[] = {{"help", no_argument, NULL, 'h'},
                                             {"version", no_argument, NULL, 'V'},
                                             {"verbose", no_argument, NULL, 'v'},
                                             {"warn", no_argument, NULL, 'w'},
                                             {"keep", no_argument, NULL, 'k'},
                                             {"compiler", required_argument, NULL, 'c'},
                                             {"linker", required_argument, NULL, 'l'},
                                             {"exec-prefix", required_argument, NULL, 'E'},
                                             {"cflags", required_argument, NULL, 'f'},
                                             {"rtems", required_argument, NULL, 'r'},
                                             {"rtems-bsp", required_argument, NULL, 'B'},
                                             {"wrapper", required_argument, NULL, 'W'},
                                             {"config", required_argument, NULL, 'C'},
                                             {"path", required_argument, NULL, 'P'},
                                             {"list", no_argument, NULL, 'L'},
                                             {NULL, 0, NULL, 0}};

static void add_path(ftr_link_arena *arena, ftr_link_settings *settings, const char *paths)
{
    char *copy = ftr_arena_text(arena, paths);
    for (char *path = strtok(copy, ":"); path != NULL; path = strtok(NULL, ":"))
        ftr_name_list_add(arena, &settings->search, path);
}

static ftr_settings_outcome parse_option(ftr_link_arena *arena, ftr_link_settings *settings,
                                         int option)
{
    switch (option) {
    case 'h':
        fputs(usage, stdout);
        return FTR_SETTINGS_DONE;
    case 'V':
        printf("ftr-ld %s\n", FTR_LD_VERSION);
        return FTR_SETTINGS_DONE;
    case 'v':
        settings->verbose++;
        break;
    case 'w':
        settings->warn = true;
        break;
    case 'k':
        settings->keep = true;
        break;
    case 'c':
        settings->cc = optarg;
        break;
    case 'l':
        settings->ld = optarg;
        break;
    case 'E':
        settings->prefix = optarg;
        break;
    case 'f':
        settings->cflags = settings->cflags != NULL
                               ? ftr_arena_print(arena, "%s %s", settings->cflags, optarg)
                               : optarg;
        break;
    case 'r':
        settings->rtems_path = optarg;
        break;
    case 'B':
        settings->rtems_bsp = optarg;
        break;
    case 'W':
        settings->wrapper = optarg;
        break;
    case 'C':
        settings->config = optarg;
        break;
    case 'P':
        add_path(arena, settings, optarg);
        break;
    case 'L':
        settings->list = true;
        break;
    default:
        return FTR_SETTINGS_INVALID;
    }
    return FTR_SETTINGS_RUN;
}

ftr_settings_outcome ftr_link_settings_read(ftr_link_arena *arena, ftr_link_report *report,
                                            int argc, char **argv, ftr_link_settings *settings)
{
    int option;
    optind = 1;
    while ((option = getopt_long(argc, argv, "+hVvwkc:l:E:f:r:B:W:C:P:", long_options, NULL)) !=
           -1) {
        ftr_settings_outcome outcome = parse_option(arena, settings, option);
        if (outcome == FTR_SETTINGS_INVALID)
            fputs(usage, stderr);
        if (outcome != FTR_SETTINGS_RUN)
            return outcome;
    }
    bool separated = strcmp(argv[optind - 1], "--") == 0;
    settings->arguments = argv + optind;
    settings->argument_count = (size_t)(argc - optind);
    if (!settings->list && settings->argument_count && !separated) {
        ftr_report_error(report, argv[optind], "put the link command line after --");
        return FTR_SETTINGS_INVALID;
    }
    return FTR_SETTINGS_RUN;
}

const char *ftr_link_settings_installed(ftr_link_arena *arena, const char *name)
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = 0;
        for (int up = 0; up < 2; up++) {
            char *slash = strrchr(program, '/');
            if (slash != NULL)
                *slash = 0;
        }
        const char *path = ftr_arena_print(arena, "%s/%s", program, name);
        if (access(path, R_OK) == 0)
            return path;
    }
    return ftr_arena_print(arena, "%s/%s", FTR_LD_PREFIX, name);
}

/* ---- RTEMS ----------------------------------------------------------------------------------- */

/* Returns the value of `name=` or `name:` in a pkg-config file; NULL if the file does not contain
 * it. */
static const char *package_value(ftr_link_arena *arena, const char *path, const char *name)
{
    FILE *file = fopen(path, "re");
    char line[4096];
    const char *value = NULL;
    size_t length = strlen(name);
    while (file != NULL && value == NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, length) == 0 && (line[length] == '=' || line[length] == ':')) {
            line[strcspn(line, "\n")] = 0;
            value = ftr_arena_text(arena, line + length + 1);
        }
    if (file != NULL)
        fclose(file);
    return value;
}

/* Returns the name of the pkg-config file of the BSP `arch/bsp` in @p directory:
 * arch-rtemsN-bsp.pc. NULL if there is none. */
static const char *bsp_package(ftr_link_arena *arena, const char *directory, const char *bsp)
{
    const char *slash = strchr(bsp, '/');
    DIR *open = slash != NULL ? opendir(directory) : NULL;
    if (open == NULL)
        return NULL;
    const char *pattern =
        ftr_arena_print(arena, "%.*s-rtems*-%s.pc", (int)(slash - bsp), bsp, slash + 1);
    const char *found = NULL;
    struct dirent *entry;
    while (found == NULL && (entry = readdir(open)) != NULL)
        if (ftr_glob_matches(pattern, strlen(pattern), entry->d_name, strlen(entry->d_name)))
            found = ftr_arena_text(arena, entry->d_name);
    closedir(open);
    return found;
}

static bool resolve_bsp(ftr_link_arena *arena, ftr_link_report *report, ftr_link_settings *settings)
{
    const char *root = settings->rtems_path != NULL ? settings->rtems_path : settings->prefix;
    if (root == NULL) {
        ftr_report_error(report, settings->rtems_bsp, "a BSP needs --rtems or --exec-prefix");
        return false;
    }
    const char *directory = ftr_arena_print(arena, "%s/lib/pkgconfig", root);
    const char *package = bsp_package(arena, directory, settings->rtems_bsp);
    if (package == NULL) {
        ftr_report_error(report, settings->rtems_bsp, "%s has no package of this BSP (arch/bsp)",
                         directory);
        return false;
    }
    /* The prefix of the tools is the package's name up to the second dash: arch-rtemsN. */
    const char *dash = strchr(strchr(package, '-') + 1, '-');
    settings->prefix = ftr_arena_copy(arena, package, (size_t)(dash - package));
    const char *path = ftr_arena_print(arena, "%s/%s", directory, package);
    const char *flags = package_value(arena, path, "ABI_CFLAGS");
    if (flags == NULL)
        flags = package_value(arena, path, "Cflags");
    if (flags != NULL)
        ftr_command_split(arena, flags, &settings->flags);
    return true;
}

/* ---- tools ----------------------------------------------------------------------------------- */

static const char *first_of(const char *a, const char *b)
{
    return a != NULL ? a : b;
}

static const char *tool(ftr_link_arena *arena, const ftr_link_settings *settings, const char *name,
                        const char *native)
{
    return settings->prefix != NULL ? ftr_arena_print(arena, "%s-%s", settings->prefix, name)
                                    : native;
}

bool ftr_link_settings_resolve(ftr_link_arena *arena, ftr_link_report *report,
                               const ftr_trace_options *options, ftr_link_settings *settings)
{
    settings->prefix = first_of(settings->prefix, options->prefix);
    settings->rtems_path = first_of(settings->rtems_path, options->rtems_path);
    settings->rtems_bsp = first_of(settings->rtems_bsp, options->rtems_bsp);
    if (settings->rtems_bsp != NULL && !resolve_bsp(arena, report, settings))
        return false;
    settings->cc = first_of(settings->cc, options->cc);
    settings->ld = first_of(settings->ld, options->ld);
    settings->cc = first_of(settings->cc, tool(arena, settings, "gcc", "cc"));
    settings->ld = first_of(settings->ld, settings->cc);
    settings->objcopy = tool(arena, settings, "objcopy", "objcopy");
    /* The link's options for the machine (-m...) are also used to compile the wrappers. */
    for (size_t i = 0; i < settings->argument_count; i++)
        if (strncmp(settings->arguments[i], "-m", 2) == 0)
            ftr_name_list_add(arena, &settings->flags, settings->arguments[i]);
    return true;
}
