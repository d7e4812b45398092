/* Owns the loop over the relations of a file. Does not know the purpose of the loop. */
#include "each_relation.h"

ftr_status ftr_each_relation(ftr_reader *reader, ftr_visit_relation *visit, void *user)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status = ftr_relation_cursor_open(reader, false, 0, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK)
        if ((status = visit(user, &relation)) != FTR_OK)
            break;
    ftr_relation_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}
