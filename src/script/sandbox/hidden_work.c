#include "script/sandbox/hidden_work.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_STEP 64u /* with large tables, whose blocks might also be strings */
#define FINE_STEP 12u  /* with long strings, or a large stack */
#define BYTES_PER_COUNT 16u
#define DEEP_STACK_BYTES (16u << 10)
#define PLAIN_SLOTS 256
#define SLOTS_PER_COUNT 4
#define TABLE_BYTES 64u /* of a table without its parts */
#define NODE_BYTES 24u  /* of a key with its value */
#define REHASH_BYTES_PER_COUNT 64u

void cni_script_hidden_work_init(CniScriptHiddenWork *work, CnAllocator *allocator, uint32_t seed)
{
    *work =
        (CniScriptHiddenWork){.allocator = allocator, .mean = CNI_SCRIPT_PLAIN_STEP, .seed = seed};
    cn_hash_map_init_keyed(&work->chunk_of, allocator, sizeof(uint32_t));
    cn_array_init(&work->chunks, allocator);
}

void cni_script_hidden_work_fini(CniScriptHiddenWork *work)
{
    for (uint32_t i = 0; i < work->chunks.count; i++)
        cn_array_fini(&work->chunks.items[i].operations);
    cn_array_fini(&work->chunks);
    cn_hash_map_fini(&work->chunk_of);
}

/* ---- Reading LuaJIT's bytecode ---- */

enum { OP_COMPARE_LAST = 3, OP_CAT = 38 }; /* in version 2 of the format */

typedef struct Reader {
    const uint8_t *at, *end;
} Reader;

static uint32_t take_byte(Reader *from)
{
    return from->at < from->end ? *from->at++ : 0;
}

static uint32_t take_number(Reader *from)
{
    uint32_t value = 0, byte = 0x80;
    for (uint32_t shift = 0; shift < 32 && byte & 0x80; shift += 7) {
        byte = take_byte(from);
        value |= (byte & 0x7f) << shift;
    }
    return value;
}

static uint32_t line_at(const uint8_t *lines, uint32_t width, uint32_t index)
{
    uint32_t line = 0;
    memcpy(&line, lines + (size_t)index * width, width);
    return line;
}

/* Reads the instructions of one function. Its lines lie at the end. */
static bool read_function(CniScriptStringChunk *chunk, Reader body)
{
    const uint8_t *end = body.end;
    for (uint32_t i = 0; i < 4; i++)
        take_byte(&body); /* flags, parameters, frame size, upvalues */
    take_number(&body);
    take_number(&body);
    uint32_t count = take_number(&body), debug = take_number(&body);
    uint32_t first = debug ? take_number(&body) : 0, lines = debug ? take_number(&body) : 0;
    uint32_t width = lines < 256 ? 1 : lines < 65536 ? 2 : 4;
    const uint8_t *code = body.at;
    if ((size_t)(end - code) < (size_t)count * 4 + debug || debug < (uint64_t)count * width)
        return true; /* nothing to read: no lines */
    for (uint32_t i = 0; i < count; i++, code += 4) {
        CniScriptStringOperation operation = {.line = first + line_at(end - debug, width, i)};
        if (code[0] <= OP_COMPARE_LAST) {
            operation.first = code[1];
            operation.last = code[2];
        } else if (code[0] == OP_CAT) {
            operation.concatenates = true;
            operation.first = code[3];
            operation.last = code[2];
        } else {
            continue;
        }
        if (!cn_array_push(&chunk->operations, operation))
            return false;
    }
    return true;
}

/* A header with the name of the chunk, then functions with their sizes, up to a size of 0. */
static bool read_functions(CniScriptStringChunk *chunk, Reader from)
{
    for (uint32_t i = 0; i < 5; i++)
        take_byte(&from); /* signature, version, flags */
    uint32_t name = take_number(&from);
    if ((size_t)(from.end - from.at) < name)
        return true;
    from.at += name;
    for (uint32_t size; (size = take_number(&from)) != 0; from.at += size) {
        if ((size_t)(from.end - from.at) < size)
            return true;
        if (!read_function(chunk, (Reader){from.at, from.at + size}))
            return false;
    }
    return true;
}

