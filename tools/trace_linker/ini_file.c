/* Parses configuration files and loads the files that they include. The only key with a meaning
 * here is `include`. The library libinih is not used, because it does not support the grammar of
 * these files (docs/tracelink.md, "Grammar"). */
#include "ini_file.h"

#include "whole_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct ini_parser {
    ftr_ini_files *files;
    ftr_ini_source *source;
    ftr_ini_section *section;
    const char *next;
    const char *end;
    unsigned line;
} ini_parser;

typedef struct ini_line {
    const char *text;
    size_t length;
} ini_line;

const char *ftr_ini_section_where(ftr_link_arena *arena, const ftr_ini_section *section)
{
    return ftr_arena_print(arena, "%s:%u: [%s]", section->source->path, section->line,
                           section->name);
}

const char *ftr_ini_value_where(ftr_link_arena *arena, const ftr_ini_value *value)
{
    return ftr_arena_print(arena, "%s:%u: [%s] %s", value->section->source->path, value->line,
                           value->section->name, value->key);
}

static ini_line trimmed(ini_line line)
{
    while (line.length && isspace((unsigned char)line.text[0])) {
        line.text++;
        line.length--;
    }
    while (line.length && isspace((unsigned char)line.text[line.length - 1]))
        line.length--;
    return line;
}

static bool next_line(ini_parser *parser, ini_line *line)
{
    if (parser->next == parser->end)
        return false;
    const char *newline = memchr(parser->next, '\n', (size_t)(parser->end - parser->next));
    const char *stop = newline != NULL ? newline : parser->end;
    line->text = parser->next;
    line->length = (size_t)(stop - parser->next);
    parser->next = newline != NULL ? newline + 1 : parser->end;
    parser->line++;
    return true;
}

static bool wrong(ini_parser *parser, unsigned line, const char *what, ini_line text)
{
    ftr_link_arena *arena = parser->files->arena;
    const char *where = parser->section != NULL
                            ? ftr_arena_print(arena, "%s:%u: [%s]", parser->source->path, line,
                                              parser->section->name)
                            : ftr_arena_print(arena, "%s:%u", parser->source->path, line);
    ftr_report_error(parser->files->report, where, "%s: %.*s", what, (int)text.length, text.text);
    return false;
}

static ftr_ini_section *section_of(ini_parser *parser, ini_line name)
{
    ftr_link_arena *arena = parser->files->arena;
    for (size_t i = 0; i < parser->source->count; i++) {
        ftr_ini_section *known = parser->source->sections[i];
        if (strlen(known->name) == name.length && memcmp(known->name, name.text, name.length) == 0)
            return known;
    }
    ftr_ini_section *section = ftr_link_arena_allocate(arena, 1, sizeof *section);
    section->name = ftr_arena_copy(arena, name.text, name.length);
    section->line = parser->line;
    section->source = parser->source;
    FTR_ARENA_APPEND(arena, parser->source->sections, parser->source->count, section);
    return section;
}

static bool parse_section(ini_parser *parser, ini_line line)
{
    const char *close = memchr(line.text, ']', line.length);
    if (close == NULL)
        return wrong(parser, parser->line, "a section without its ']'", line);
    ini_line name = trimmed((ini_line){line.text + 1, (size_t)(close - line.text) - 1});
    ini_line rest = trimmed((ini_line){close + 1, line.length - (size_t)(close + 1 - line.text)});
    if (!name.length)
        return wrong(parser, parser->line, "a section without a name", line);
    if (rest.length && rest.text[0] != ';' && rest.text[0] != '#')
        return wrong(parser, parser->line, "text after a section's name", rest);
    parser->section = section_of(parser, name);
    return true;
}

/* Returns the tag of a block `<<<TAG`. Also accepts `<<TAG`, the form in the documentation of the
 * original trace linker. Returns length 0 if the value does not begin a block. */
static ini_line block_tag(ini_line value)
{
    ini_line none = {value.text, 0};
    size_t marks = 0;
    while (marks < value.length && value.text[marks] == '<')
        marks++;
    if (marks != 2 && marks != 3)
        return none;
    ini_line tag = trimmed((ini_line){value.text + marks, value.length - marks});
    for (size_t i = 0; i < tag.length; i++)
        if (!isalnum((unsigned char)tag.text[i]) && tag.text[i] != '_' && tag.text[i] != '-')
            return none;
    return tag;
}

