/*
 * A file system that forwards to another one and injects faults.
 *
 *     FaultyFiles faulty;
 *     faulty_files_init(&faulty, cn_native_files());
 *     faulty_files_fail(&faulty, FAULT_WRITE, 0, FAULT_ONCE);      // the first write
 *     cn_file_write_all(&faulty.files, path, bytes, size, &error); // false
 *
 * A failing write has written the first half of its bytes, as on a full disk.
 */
#ifndef CAIRN_TESTS_SUPPORT_BASE_FAULTY_FILES_H
#define CAIRN_TESTS_SUPPORT_BASE_FAULTY_FILES_H

#include <cairn/base/file.h>

typedef enum FaultyOperation {
    FAULT_NONE,
    FAULT_OPEN,
    FAULT_READ,
    FAULT_WRITE,
    FAULT_SYNC,
    FAULT_TRUNCATE,
    FAULT_INFO,
    FAULT_RENAME,
    FAULT_REMOVE,
    FAULT_MAKE_FOLDER,
    FAULT_LIST,
    FAULT_FIND_TARGET,
    FAULT_COPY_ATTRIBUTES,
    FAULT_ANY, /* counts the operations of every kind */
    FAULT_OPERATION_COUNT
} FaultyOperation;

typedef enum FaultKind {
    FAULT_ONCE,
    FAULT_POWER_CUT /* everything after the fault fails as well */
} FaultKind;

typedef struct FaultyFiles {
    CnFileSystem files; /* first: hand out its address */
    CnFileSystem *under;
    FaultyOperation operation;
    FaultKind kind;
    uint32_t nth; /* from 0 */
    bool has_failed;
    uint32_t seen[FAULT_OPERATION_COUNT]; /* requested operations, by kind */
    uint32_t open_files;
} FaultyFiles;

void faulty_files_init(FaultyFiles *faulty, CnFileSystem *under);
/* From now on, the n-th operation of this kind fails with CN_ERROR_IO. Restarts counting. */
void faulty_files_fail(FaultyFiles *faulty, FaultyOperation operation, uint32_t nth,
                       FaultKind kind);

#endif
