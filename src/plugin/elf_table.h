/* Reads the plugin table of a shared library without loading it, because loading runs code. */
#ifndef CAIRN_SRC_PLUGIN_ELF_TABLE_H
#define CAIRN_SRC_PLUGIN_ELF_TABLE_H

#include <cairn/base/error.h>

/* The fields of CnPluginTable that contain no addresses. */
typedef struct CniPluginTableHead {
    uint32_t size;
    uint32_t abi;
    uint64_t sizes;
    bool guards;
} CniPluginTableHead;

/* Finds the exported symbol cn_plugin_table in the bytes of an ELF file, in the way the dynamic
 * linker does: through the program headers, the dynamic section and the hash table of symbols.
 * Fails if the file is not a shared library for this processor, refers to anything outside of
 * itself, or has no such symbol. `path` is used in messages. */
bool cni_plugin_read_table(const uint8_t *file, size_t file_bytes, const char *path,
                           CniPluginTableHead *head, CnError *error);

#endif
