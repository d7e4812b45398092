/* Searches the loaded libraries for those that valgrind preloads: one for all tools, and one for
 * each tool that replaces functions of the program. Does not know which accesses a tool reports. */
#define _GNU_SOURCE
#include "access_checker.h"

#include <link.h>
#include <string.h>

static int is_of_tool(struct dl_phdr_info *library, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    static const char prefix[] = "/vgpreload_";
    const char *found = strstr(library->dlpi_name, prefix);
    return found != NULL && strncmp(found + sizeof prefix - 1, "core-", 5) != 0;
}

bool ftr_access_checker_runs(void)
{
    return dl_iterate_phdr(is_of_tool, NULL) != 0;
}
