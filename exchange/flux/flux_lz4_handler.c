/* The handler that packs entries into LZ4 blocks and puts them into another buffer. It is in a
 * separate object file, so that the rest of the emitter needs no compression. */
#include "flux_encoder.h"

#include <lz4.h>

#define TAG_PACKED 0x05
#define MODE_LZ4 0
#define HEAD_MAX 16

size_t ftr_flux_pack_lz4(void *user, const void *bytes, size_t size)
{
    ftr_flux_packer *packer = user;
    ftr_flux_buffer *to = packer->to;
    if (size > LZ4_MAX_INPUT_SIZE || packer->size < (size_t)LZ4_compressBound((int)size))
        return 0;
    const int packed = LZ4_compress_default(bytes, packer->memory, (int)size, (int)packer->size);
    if (packed <= 0)
        return 0;
    if ((size_t)packed + HEAD_MAX > to->size - to->used)
        (void)ftr_flux_flush(to);
    if ((size_t)packed + HEAD_MAX > to->size - to->used)
        return 0;
    ftr_flux_encoder entry = {to->bytes + to->used, to->size - to->used, 0};
    ftr_flux_byte(&entry, 0);
    ftr_flux_byte(&entry, TAG_PACKED);
    ftr_flux_byte(&entry, MODE_LZ4);
    ftr_flux_pint(&entry, size);
    ftr_flux_pint(&entry, (uint64_t)packed);
    ftr_flux_bytes(&entry, packer->memory, (size_t)packed);
    to->used += entry.used;
    return size;
}
