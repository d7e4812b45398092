/* Records one transaction in a stream of each name that is an argument. */
#include <ftr/environment.h>

int main(int argc, char **argv)
{
    ftr_recorder *rec = ftr_default_recorder(-9, NULL, NULL);
    for (int i = 1; i < argc; i++) {
        ftr_stream stream;
        ftr_generator generator;
        if (rec == NULL || ftr_stream_define(rec, argv[i], NULL, &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "g", NULL, 0, &generator) != FTR_OK ||
            ftr_tx_record(rec, generator, 1, 2, NULL, 0, NULL) != FTR_OK)
            return 1;
    }
    return 0;
}