static bool parse_block(ini_parser *parser, ini_line tag, ftr_ini_value *value)
{
    const char *begin = parser->next;
    ini_line line;
    while (next_line(parser, &line)) {
        ini_line bare = trimmed(line);
        if (bare.length == tag.length && memcmp(bare.text, tag.text, tag.length) == 0) {
            value->text = ftr_arena_copy(parser->files->arena, begin, (size_t)(line.text - begin));
            value->block = true;
            return true;
        }
    }
    return wrong(parser, value->line, "a block without a line that ends it", tag);
}

static bool parse_key(ini_parser *parser, ini_line line)
{
    ftr_link_arena *arena = parser->files->arena;
    const char *equals = memchr(line.text, '=', line.length);
    if (equals == NULL)
        return wrong(parser, parser->line, "neither [section], key = value, nor comment", line);
    if (parser->section == NULL)
        return wrong(parser, parser->line, "a key before the first section", line);
    ini_line key = trimmed((ini_line){line.text, (size_t)(equals - line.text)});
    ini_line text = trimmed((ini_line){equals + 1, line.length - (size_t)(equals + 1 - line.text)});
    if (!key.length)
        return wrong(parser, parser->line, "a value without a key", line);
    ftr_ini_value value = {.key = ftr_arena_copy(arena, key.text, key.length),
                           .line = parser->line,
                           .section = parser->section};
    ini_line tag = block_tag(text);
    if (!tag.length)
        value.text = ftr_arena_copy(arena, text.text, text.length);
    else if (!parse_block(parser, tag, &value))
        return false;
    FTR_ARENA_APPEND(arena, parser->section->values, parser->section->count, value);
    return true;
}

static bool parse_lines(ini_parser *parser)
{
    ini_line line;
    while (next_line(parser, &line)) {
        if (parser->line == 1 && line.length >= 3 && memcmp(line.text, "\xef\xbb\xbf", 3) == 0)
            line = (ini_line){line.text + 3, line.length - 3};
        line = trimmed(line);
        if (!line.length || line.text[0] == ';' || line.text[0] == '#')
            continue;
        if (!(line.text[0] == '[' ? parse_section(parser, line) : parse_key(parser, line)))
            return false;
    }
    return true;
}

bool ftr_ini_section_load(ftr_ini_files *files, const ftr_ini_section *section)
{
    for (size_t i = 0; i < section->count; i++) {
        ftr_name_list names = {0};
        const ftr_ini_value *value = &section->values[i];
        if (strcmp(value->key, "include") != 0)
            continue;
        if (!ftr_ini_value_split(files, value, &names))
            return false;
        for (size_t n = 0; n < names.count; n++)
            if (!ftr_ini_files_load(files, ftr_ini_value_where(files->arena, value),
                                    names.names[n]))
                return false;
    }
    return true;
}

static bool load_includes(ftr_ini_files *files, const ftr_ini_source *source)
{
    for (size_t i = 0; i < source->count; i++)
        if (strcmp(source->sections[i]->name, "includes") == 0 &&
            !ftr_ini_section_load(files, source->sections[i]))
            return false;
    return true;
}

bool ftr_ini_files_parse(ftr_ini_files *files, const char *path, const char *text, size_t length)
{
    ftr_ini_source *source = ftr_link_arena_allocate(files->arena, 1, sizeof *source);
    source->path = ftr_arena_text(files->arena, path);
    FTR_ARENA_APPEND(files->arena, files->sources, files->count, source);
    const char *nul = memchr(text, 0, length);
    ini_parser parser = {
        .files = files, .source = source, .next = text, .end = nul != NULL ? nul : text + length};
    return parse_lines(&parser) && load_includes(files, source);
}

static FILE *open_along_path(const ftr_ini_files *files, const char *name, const char **path)
{
    *path = name;
    FILE *file = fopen(name, "re");
    for (size_t i = 0; file == NULL && name[0] != '/' && i < files->search.count; i++) {
        *path = ftr_arena_print(files->arena, "%s/%s", files->search.names[i], name);
        file = fopen(*path, "re");
    }
    return file;
}

