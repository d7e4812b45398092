/* The prompt of `ftr sql -i`. */
#ifndef FTR_SQL_PROMPT_H
#define FTR_SQL_PROMPT_H

#include "sql_session.h"

/* Reads and executes statements from the terminal or from stdin, until the end of input or
 * `.quit`. */
void ftr_sql_prompt(ftr_sql_session *session);

#endif