static int compare_lines(const void *left, const void *right)
{
    const CniScriptStringOperation *a = left, *b = right;
    return (a->line > b->line) - (a->line < b->line);
}

static int write_dump(lua_State *lua, const void *data, size_t size, void *user)
{
    CnU8Array *bytes = user;
    (void)lua;
    if (!cn_array_reserve(bytes, (uint64_t)bytes->count + size))
        return 1;
    memcpy(bytes->items + bytes->count, data, size);
    bytes->count += (uint32_t)size;
    return 0;
}

static CniScriptStringChunk *chunk_named(CniScriptHiddenWork *work, const char *name)
{
    uint64_t key = cn_hash_bytes(name, strlen(name), 0);
    const uint32_t *place = cn_hash_map_get(&work->chunk_of, key);
    if (place)
        return &work->chunks.items[*place];
    CniScriptStringChunk chunk = {0};
    cn_array_init(&chunk.operations, work->allocator);
    uint32_t last = work->chunks.count;
    if (!cn_array_push(&work->chunks, chunk))
        return NULL;
    if (!cn_hash_map_set(&work->chunk_of, key, &last)) {
        work->chunks.count--;
        return NULL;
    }
    return &work->chunks.items[last];
}

bool cni_script_hidden_work_add(CniScriptHiddenWork *work, lua_State *lua, const char *name)
{
    CniScriptStringChunk *chunk = chunk_named(work, name);
    CnU8Array bytes;
    if (!chunk)
        return false;
    cn_array_init(&bytes, work->allocator);
    cn_array_clear(&chunk->operations);
    bool good = !lua_dump(lua, write_dump, &bytes) &&
                read_functions(chunk, (Reader){bytes.items, bytes.items + bytes.count});
    cn_array_fini(&bytes);
    if (chunk->operations.count)
        qsort(chunk->operations.items, chunk->operations.count, sizeof *chunk->operations.items,
              compare_lines);
    return good;
}

/* ---- Blocks ---- */

static bool is_power_of_two(size_t n)
{
    return n && !(n & (n - 1));
}

static bool is_array_size(size_t bytes)
{
    return bytes % 8 == 0 && is_power_of_two(bytes / 8 - 1);
}

static bool is_node_size(size_t bytes)
{
    return bytes % NODE_BYTES == 0 && is_power_of_two(bytes / NODE_BYTES);
}

static uint32_t class_of(size_t bytes)
{
    uint32_t class = 63u - (uint32_t)__builtin_clzll(bytes);
    return class < CNI_SCRIPT_BLOCK_CLASSES ? class : CNI_SCRIPT_BLOCK_CLASSES - 1;
}

static void count_block(CniScriptHiddenWork *work, size_t bytes, int change)
{
    if (bytes < CNI_SCRIPT_LONG_BYTES)
        return;
    if (is_array_size(bytes) || is_node_size(bytes))
        work->tables[class_of(bytes)] += (uint32_t)change;
    else if (!is_power_of_two(bytes)) /* Lua's own table of strings, and its buffer */
        work->long_blocks += (uint32_t)change;
}

static uint32_t largest_table(const CniScriptHiddenWork *work)
{
    for (uint32_t class = CNI_SCRIPT_BLOCK_CLASSES; class -- > 0;)
        if (work->tables[class])
            return 1u << class;
    return 0;
}

static uint32_t mean_step(const CniScriptHiddenWork *work)
{
    if (work->is_deep || work->long_blocks || work->buffer_bytes >= CNI_SCRIPT_LONG_BYTES)
        return FINE_STEP;
    return largest_table(work) ? TABLE_STEP : CNI_SCRIPT_PLAIN_STEP;
}

/* When a key does not fit, Lua counts the whole table, makes a block of nodes and frees the old
 * one. A table that is freed as a whole loses its nodes first, and itself next. */