static bool is_loaded(const ftr_ini_files *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->sources[i]->path, path) == 0)
            return true;
    return false;
}

bool ftr_ini_files_load(ftr_ini_files *files, const char *where, const char *name)
{
    const char *path;
    FILE *file = open_along_path(files, name, &path);
    if (file == NULL) {
        ftr_report_error(files->report, where,
                         "%s: not found, neither in the current directory nor in %zu directories",
                         name, files->search.count);
        return false;
    }
    if (is_loaded(files, path)) {
        fclose(file);
        return true;
    }
    size_t length;
    char *text = ftr_read_whole(file, SIZE_MAX, &length);
    int cause = errno;
    fclose(file);
    if (text == NULL) {
        ftr_report_error(files->report, where, "%s: %s", path, strerror(cause));
        return false;
    }
    ftr_report_note(files->report, 1, "reading %s", path);
    bool good = ftr_ini_files_parse(files, path, text, length);
    free(text);
    return good;
}

const ftr_ini_section *ftr_ini_files_find(const ftr_ini_files *files, const char *section)
{
    for (size_t i = 0; i < files->count; i++)
        for (size_t k = 0; k < files->sources[i]->count; k++)
            if (strcmp(files->sources[i]->sections[k]->name, section) == 0)
                return files->sources[i]->sections[k];
    return NULL;
}

/* Returns the length of the quoted text at @p text, including both quotes; 0 if the closing quote
 * is missing. */
static size_t quoted_length(const char *text)
{
    for (size_t i = 1; text[i]; i++) {
        if (text[i] == '\\' && text[i + 1])
            i++;
        else if (text[i] == text[0])
            return i + 1;
    }
    return 0;
}

/* Removes the quotes if a piece is one quoted text. @return false after an error message if the
 * closing quote is missing */
static bool unquote(const ftr_ini_files *files, const ftr_ini_value *value, ini_line *piece)
{
    char quote = '\0';
    if (piece->length)
        quote = piece->text[0];
    if (quote != '"' && quote != '\'')
        return true;
    if (piece->length < 2 || piece->text[piece->length - 1] != quote) {
        ftr_report_error(files->report, ftr_ini_value_where(files->arena, value),
                         "a quote that is not closed: %.*s", (int)piece->length, piece->text);
        return false;
    }
    piece->text++;
    piece->length -= 2;
    return true;
}

const char *ftr_ini_value_single(const ftr_ini_files *files, const ftr_ini_value *value)
{
    ini_line piece = {value->text, strlen(value->text)};
    if (!value->block && !unquote(files, value, &piece))
        return NULL;
    return ftr_arena_copy(files->arena, piece.text, piece.length);
}

/* Returns the length of the piece that starts at @p text. A quote without a closing quote is an
 * ordinary character here; unquote() reports it. */
static size_t piece_length(const char *text)
{
    int depth = 0;
    size_t i = 0;
    while (text[i] && (text[i] != ',' || depth > 0)) {
        size_t quoted = 0;
        if (text[i] == '"' || text[i] == '\'')
            quoted = quoted_length(text + i);
        if (text[i] == '(' || text[i] == '[')
            depth++;
        else if ((text[i] == ')' || text[i] == ']') && depth > 0)
            depth--;
        i += quoted ? quoted : 1;
    }
    return i;
}

bool ftr_ini_value_split(const ftr_ini_files *files, const ftr_ini_value *value,
                         ftr_name_list *pieces)
{
    if (value->block) {
        ftr_name_list_add(files->arena, pieces, value->text);
        return true;
    }
    const char *text = value->text;
    for (;;) {
        size_t length = piece_length(text);
        ini_line piece = trimmed((ini_line){text, length});
        if (!unquote(files, value, &piece))
            return false;
        if (piece.length)
            ftr_name_list_add(files->arena, pieces,
                              ftr_arena_copy(files->arena, piece.text, piece.length));
        if (!text[length])
            return true;
        text += length + 1;
    }
}
