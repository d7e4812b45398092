/* Prints thread and user events of a kernel log, like a user's program with <ftr/kev.h>:
 * print_kernel_events LOG [COUNT] */
#include <ftr/kev.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct printer {
    const ftr_kev_parser *parser;
    long left; /* events; 0: no limit */
} printer;

static int print_event(void *user, const ftr_kev_event *event)
{
    printer *p = user;
    char text[64];
    const char *name = ftr_kev_event_name(p->parser, event);
    (void)printf("0x%" PRIx64 " cpu %u %s ", event->time, event->cpu, ftr_kev_class_name(event));
    if (name != NULL)
        (void)printf("%s", name);
    else
        (void)printf("%u", event->number);
    for (size_t i = 0; i < event->word_count; i++)
        (void)printf(" %" PRIu32, event->words[i]);
    if (ftr_kev_text(p->parser, event, text, sizeof text) > 0)
        (void)printf(" \"%s\"", text);
    (void)printf("\n");
    return p->left > 0 && --p->left == 0;
}

static void print_finding(void *user, uint64_t offset, const char *message)
{
    (void)user;
    (void)printf("finding at %" PRIu64 ": %s\n", offset, message);
}

int main(int argc, char **argv)
{
    static const char *const STATUSES[] = {[FTR_ERR_IO] = "FTR_ERR_IO",
                                           [FTR_ERR_FORMAT] = "FTR_ERR_FORMAT",
                                           [FTR_ERR_TRUNCATED] = "FTR_ERR_TRUNCATED"};
    ftr_kev_parser *parser = NULL;
    printer p = {.left = argc > 2 ? strtol(argv[2], NULL, 10) : 0};
    int stopped;
    if (argc < 2)
        return 2;
    const ftr_status status = ftr_kev_open(argv[1], &parser);
    if (status != FTR_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[1], STATUSES[status]);
        return 1;
    }
    p.parser = parser;
    (void)printf("release %s, %" PRIu64 " cycles a second\n", ftr_kev_key(parser, "SYS_RELEASE"),
                 ftr_kev_frequency(parser));
    ftr_kev_on_finding(parser, print_finding, NULL);
    if (ftr_kev_on(parser, FTR_KEV_THREAD, 0, 63, print_event, &p) != FTR_OK ||
        ftr_kev_on(parser, FTR_KEV_USER, 0, FTR_KEV_EVENT_NUMBERS - 1, print_event, &p) != FTR_OK ||
        ftr_kev_on(parser, FTR_KEV_CLASSES, 0, 0, print_event, &p) != FTR_ERR_ARGUMENT ||
        ftr_kev_parse(parser, &stopped) != FTR_OK)
        return 1;
    if (stopped != 0)
        (void)printf("stopped\n");
    ftr_kev_close(parser);
    return 0;
}
