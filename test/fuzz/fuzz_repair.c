/* libFuzzer target for the repair: the repair of any bytes is a valid file of bounded size. Without
 * libFuzzer (fuzz_main.c) it replays a corpus. */
#include <ftr/reader.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* An LZ4 block expands to at most 255 times its size; the rest is for invented texts. */
#define EXPANSION 300
#define MADE_UP ((uint64_t)1 << 20)

static char directory[64];
static char paths[3][80];

static void remove_files(void)
{
    for (unsigned i = 0; i < 3; i++)
        (void)unlink(paths[i]);
    (void)rmdir(directory);
}

static void make_paths(void)
{
    if (directory[0] != '\0')
        return;
    (void)snprintf(directory, sizeof directory, "%s/fuzz_repair_XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(directory) == NULL)
        abort();
    for (unsigned i = 0; i < 3; i++)
        (void)snprintf(paths[i], sizeof paths[i], "%s/%u.ftr", directory, i);
    (void)atexit(remove_files);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    make_paths();
    const int fd = open(paths[0], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || close(fd) != 0)
        abort();
    ftr_repair first;
    ftr_repair second;
    if (ftr_file_repair(paths[0], paths[1], NULL, NULL, &first) != FTR_OK)
        return 0;
    if (first.bytes_out > (uint64_t)size * EXPANSION + MADE_UP)
        abort();
    if (ftr_file_repair(paths[1], paths[2], NULL, NULL, &second) != FTR_OK || second.lost)
        abort();
    return 0;
}
