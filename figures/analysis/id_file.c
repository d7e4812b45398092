/* The file consists of pages with the values of 256 consecutive ids, in the order in which the
 * first id of each page was put. It is mapped in segments, so that a pointer to a value stays valid
 * while the file grows. The space of a segment is allocated before it is mapped: a write to a
 * mapped hole of a file on a full disk would end the process. */
#include "id_file.h"

#include "atomic_file.h"
#include "growing_array.h"
#include "id_index.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_IDS 256u
#define SEGMENT_PAGES 256u
#define SEGMENT_SIZE (sizeof(ftr_id_value) * PAGE_IDS * SEGMENT_PAGES)

/* A mapped part of the file. */
typedef struct id_segment {
    ftr_id_value *values;
} id_segment;

struct ftr_id_file {
    int fd; /* -1: not created yet */
    id_segment *segments;
    size_t segment_count, segment_capacity;
    ftr_id_index pages; /* from id / PAGE_IDS to the number of the page with these ids */
    ftr_budget budget;
};

ftr_id_file *ftr_id_file_create(void)
{
    ftr_id_file *map = calloc(1, sizeof *map);
    if (map != NULL) {
        map->fd = -1;
        map->budget.limit = SIZE_MAX;
    }
    return map;
}

void ftr_id_file_destroy(ftr_id_file *map)
{
    if (map == NULL)
        return;
    for (size_t i = 0; i < map->segment_count; i++)
        (void)munmap(map->segments[i].values, SEGMENT_SIZE);
    free(map->segments);
    ftr_id_index_release(&map->pages, &map->budget);
    if (map->fd >= 0)
        (void)close(map->fd);
    free(map);
}

static ftr_status add_segment(ftr_id_file *map)
{
    const off_t at = (off_t)(map->segment_count * SEGMENT_SIZE);
    if (map->fd < 0)
        map->fd = ftr_temporary_file(NULL);
    if (map->fd < 0)
        return FTR_ERR_IO;
    if (!ftr_array_grow(&map->segments, &map->segment_capacity, map->segment_count,
                        sizeof *map->segments))
        return FTR_ERR_MEMORY;
    errno = posix_fallocate(map->fd, at, (off_t)SEGMENT_SIZE);
    if (errno != 0)
        return FTR_ERR_IO;
    void *memory = mmap(NULL, SEGMENT_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, map->fd, at);
    if (memory == MAP_FAILED)
        return FTR_ERR_IO;
    map->segments[map->segment_count++] = (id_segment){memory};
    return FTR_OK;
}

static ftr_id_value *value_at(const ftr_id_file *map, uint64_t page, uint64_t id)
{
    return map->segments[page / SEGMENT_PAGES].values + page % SEGMENT_PAGES * PAGE_IDS +
           (size_t)(id % PAGE_IDS);
}

ftr_status ftr_id_file_put(ftr_id_file *map, uint64_t id, ftr_id_value value)
{
    uint64_t page = ftr_id_index_get(&map->pages, id / PAGE_IDS);
    if (page == FTR_ID_NONE) {
        page = map->pages.count;
        ftr_status status = page == map->segment_count * SEGMENT_PAGES ? add_segment(map) : FTR_OK;
        if (status == FTR_OK)
            status = ftr_id_index_put(&map->pages, &map->budget, id / PAGE_IDS, page);
        if (status != FTR_OK)
            return status;
    }
    *value_at(map, page, id) = value;
    return FTR_OK;
}

ftr_id_value ftr_id_file_get(const ftr_id_file *map, uint64_t id)
{
    const uint64_t page = ftr_id_index_get(&map->pages, id / PAGE_IDS);
    return page == FTR_ID_NONE ? (ftr_id_value){{0, 0}} : *value_at(map, page, id);
}
