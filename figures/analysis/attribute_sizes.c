/* The table of attribute sizes. */
#include "attribute_sizes.h"

#include "growing_array.h"
#include "text_view.h"

#include <stdlib.h>
#include <string.h>

static ftr_attribute_size *row_of(ftr_attribute_sizes *sizes, ftr_view name)
{
    const size_t known = ftr_name_table_find(&sizes->names, name.data, name.size, 0);
    if (known != FTR_NAME_UNKNOWN)
        return &sizes->rows[known];
    if (!ftr_array_grow(&sizes->rows, &sizes->row_capacity, sizes->row_count, sizeof *sizes->rows))
        return NULL;
    ftr_attribute_size *row = &sizes->rows[sizes->row_count];
    *row = (ftr_attribute_size){.name = ftr_text_duplicate(name.data, name.size),
                                .name_size = name.size};
    if (row->name == NULL)
        return NULL;
    if (!ftr_name_table_add(&sizes->names, row->name, name.size, 0, sizes->row_count)) {
        free(row->name);
        return NULL;
    }
    sizes->row_count++;
    return row;
}

uint32_t ftr_attribute_sizes_row(ftr_attribute_sizes *sizes, ftr_view name)
{
    pthread_mutex_lock(&sizes->lock);
    const ftr_attribute_size *row = row_of(sizes, name);
    const size_t number = row != NULL ? (size_t)(row - sizes->rows) : UINT32_MAX;
    pthread_mutex_unlock(&sizes->lock);
    return (uint32_t)number;
}

bool ftr_attribute_sizes_add(ftr_attribute_sizes *sizes, uint64_t row, uint64_t count,
                             uint64_t bytes)
{
    pthread_mutex_lock(&sizes->lock);
    const bool exists = row < sizes->row_count;
    if (exists) {
        sizes->rows[row].count += count;
        sizes->rows[row].bytes += bytes;
    }
    pthread_mutex_unlock(&sizes->lock);
    return exists;
}

bool ftr_attribute_sizes_merge(ftr_attribute_sizes *to, const ftr_attribute_sizes *from)
{
    for (size_t i = 0; i < from->row_count; i++) {
        const ftr_attribute_size *row = &from->rows[i];
        ftr_attribute_size *sum = row_of(to, (ftr_view){row->name, row->name_size});
        if (sum == NULL)
            return false;
        sum->count += row->count;
        sum->bytes += row->bytes;
    }
    return true;
}

static int compare_rows(const void *a, const void *b)
{
    return strcmp(((const ftr_attribute_size *)a)->name, ((const ftr_attribute_size *)b)->name);
}

/* Removes rows without values. If a reading thread does not find a name, it adds a row without
 * name. If the calling thread then reads the chunk again and finds the name, that row stays
 * empty. */
static void remove_empty_rows(ftr_attribute_sizes *sizes)
{
    size_t kept = 0;
    for (size_t i = 0; i < sizes->row_count; i++) {
        if (sizes->rows[i].count > 0)
            sizes->rows[kept++] = sizes->rows[i];
        else
            free(sizes->rows[i].name);
    }
    sizes->row_count = kept;
}

void ftr_attribute_sizes_sort(ftr_attribute_sizes *sizes)
{
    remove_empty_rows(sizes);
    if (sizes->row_count > 0)
        qsort(sizes->rows, sizes->row_count, sizeof *sizes->rows, compare_rows);
    ftr_name_table_release(&sizes->names);
}

void ftr_attribute_sizes_release(ftr_attribute_sizes *sizes)
{
    for (size_t i = 0; i < sizes->row_count; i++)
        free(sizes->rows[i].name);
    free(sizes->rows);
    ftr_name_table_release(&sizes->names);
    *sizes = (ftr_attribute_sizes){0};
}
