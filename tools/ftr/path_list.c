/* Reads lists of file names. */
#include "path_list.h"

#include "command.h"
#include "whole_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Ends each name in the text with NUL; empty names are dropped. */
static void split(ftr_path_list *list, size_t size)
{
    const char end = memchr(list->text, '\0', size) != NULL ? '\0' : '\n';
    for (char *name = list->text, *last = list->text + size; name < last;) {
        char *stop = memchr(name, end, (size_t)(last - name));
        if (stop == NULL)
            stop = last;
        *stop = '\0';
        if (stop > name)
            list->paths[list->count++] = name;
        name = stop + 1;
    }
}

/* @return an upper bound of the number of names */
static size_t count_ends(const char *text, size_t size)
{
    size_t names = 1;
    for (size_t i = 0; i < size; i++)
        names += text[i] == '\0' || text[i] == '\n';
    return names;
}

bool ftr_path_list_init(ftr_path_list *list, char *const *paths, size_t count, const char *file)
{
    size_t size = 0;
    *list = (ftr_path_list){0};
    if (file != NULL) {
        errno = 0;
        list->text = ftr_read_whole_file(file, SIZE_MAX, &size);
        if (list->text == NULL) {
            ftr_print_error("%s: %s", file, strerror(errno));
            return false;
        }
    }
    const size_t most = count + (file != NULL ? count_ends(list->text, size) : 0);
    list->paths = calloc(most > 0 ? most : 1, sizeof *list->paths);
    if (list->paths == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        ftr_path_list_release(list);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        list->paths[list->count++] = paths[i];
    if (file != NULL)
        split(list, size);
    return true;
}

void ftr_path_list_release(ftr_path_list *list)
{
    free(list->paths);
    free(list->text);
    *list = (ftr_path_list){0};
}
