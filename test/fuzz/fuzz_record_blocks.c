/* libFuzzer target for the compressor of records: liblz4 and the decoder of truncated blocks must
 * return the input. */
#include "lz4_block.h"
#include "record_blocks.h"

#include <lz4.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#ifdef FTR_RECORD_BLOCKS
static void require(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static ftr_record_work work;
    if (size > FTR_RECORD_BLOCK_MAX)
        return 0;
    /* Exactly as large as their content, so that AddressSanitizer detects an access beyond it. */
    const size_t bound = ftr_lz4_bound(size);
    uint8_t *block = malloc(bound);
    uint8_t *raw = malloc(size > 0 ? size : 1);
    require(block != NULL && raw != NULL);
    const size_t block_size = ftr_record_block_compress(&work, bytes, size, block);
    require(block_size <= bound);
    uint8_t *exact = realloc(block, block_size);
    require(exact != NULL);
    require(LZ4_decompress_safe((const char *)exact, (char *)raw, (int)block_size, (int)size) ==
            (int)size);
    require(size == 0 || memcmp(raw, bytes, size) == 0);
    memset(raw, 0, size);
    require(ftr_lz4_expand_prefix(exact, block_size, raw, size) == size);
    require(size == 0 || memcmp(raw, bytes, size) == 0);
    free(exact);
    free(raw);
    return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    return 0;
}
#endif
