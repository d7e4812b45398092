/* Runs a fuzz target on the given files and directories, so that the corpus is an ordinary test
 * with any compiler. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static unsigned run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (file == NULL || fstat(fileno(file), &status) != 0) {
        perror(path);
        exit(2);
    }
    const size_t size = (size_t)status.st_size;
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL || fread(bytes, 1, size, file) != size) {
        perror(path);
        exit(2);
    }
    (void)fclose(file);
    (void)LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 1;
}

static unsigned run(const char *path)
{
    DIR *directory = opendir(path);
    if (directory == NULL)
        return run_file(path);
    unsigned count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char inside[4096];
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        count += run_file(inside);
    }
    (void)closedir(directory);
    return count;
}

int main(int argc, char **argv)
{
    unsigned count = 0;
    for (int i = 1; i < argc; i++)
        count += run(argv[i]);
    (void)printf("%u inputs\n", count);
    return count > 0 ? 0 : 2;
}
