/* Ends its main thread with pthread_exit(): alone, or with a thread that continues to record. */
#define _GNU_SOURCE
#include <ftr/environment.h>

#include <pthread.h>
#include <string.h>
#include <unistd.h>

static ftr_recorder *rec;
static ftr_generator generator;

static void record_ten(void)
{
    for (int i = 0; i < 10; i++)
        (void)!ftr_tx_record(rec, generator, (uint64_t)i, (uint64_t)i + 1, NULL, 0, NULL);
}

static void *record_later(void *data)
{
    usleep(600000); /* the writer has checked by now whether it is the last thread */
    record_ten();
    return data;
}

int main(int argc, char **argv)
{
    ftr_stream stream;
    pthread_t thread;
    rec = ftr_default_recorder(-9, NULL, NULL);
    if (rec == NULL || ftr_stream_define(rec, "top", NULL, &stream) != FTR_OK ||
        ftr_generator_define(rec, stream, "g", NULL, 0, &generator) != FTR_OK)
        return 1;
    record_ten();
    if (argc > 1 && strcmp(argv[1], "with-thread") == 0 &&
        pthread_create(&thread, NULL, record_later, NULL) != 0)
        return 2;
    pthread_exit(NULL);
}
