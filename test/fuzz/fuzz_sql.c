/* libFuzzer target for the SQL tables: any bytes as a trace, and any text as arguments of modules
 * and functions. Without libFuzzer (fuzz_main.c) it replays a corpus. */
#include "extension.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void ignore(void *user, const char *path, const ftr_finding *finding)
{
    (void)user;
    (void)path;
    (void)finding;
}

static void execute(sqlite3 *db, const char *text)
{
    (void)sqlite3_exec(db, text, NULL, NULL, NULL);
}

static volatile unsigned looked_at;

/* Reads every value of every row. */
static void read_all(sqlite3 *db, const char *query)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, query, -1, &statement, NULL) != SQLITE_OK)
        return;
    for (int rows = 0; rows < 5000 && sqlite3_step(statement) == SQLITE_ROW; rows++)
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const unsigned char *text = sqlite3_column_text(statement, i);
            const int size = sqlite3_column_bytes(statement, i);
            for (int k = 0; text != NULL && k < size; k++)
                looked_at += text[k];
        }
    (void)sqlite3_finalize(statement);
}

static void read_tables(ftr_sql_context *context)
{
    static const char *const QUERIES[] = {
        "SELECT * FROM run",
        "SELECT * FROM stream",
        "SELECT * FROM generator",
        "SELECT *, attributes, stream_id, generator_id FROM tx LIMIT 1000",
        "SELECT * FROM tx ORDER BY begin LIMIT 1000",
        "SELECT *, stream, generator FROM attribute LIMIT 2000",
        "SELECT stream, generator, count(*), median(duration) FROM tx GROUP BY stream, generator",
        "SELECT * FROM tx WHERE begin > 5 AND end_s < 1 OR stream GLOB 't*' OR id = 3 LIMIT 1000",
        "SELECT * FROM relation LIMIT 1000",
        "SELECT a.value FROM relation JOIN attribute AS a ON a.tx = to_tx LIMIT 200",
        "SELECT t.id FROM tx AS s JOIN tx AS t ON t.id = s.id LIMIT 500",
        /* of summaries */
        "SELECT *, first_time_s, tag(tags, 'seed') FROM run ORDER BY run",
        "SELECT *, busy_s FROM stream",
        "SELECT *, first_s, mean_s, p99_9_s FROM figures",
        "SELECT run, stream, percentile_disc(latency, 0.5, count) FROM latency_bin GROUP BY 1, 2",
        "SELECT * FROM slowest JOIN series USING (run, stream, generator) LIMIT 500",
        "SELECT *, begin_s FROM series WHERE stream = 'top' OR generator IS NULL OR run = 1",
    };
    for (size_t i = 0; i < sizeof QUERIES / sizeof QUERIES[0]; i++)
        read_all(context->db, QUERIES[i]);
    for (size_t i = 0; i < context->tables.count && i < 4; i++) {
        if (ftr_sql_create_generator_table(context, &context->tables.entries[i], NULL) != SQLITE_OK)
            continue;
        char *query =
            sqlite3_mprintf("SELECT * FROM \"%w\" LIMIT 500", context->tables.entries[i].table);
        if (query != NULL)
            read_all(context->db, query);
        sqlite3_free(query);
    }
}

static void read_trace(ftr_sql_context *context, const uint8_t *bytes, size_t size)
{
    char path[64];
    const int fd = memfd_create("trace", 0);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    char *error = NULL;
    if (ftr_sql_open(context, path, &error) == SQLITE_OK &&
        ftr_sql_create_tables(context, &error) == SQLITE_OK)
        read_tables(context);
    sqlite3_free(error);
    (void)close(fd);
}

/* Uses the input as the text of arguments. */
static void use_text(sqlite3 *db, const uint8_t *bytes, size_t size)
{
    static const char *const STATEMENTS[] = {
        "SELECT ftr_time(%Q), ftr_time(%Q, -12)",
        "SELECT ftr_format_time(%Q, -9), hex(%Q)",
        "SELECT overlaps(%Q, %Q, 1, 2), percentile(1, %Q)",
        "SELECT count(*) FROM tx WHERE stream = %Q OR stream LIKE %Q OR generator GLOB %Q",
        "SELECT count(*) FROM tx WHERE id = %Q OR begin < %Q OR begin_s > %Q",
        "CREATE VIRTUAL TABLE t USING ftr(%Q, table = %Q)",
        "CREATE VIRTUAL TABLE t USING ftr(stream = %Q, generator = %Q)",
    };
    char text[256];
    const size_t kept = size < sizeof text - 1 ? size : sizeof text - 1;
    memcpy(text, bytes, kept);
    text[kept] = '\0';
    if (strpbrk(text, "*?[~/") != NULL)
        return; /* a pattern of files: must not read files of this machine */
    for (size_t i = 0; i < sizeof STATEMENTS / sizeof STATEMENTS[0]; i++) {
        char *statement = sqlite3_mprintf(STATEMENTS[i], text, text, text);
        if (statement != NULL)
            execute(db, statement);
        sqlite3_free(statement);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    sqlite3 *db;
    ftr_sql_context *context;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK || ftr_sql_register(db, &context) != SQLITE_OK)
        abort();
    context->finding = ignore;
    context->memory = 3 << 20;
    read_trace(context, bytes, size);
    use_text(db, bytes, size);
    sqlite3_close(db);
    return 0;
}
