/* exact_texts_program TRACE: records texts by every call that measures texts. The memory of a text
 * ends with its NUL, and starts at an odd address: memcheck accepts reads of 16 aligned bytes. */
#include <stdlib.h>
#include <string.h>

#include <ftr/recorder.h>

static int record(ftr_recorder *rec, ftr_generator generator, const char *text)
{
    const ftr_value value = {
        .type = FTR_TYPE_STRING, .text_length = FTR_NUL_TERMINATED, .as.text = text};
    ftr_tx tx;
    return ftr_tx_begin(rec, generator, 0, &tx) == FTR_OK &&
           ftr_tx_put_text(rec, tx, 0, text, FTR_NUL_TERMINATED) == FTR_OK &&
           ftr_tx_put_named(rec, tx, FTR_CLASS_RECORD, "named", &value) == FTR_OK &&
           ftr_tx_end(rec, tx, 1) == FTR_OK &&
           ftr_tx_record(rec, generator, 0, 1, &value, 1, NULL) == FTR_OK;
}

int main(int argc, char **argv)
{
    static const ftr_attribute attribute = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
    ftr_recorder *rec;
    ftr_stream stream;
    ftr_generator generator;
    if (argc < 2 || ftr_recorder_open(argv[1], NULL, &rec) != FTR_OK ||
        ftr_stream_define(rec, "top", NULL, &stream) != FTR_OK ||
        ftr_generator_define(rec, stream, "say", &attribute, 1, &generator) != FTR_OK)
        return 1;
    for (size_t length = 0; length < 50; length++) {
        char *memory = malloc(length + 2);
        if (memory == NULL)
            return 1;
        char *text = memory + 1;
        memset(text, 'a', length);
        text[length] = '\0';
        if (!record(rec, generator, text))
            return 1;
        free(memory);
    }
    return ftr_recorder_close(rec) == FTR_OK ? 0 : 1;
}