static uint64_t follow_nodes(CniScriptHiddenWork *work, size_t old_bytes, size_t new_bytes)
{
    uint64_t cost = 0;
    bool frees_table = !new_bytes && old_bytes >= TABLE_BYTES && old_bytes <= 4 * TABLE_BYTES;
    bool frees_array = !new_bytes && is_array_size(old_bytes);
    if (work->rehashed && !frees_array) {
        work->rehashed = false;
        cost = frees_table ? 0 : largest_table(work) / REHASH_BYTES_PER_COUNT;
    }
    if (!old_bytes) {
        work->new_nodes = is_node_size(new_bytes) ? new_bytes : 0;
    } else if (!new_bytes && work->new_nodes && is_node_size(old_bytes) &&
               old_bytes >= work->new_nodes) {
        work->new_nodes = 0;
        work->rehashed = true;
    }
    return cost;
}

uint64_t cni_script_hidden_work_block(CniScriptHiddenWork *work, size_t old_bytes, size_t new_bytes)
{
    uint64_t cost = follow_nodes(work, old_bytes, new_bytes);
    if (old_bytes < CNI_SCRIPT_LONG_BYTES && new_bytes < CNI_SCRIPT_LONG_BYTES)
        return cost;
    count_block(work, old_bytes, -1);
    count_block(work, new_bytes, 1);
    bool resizes = old_bytes && new_bytes;
    if (resizes && is_power_of_two(old_bytes) && is_power_of_two(new_bytes))
        work->buffer_bytes = new_bytes;
    else if (resizes && new_bytes > DEEP_STACK_BYTES && !is_array_size(new_bytes))
        work->is_deep = true;
    work->mean = mean_step(work);
    return cost;
}

/* ---- Samples ---- */

void cni_script_hidden_work_begin(CniScriptHiddenWork *work)
{
    work->random = work->seed;
}

uint32_t cni_script_hidden_work_next(CniScriptHiddenWork *work)
{
    if (work->mean == CNI_SCRIPT_PLAIN_STEP)
        return work->step = CNI_SCRIPT_PLAIN_STEP;
    work->random = work->random * 1664525u + 1013904223u;
    return work->step = work->mean / 2 + 1 + (work->random >> 16) % work->mean;
}

static size_t size_in(lua_State *lua, const lua_Debug *info, uint32_t slot)
{
    size_t size = 0;
    if (!lua_getlocal(lua, info, (int)slot + 1))
        return 0;
    if (lua_type(lua, -1) == LUA_TSTRING)
        size = lua_objlen(lua, -1);
    lua_pop(lua, 1);
    return size;
}

static size_t bytes_of(lua_State *lua, const lua_Debug *info,
                       const CniScriptStringOperation *operation)
{
    if (!operation->concatenates) {
        size_t a = size_in(lua, info, operation->first), b = size_in(lua, info, operation->last);
        return a < b ? a : b;
    }
    size_t size = 0;
    for (uint32_t slot = operation->first; slot <= operation->last; slot++)
        size += size_in(lua, info, slot);
    return size;
}

static uint64_t string_work(CniScriptHiddenWork *work, lua_State *lua, lua_Debug *info)
{
    lua_getinfo(lua, "Sl", info);
    uint64_t key = cn_hash_bytes(info->source, strlen(info->source), 0);
    const uint32_t *place = cn_hash_map_get(&work->chunk_of, key);
    if (!place || info->currentline <= 0)
        return 0;
    const CniScriptStringChunk *chunk = &work->chunks.items[*place];
    uint32_t line = (uint32_t)info->currentline, low = 0, high = chunk->operations.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (chunk->operations.items[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    size_t most = 0;
    for (; low < chunk->operations.count && chunk->operations.items[low].line == line; low++) {
        size_t bytes = bytes_of(lua, info, &chunk->operations.items[low]);
        most = bytes > most ? bytes : most;
    }
    return most / BYTES_PER_COUNT;
}

uint64_t cni_script_hidden_work_sample(CniScriptHiddenWork *work, lua_State *lua, lua_Debug *info)
{
    int slots = lua_gettop(lua);
    uint64_t cost = slots > PLAIN_SLOTS ? (uint64_t)(slots - PLAIN_SLOTS) / SLOTS_PER_COUNT : 0;
    if (work->mean != CNI_SCRIPT_PLAIN_STEP)
        cost += string_work(work, lua, info);
    uint64_t chance = cost * (work->mean - 1);
    uint64_t forgiven = chance < work->allowance ? chance : work->allowance;
    work->allowance -= forgiven;
    return cost + chance - forgiven;
}
