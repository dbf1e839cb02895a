/*
 * cairn/store: saved data in one file, in transactions, written by a thread of its own.
 * cairn/store/store.h is the manual; docs/store.md the guide.
 */
#ifndef CAIRN_STORE_H
#define CAIRN_STORE_H

#include <cairn/store/backend.h>
#include <cairn/store/batch.h>
#include <cairn/store/maintenance.h>
#include <cairn/store/store.h>
#include <cairn/store/table.h>

#endif
