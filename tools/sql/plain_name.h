/* Names that need no quotes in SQL. */
#ifndef FTR_PLAIN_NAME_H
#define FTR_PLAIN_NAME_H

/* Converts @p text to a name that needs no quotes in SQL: letters, digits and `_`. The caller must
 * free() it. */
char *ftr_sql_plain_name(const char *text);

#endif
