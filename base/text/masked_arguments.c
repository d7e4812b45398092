/* Finds and replaces secrets in command lines. */
#define _GNU_SOURCE
#include "masked_arguments.h"

#include "growing_array.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MASK "***"

/* A text that grows. After the first failure, nothing is appended. */
typedef struct joined_text {
    char *bytes;
    size_t size, capacity;
    bool has_failed;
} joined_text;

static void append(joined_text *to, const char *bytes, size_t size)
{
    to->has_failed |= !ftr_array_fit(&to->bytes, &to->capacity, to->size + size + 1, 1);
    if (to->has_failed)
        return;
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    to->bytes[to->size] = '\0';
}

static bool contains(const char *name, size_t size, const char *word)
{
    const size_t length = strlen(word);
    for (size_t at = 0; at + length <= size; at++)
        if (strncasecmp(name + at, word, length) == 0)
            return true;
    return false;
}

static bool names_secret(const char *name, size_t size)
{
    static const char *const words[] = {"password", "passwd", "passphrase",
                                        "token",    "secret", "credential"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (contains(name, size, words[i]))
            return true;
    return size >= 3 && strncasecmp(name + size - 3, "key", 3) == 0;
}

/* Appends the word. Replaces the passwords in URLs of the form scheme://user:password@host. */
static void append_without_url_password(joined_text *to, const char *word)
{
    const char *from = word;
    for (const char *at = strstr(word, "://"); at != NULL; at = strstr(at, "://")) {
        at += 3;
        const size_t size = strcspn(at, "/?#");
        const char *colon = memchr(at, ':', size);
        const char *end = memrchr(at, '@', size);
        if (colon == NULL || end == NULL || colon > end)
            continue;
        append(to, from, (size_t)(colon + 1 - from));
        append(to, MASK, sizeof MASK - 1);
        from = end;
    }
    append(to, from, strlen(from));
}

/* Appends the word without the value of a secret. @p is_value is true if the previous word is an
 * option that names a secret, so that this word can be the value. Before it returns, the function
 * sets @p is_value for the next word. */
static void append_without_secret(joined_text *to, const char *word, bool *is_value)
{
    const bool is_option = word[0] == '-';
    const bool is_secret = *is_value && !is_option;
    const char *begin = word;
    *is_value = false;
    if (is_secret) {
        append(to, MASK, sizeof MASK - 1);
        return;
    }
    for (const char *at = strchr(word, '='); at != NULL; at = strchr(begin, '=')) {
        if (names_secret(begin, (size_t)(at - begin))) {
            append(to, word, (size_t)(at + 1 - word));
            append(to, MASK, sizeof MASK - 1);
            return;
        }
        begin = at + 1;
    }
    *is_value = is_option && begin == word && names_secret(word, strlen(word));
    append_without_url_password(to, word);
}

static void append_quoted(joined_text *to, const char *word)
{
    if (word[0] != '\0' && word[strcspn(word, " \t\n\"'\\$`*?[]{}()<>|&;#~!")] == '\0') {
        append(to, word, strlen(word));
        return;
    }
    append(to, "'", 1);
    for (; *word != '\0'; word++)
        append(to, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    append(to, "'", 1);
}

char *ftr_masked_arguments(const char *words, size_t size)
{
    joined_text all = {0};
    joined_text masked = {0};
    bool is_value = false;
    append(&all, "", 0);
    for (size_t at = 0; at < size;) {
        masked.size = 0;
        append(&masked, "", 0);
        append_without_secret(&masked, words + at, &is_value);
        at += strlen(words + at) + 1;
        if (all.size > 0)
            append(&all, " ", 1);
        if (!masked.has_failed)
            append_quoted(&all, masked.bytes);
    }
    const bool has_failed = all.has_failed || masked.has_failed;
    free(masked.bytes);
    if (has_failed) {
        free(all.bytes);
        return NULL;
    }
    return all.bytes;
}
