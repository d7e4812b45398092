/* Records short runs that differ in their transactions: make_night TRACE... */
#include <ftr/recorder.h>

#include <stdio.h>

#define TRANSACTIONS 500

static ftr_status record(const char *path, uint64_t seed)
{
    ftr_recorder *recorder;
    ftr_stream stream;
    ftr_generator read;
    ftr_status status = ftr_recorder_open(path, NULL, &recorder);
    if (status != FTR_OK)
        return status;
    status = ftr_stream_define(recorder, "top.bus", "tlm", &stream);
    if (status == FTR_OK)
        status = ftr_generator_define(recorder, stream, "read", NULL, 0, &read);
    for (uint64_t i = 0; status == FTR_OK && i < TRANSACTIONS; i++) {
        ftr_tx tx;
        status = ftr_tx_begin(recorder, read, 1000 * i, &tx);
        if (status == FTR_OK)
            status = ftr_tx_end(recorder, tx, 1000 * i + (seed * 7919 + i * i) % 997);
    }
    const ftr_status closed = ftr_recorder_close(recorder);
    return status != FTR_OK ? status : closed;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const ftr_status status = record(argv[i], (uint64_t)i);
        if (status != FTR_OK) {
            (void)fprintf(stderr, "%s: %s\n", argv[i], ftr_status_text(status));
            return 1;
        }
    }
    return 0;
}
