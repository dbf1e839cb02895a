/*
 * Work that single instructions of Lua hide, and that a count of instructions misses:
 *
 *   - comparing and concatenating long strings. When a chunk is compiled, the lines that compare
 *     or concatenate are listed with the registers of their operands. While long strings exist, the
 *     counting hook looks at the lengths of these operands;
 *   - copying many variable arguments: the hook looks at the size of the frame;
 *   - counting a large table anew for each key that is added to it. The allocator recognizes these
 *     operations by the blocks they replace.
 *
 * The hook samples: it runs after a pseudo-random number of instructions and charges what it sees
 * times the mean of that number. The sequence follows from the seed of the world and the owner, and
 * is the same in each call: the charge depends on what a script does, and not on time, but scripts
 * cannot predict it.
 *
 * What a sample adds beyond the work that it saw is chance. In each tick an owner has an allowance
 * for it: as long as that lasts, a sample is charged as what it saw. So few operations with very
 * long strings cost at most what they do, and many of them cost what they do on average.
 */
#ifndef CAIRN_SRC_SCRIPT_SANDBOX_HIDDEN_WORK_H
#define CAIRN_SRC_SCRIPT_SANDBOX_HIDDEN_WORK_H

#include <cairn/base/array.h>
#include <cairn/base/hash_map.h>
#include <cairn/base/text.h>
#include <lua.h>

#define CNI_SCRIPT_LONG_BYTES 4096u /* shorter strings are not looked at */
#define CNI_SCRIPT_BLOCK_CLASSES 24u
#define CNI_SCRIPT_PLAIN_STEP 256u /* instructions between samples when nothing is long */

/* An instruction that compares two registers or concatenates a range of them. */
typedef struct CniScriptStringOperation {
    uint32_t line;
    uint8_t first, last;
    bool concatenates;
} CniScriptStringOperation;

typedef struct CniScriptStringChunk {
    CN_ARRAY(CniScriptStringOperation) operations; /* in order of lines */
} CniScriptStringChunk;

/* Part of a sandboxed state. */
typedef struct CniScriptHiddenWork {
    CnAllocator *allocator;
    CnHashMap chunk_of; /* hash of the chunk's name to its place */
    CN_ARRAY(CniScriptStringChunk) chunks;
    uint32_t long_blocks;                      /* which may be strings, */
    size_t buffer_bytes;                       /* of the buffer in which Lua concatenates */
    uint32_t tables[CNI_SCRIPT_BLOCK_CLASSES]; /* large blocks of tables, by the logarithm */
    bool is_deep;                              /* a Lua stack became large */
    uint32_t mean, step;                       /* instructions between samples, the next one */
    uint32_t seed, random;                     /* the first and the current one of the sequence */
    uint64_t allowance;                        /* instructions, in this tick */
    size_t new_nodes; /* the last block of hash nodes, until another block is made */
    bool rehashed;    /* nodes were replaced, unless the table is freed next */
} CniScriptHiddenWork;

void cni_script_hidden_work_init(CniScriptHiddenWork *work, CnAllocator *allocator, uint32_t seed);
void cni_script_hidden_work_fini(CniScriptHiddenWork *work);
/* Lists the operations of the function on top of the stack, which was just compiled. Returns false
 * when out of memory. */
bool cni_script_hidden_work_add(CniScriptHiddenWork *work, lua_State *lua, const char *chunk);
/* Follows a block of Lua's memory: 0 bytes mean none. Returns what to charge. */
uint64_t cni_script_hidden_work_block(CniScriptHiddenWork *work, size_t old_bytes,
                                      size_t new_bytes);
/* Starts the sequence of samples. */
void cni_script_hidden_work_begin(CniScriptHiddenWork *work);
/* Chooses the number of instructions until the next sample. */
uint32_t cni_script_hidden_work_next(CniScriptHiddenWork *work);
/* Returns what to charge for the instruction that the hook sees. */
uint64_t cni_script_hidden_work_sample(CniScriptHiddenWork *work, lua_State *lua, lua_Debug *info);

#endif
