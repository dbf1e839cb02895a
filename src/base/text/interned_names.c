#include <cairn/base/assert.h>
#include <cairn/base/text.h>

#define ARENA_BLOCK_BYTES 4096
#define FIRST_TABLE_SIZE 64u
#define MAX_TABLE_SIZE (1u << 31)

/* Returns the slot of the text, or the free slot where it belongs. The table has a free slot. */
static uint32_t find_slot(const CnNames *names, const uint32_t *table, uint32_t table_size,
                          CnText text)
{
    uint32_t slot = (uint32_t)cn_hash_keyed(text.data, text.size, 0) & (table_size - 1);
    while (table[slot] && !cn_text_equal(names->texts.items[table[slot] - 1], text))
        slot = (slot + 1) & (table_size - 1);
    return slot;
}

static bool grow_table(CnNames *names)
{
    if (names->table_size >= MAX_TABLE_SIZE)
        return false;
    CnAllocator *allocator = names->arena.allocator;
    uint32_t size = names->table_size ? names->table_size * 2 : FIRST_TABLE_SIZE;
    uint32_t *table = cn_alloc_zeroed(allocator, size * sizeof *table);
    if (!table)
        return false;
    for (uint32_t i = 0; i < names->texts.count; i++)
        table[find_slot(names, table, size, names->texts.items[i])] = i + 1;
    cn_free(allocator, names->table, names->table_size * sizeof *table);
    names->table = table;
    names->table_size = size;
    return true;
}

void cn_names_init(CnNames *names, CnAllocator *allocator)
{
    *names = (CnNames){0};
    cn_arena_init(&names->arena, allocator, ARENA_BLOCK_BYTES);
    cn_array_init(&names->texts, allocator);
}

void cn_names_fini(CnNames *names)
{
    CnAllocator *allocator = names->arena.allocator;
    cn_free(allocator, names->table, names->table_size * sizeof *names->table);
    cn_array_fini(&names->texts);
    cn_arena_fini(&names->arena);
    cn_names_init(names, allocator);
}

CnName cn_name(CnNames *names, const char *terminated)
{
    return cn_name_from_text(names, cn_text(terminated));
}

CnName cn_name_from_text(CnNames *names, CnText text)
{
    CnName known = cn_name_find(names, text);
    if (known.id || text.size == 0)
        return known;
    bool has_room = names->texts.count < names->table_size / 2 || grow_table(names);
    if (!has_room || !cn_array_reserve(&names->texts, (uint64_t)names->texts.count + 1))
        return (CnName){0};
    char *copy = cn_arena_copy_text(&names->arena, text.data, text.size);
    if (!copy)
        return (CnName){0};
    uint32_t slot = find_slot(names, names->table, names->table_size, text);
    names->texts.items[names->texts.count++] = (CnText){copy, text.size};
    names->table[slot] = names->texts.count;
    return (CnName){names->texts.count};
}

CnName cn_name_find(const CnNames *names, CnText text)
{
    if (text.size == 0 || names->texts.count == 0)
        return (CnName){0};
    return (CnName){names->table[find_slot(names, names->table, names->table_size, text)]};
}

const char *cn_name_text(const CnNames *names, CnName name)
{
    CN_ASSERT(name.id <= names->texts.count, "name %u does not belong to this table of %u names",
              name.id, names->texts.count);
    if (name.id == 0 || name.id > names->texts.count)
        return "";
    return names->texts.items[name.id - 1].data;
}
