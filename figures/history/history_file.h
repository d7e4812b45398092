/* History files (`.fth`): the figures of nights, to which nights are added. docs/history-format.md
 * describes the bytes. */
#ifndef FTR_HISTORY_FILE_H
#define FTR_HISTORY_FILE_H

#include "history_night.h"
#include "summary_file.h"

#include <ftr/status.h>

/* The head of a night in a file. */
typedef struct ftr_history_entry {
    uint8_t identity[FTR_CONTENT_HASH_SIZE];
    int64_t time;
    char name[FTR_NIGHT_NAME_SIZE];
    uint64_t runs, complete;
    uint64_t raw_size;                 /* size of the content; 0: the block is not compressed */
    uint8_t hash[8];                   /* of the block */
    uint64_t offset, size;             /* of the whole night in the file */
    uint64_t block_offset, block_size; /* in the file */
} ftr_history_entry;

/* An open history. `{.fd = -1}` is a closed one. */
typedef struct ftr_history {
    int fd;
    ftr_history_entry *nights; /* in ascending order of time, then of identity */
    size_t count, capacity;
    uint64_t end; /* end of the last complete night in the file */
    bool is_cut;  /* bytes follow that are a part of a night: a program that added the night was
                     killed, or still adds it */
} ftr_history;

/* Opens the history at @p path and reads the heads of its nights.
 * @param[out] history the caller calls ftr_history_close(), also after an error
 * @param[out] problem the first defect, if the result is FTR_ERR_FORMAT
 * @return FTR_OK; FTR_ERR_IO with errno set; FTR_ERR_FORMAT; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_history_open(ftr_history *history, const char *path,
                                         ftr_summary_problem *problem);

/* Opens the history at @p path to add nights; creates it if it does not exist. Waits until no other
 * process adds nights. Removes an incomplete night at the end of the file. @return as
 * ftr_history_open() */
FTR_MUST_USE ftr_status ftr_history_open_to_add(ftr_history *history, const char *path,
                                                ftr_summary_problem *problem);

void ftr_history_close(ftr_history *history);

/* Reads night number @p at.
 * @param[out] night owned by the caller until ftr_history_night_release(), also after an error
 * @param[out] problem the defect, if the result is FTR_ERR_FORMAT
 * @return FTR_OK; FTR_ERR_IO with errno set; FTR_ERR_FORMAT; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_history_read(const ftr_history *history, size_t at,
                                         ftr_history_night *night, ftr_summary_problem *problem);

/* Returns the night with this identity; NULL if there is none. */
const ftr_history_entry *ftr_history_find(const ftr_history *history,
                                          const uint8_t identity[FTR_CONTENT_HASH_SIZE]);

/* Returns the night with this name; NULL if there is none. */
const ftr_history_entry *ftr_history_find_name(const ftr_history *history, const char *name);

/* Adds a night to a history that was opened with ftr_history_open_to_add(). If it fails, the file
 * is unchanged. @return FTR_OK; FTR_ERR_IO with errno set; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_history_append(ftr_history *history, ftr_history_night *night);

/* Adds a night of another history, as ftr_history_append(). The bytes of the night are copied. */
FTR_MUST_USE ftr_status ftr_history_copy(ftr_history *to, const ftr_history *from, size_t at);

/* Replaces the file at @p path by a file with the nights for which @p is_kept is true. @p history
 * was opened with ftr_history_open_to_add(), and must then be closed.
 * @param is_kept index: number of the night
 * @return FTR_OK; FTR_ERR_IO with errno set; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_history_keep(ftr_history *history, const char *path,
                                         const bool *is_kept);

#endif
