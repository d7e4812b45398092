/* The names and descriptions of the statuses, both from the table in status.h. */
#include <ftr/status.h>

const char *ftr_status_text(ftr_status status)
{
#define FTR_STATUS_CASE(name, value, text) \
    case name:                             \
        return text;
    switch (status) {
        FTR_STATUS_TABLE(FTR_STATUS_CASE)
    }
#undef FTR_STATUS_CASE
    return "unknown status";
}

const char *ftr_status_name(ftr_status status)
{
#define FTR_STATUS_CASE(name, value, text) \
    case name:                             \
        return #name;
    switch (status) {
        FTR_STATUS_TABLE(FTR_STATUS_CASE)
    }
#undef FTR_STATUS_CASE
    return "FTR_ERR_?";
}
