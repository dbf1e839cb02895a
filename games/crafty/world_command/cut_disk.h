/*
 * A disk in memory below SQLite that simulates power cuts and faults.
 *
 *     CutDisk *disk = cut_disk_create(seed);       // registers the VFS cut_disk_name(disk)
 *     cut_disk_cut_after(disk, 40);                // the 40th call that changes something
 *     ... use a store; after the cut, every call fails ...
 *     cut_disk_reboot(disk);                       // now the disk holds what survived
 *     ... open the store again ...
 *
 * For each file the disk knows what was synced and which writes came after. A cut keeps the synced
 * bytes and a random part of the rest: writes are dropped, torn into sectors of 512 bytes,
 * sometimes within a sector, and applied out of order, as caches and disks do. New, deleted and
 * replaced names are kept only after the folder was synced. A folder is synced, as by SQLite's own
 * VFS, when a new journal or write-ahead log is synced for the first time or a file is deleted
 * durably. When memory runs out, the process ends: use it in tests and child processes.
 */
#ifndef CRAFTY_WORLD_COMMAND_CUT_DISK_H
#define CRAFTY_WORLD_COMMAND_CUT_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct CutDisk CutDisk;

typedef enum DiskFault {
    DISK_FAULT_NONE,
    DISK_FAULT_WRITE,      /* writes and truncations fail */
    DISK_FAULT_FULL,       /* writes that extend a file fail with "full", after half of the bytes */
    DISK_FAULT_SYNC,       /* the bytes count as not synced */
    DISK_FAULT_READ,       /* reads fail */
    DISK_FAULT_SHORT_READ, /* reads deliver less than there is */
    DISK_FAULT_OPEN,
    DISK_FAULT_ANY, /* calls of every kind fail */
    DISK_FAULT_COUNT
} DiskFault;

CutDisk *cut_disk_create(uint64_t seed);
void cut_disk_destroy(CutDisk *disk);
const char *cut_disk_name(const CutDisk *disk);

/* Cuts the power at the n-th call from now that changes something; 0: never. */
void cut_disk_cut_after(CutDisk *disk, uint64_t calls);
bool cut_disk_is_cut(CutDisk *disk);
/* Applies the cut, also if it did not happen yet, and makes the disk usable again. All files must
 * be closed. */
void cut_disk_reboot(CutDisk *disk);

/* Removes all files and writes one, durably. All files must be closed. */
void cut_disk_set_file(CutDisk *disk, const char *path, const void *bytes, size_t size);

/* Lets calls that the fault concerns fail: `count` of them, after `skip` that succeed. */
void cut_disk_fail(CutDisk *disk, DiskFault fault, uint64_t skip, uint64_t count);
/* Returns how many calls the fault concerned since cut_disk_fail. */
uint64_t cut_disk_calls(CutDisk *disk);
/* Returns how many calls changed something since the disk was created. */
uint64_t cut_disk_changes(CutDisk *disk);
/* Returns how many bytes of unsynced writes the cuts dropped so far. */
uint64_t cut_disk_dropped_bytes(CutDisk *disk);

#endif
