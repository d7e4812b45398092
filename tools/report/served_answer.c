/* Owns the form of answers. Does not know the requests. */
#include "served_answer.h"

#include "kept_columns.h"
#include "run_manifest.h"

#include <stdlib.h>

ftr_status ftr_served_answer_put(ftr_text_buffer *manifest, ftr_json *json,
                                 const ftr_data_block *block, ftr_text_buffer *answer)
{
    ftr_json_close(json, '}');
    const bool printed = ftr_printer_flush(json->out);
    const uint32_t size = (uint32_t)manifest->size;
    return printed && !block->failed &&
                   ftr_text_buffer_take(answer, (const char *)&size, sizeof size) &&
                   ftr_text_buffer_take(answer, manifest->bytes, manifest->size) &&
                   ftr_text_buffer_take(answer, (const char *)block->bytes, block->size)
               ? FTR_OK
               : FTR_ERR_MEMORY;
}

/* Returns the indices of the generators in the manifest; index: generator index in the reader. */
static uint32_t *number_generators(ftr_reader *reader, const ftr_run_record *run)
{
    const size_t count = ftr_reader_generator_count(reader);
    uint32_t *numbers = malloc((count + 1) * sizeof *numbers);
    for (size_t i = 0; numbers != NULL && i < count; i++) {
        const ftr_generator_info *generator = ftr_reader_get_generator(reader, i);
        numbers[i] = ftr_manifest_find_generator(run, generator->stream->name, generator->name);
    }
    return numbers;
}

/* Transactions of an answer are shown for no other reason, and are not the slowest of the run. */
static void reset_reasons(ftr_kept_transactions *kept)
{
    for (size_t i = 0; i < kept->count; i++) {
        kept->txs[i].reasons = FTR_KEPT_SAMPLE;
        kept->txs[i].parentage = FTR_KEPT_PARENT_UNKNOWN;
    }
}

ftr_status ftr_served_answer_transactions(const ftr_run_record *run,
                                          const ftr_run_relations *relations,
                                          ftr_kept_transactions *kept,
                                          void (*put_members)(const void *user, ftr_json *json),
                                          const void *user, ftr_text_buffer *answer)
{
    ftr_data_block block = {.name = "tile"};
    ftr_text_buffer manifest = {0};
    uint32_t *numbers = number_generators(kept->reader, run);
    ftr_printer *printer = malloc(sizeof *printer);
    ftr_status status = numbers != NULL && printer != NULL ? FTR_OK : FTR_ERR_MEMORY;
    if (status == FTR_OK)
        status = ftr_kept_settle(kept);
    reset_reasons(kept);
    if (status == FTR_OK) {
        ftr_text_buffer_connect(&manifest, printer);
        ftr_json json = {.out = printer};
        ftr_json_open(&json, NULL, '{');
        put_members(user, &json);
        status = ftr_kept_print(kept, relations, numbers, 1, &block, &json);
        if (status == FTR_OK)
            status = ftr_served_answer_put(&manifest, &json, &block, answer);
    }
    free(printer);
    free(numbers);
    ftr_text_buffer_release(&manifest);
    ftr_data_block_release(&block);
    return status;
}
