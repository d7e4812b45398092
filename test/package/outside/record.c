/* Records one transaction to the file given as argument. Exits with 0 on success, if the header has
 * the version given as argument. */
#include <ftr/recorder.h>
#include <ftr/version.h>

#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 3 || strcmp(argv[2], FTR_VERSION_TEXT) != 0)
        return 2;

    static const ftr_attribute declared[] = {
        {"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
    };
    ftr_recorder *rec = NULL;
    ftr_stream stream;
    ftr_generator generator;
    if (ftr_recorder_open(argv[1], NULL, &rec) != FTR_OK ||
        ftr_stream_define(rec, "outside.bus", NULL, &stream) != FTR_OK ||
        ftr_generator_define(rec, stream, "read", declared, 1, &generator) != FTR_OK)
        return 1;

    const ftr_value address = {.type = FTR_TYPE_UNSIGNED, .as.number = 4096};
    if (ftr_tx_record(rec, generator, 10, 20, &address, 1, NULL) != FTR_OK)
        return 1;
    return ftr_recorder_close(rec) == FTR_OK ? 0 : 1;
}
