#ifndef FTR_SC_LIFETIME_OTHER_HPP
#define FTR_SC_LIFETIME_OTHER_HPP

/** Records a transaction with the static objects of its translation unit. */
void other_unit_records();

#endif
