/* Shared by the files that check and repair stores. */
#ifndef CAIRN_STORE_MAINTENANCE_INTERNAL_H
#define CAIRN_STORE_MAINTENANCE_INTERNAL_H

#include "store/store_internal.h"

#include <unistd.h>

void cni_store_report_init(CnStoreReport *report, CnAllocator *allocator);
/* Counts a problem and keeps its text while there is room. `row` is the key as text; NULL: the
 * problem is not one of a single row. */
void cni_store_report_add(CnStoreReport *report, uint32_t table, const char *row,
                          const char *message);

#endif
