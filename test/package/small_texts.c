/* Texts in arrays that are smaller than the pieces in which the inline calls read them. Compiled
 * with optimisation by each compiler: the stores to an array must not be removed. */
#include <stdio.h>
#include <string.h>

#include <ftr/recorder.h>

#ifdef FTR_TEST_CALLS
/* All inline calls with texts. They are only compiled, because the program has no library. */
ftr_status put_small(ftr_recorder *rec, ftr_tx tx, char first);
ftr_status put_small(ftr_recorder *rec, ftr_tx tx, char first)
{
    const char text[] = {first, 'b', '\0'};
    const ftr_value value = {
        .type = FTR_TYPE_STRING, .text_length = FTR_NUL_TERMINATED, .as.text = text};
    ftr_status status = ftr_tx_put_text(rec, tx, 0, text, FTR_NUL_TERMINATED);
    if (status == FTR_OK)
        status = ftr_tx_put_named(rec, tx, FTR_CLASS_RECORD, "name", &value);
    return status == FTR_OK ? ftr_tx_record(rec, 1, 0, 0, &value, 1, NULL) : status;
}

#elif defined(FTR_READS_BESIDE_TEXTS)
static __attribute__((noinline)) size_t copy_piece(uint8_t *to, char first, int length)
{
    char text[4];
    char other[4] = {'?', '\0', '\0', '\0'};
    text[0] = first;
    text[1] = (char)(first + 1);
    text[2] = (char)(first + 2);
    text[length] = '\0';
    other[length] = '\0';
    size_t size = 0;
    (void)ftr_text_copy_piece(to, first == 'a' ? text : other, &size);
    return size;
}

static __attribute__((noinline)) size_t copy_text(uint8_t *to, char first, int length)
{
    const ftr_recorder_front front = {.text_pieces = FTR_TEXT_PIECES_IN_PAGE};
    char text[24];
    for (int i = 0; i < length; i++)
        text[i] = (char)(first + i);
    text[length] = '\0';
    const ftr_text_source from = ftr_text_source_of(text, FTR_NUL_TERMINATED);
    size_t size = 0;
    if (!ftr_text_put_short(&front, from, to, &size))
        (void)ftr_text_put_any(&front, from, to, 2 * FTR_TEXT_PIECE, &size);
    return size;
}

static int expect(const uint8_t *text, size_t size, int length)
{
    static const char expected[] = "abcdefghijklmnopqrstuvwxyz";
    if (size == (size_t)length && memcmp(text, expected, size) == 0)
        return 0;
    fprintf(stderr, "a text of %d bytes was read as %zu bytes: %.*s\n", length, size, (int)size,
            (const char *)text);
    return 1;
}

/* Returns 1 if a NULL that only the running program knows is put. */
static int put_null(uint8_t *to)
{
    const ftr_recorder_front front = {.text_pieces = FTR_TEXT_PIECES_IN_PAGE};
    const char *volatile unknown = NULL;
    const ftr_text_source from = ftr_text_source_of(unknown, FTR_NUL_TERMINATED);
    size_t size = 0;
    return ftr_text_put_short(&front, from, to, &size) ||
           ftr_text_put_any(&front, from, to, FTR_TEXT_PIECE, &size);
}

int main(int argc, char **argv)
{
    const char first = (char)('a' + argc - 1);
    uint8_t to[2 * FTR_TEXT_PIECE];
    int wrong = put_null(to);
    (void)argv;
    for (int length = 0; length < 4; length++)
        wrong += expect(to, copy_piece(to, first, length), length);
    for (int length = 0; length < 24; length++)
        wrong += expect(to, copy_text(to, first, length), length);
    return wrong == 0 ? 0 : 1;
}
#else
int main(void)
{
    return 77;
}
#endif
