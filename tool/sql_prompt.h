/* The prompt of `ftr sql -i`. */
#ifndef FTR_SQL_PROMPT_H
#define FTR_SQL_PROMPT_H

#include "sql_session.h"

/* Reads statements from the terminal, or from stdin, up to its end or `.quit`. */
void ftr_sql_prompt(ftr_sql_session *session);

#endif
