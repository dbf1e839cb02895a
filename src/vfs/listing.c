/* The names in a virtual folder, which may be spread over several mounts. */
#include "vfs/vfs_internal.h"

#include <stdlib.h>

struct CniVfsListingEntry {
    const char *name;
    uint32_t order;
    bool is_directory;
};

void cni_vfs_listing_init(CniVfsListing *listing, CnAllocator *allocator)
{
    cn_arena_init(&listing->names, allocator, 4096);
    cn_array_init(&listing->entries, allocator);
}

void cni_vfs_listing_fini(CniVfsListing *listing)
{
    cn_array_fini(&listing->entries);
    cn_arena_fini(&listing->names);
}

bool cni_vfs_listing_add(CniVfsListing *listing, const char *name, bool is_directory)
{
    if (!cni_vfs_part_valid(cn_text(name)))
        return true;
    const char *copy = cn_arena_copy_text(&listing->names, name, strlen(name));
    struct CniVfsListingEntry entry = {copy, listing->entries.count, is_directory};
    return copy && cn_array_push(&listing->entries, entry);
}

static int compare(const void *a, const void *b)
{
    const struct CniVfsListingEntry *first = a, *second = b;
    int by_name = strcmp(first->name, second->name);
    return by_name ? by_name : (first->order > second->order) - (first->order < second->order);
}

void cni_vfs_listing_visit(CniVfsListing *listing,
                           bool (*visit)(const char *name, bool is_directory, void *user),
                           void *user)
{
    struct CniVfsListingEntry *entries = listing->entries.items;
    if (listing->entries.count == 0)
        return;
    qsort(entries, listing->entries.count, sizeof *entries, compare);
    for (uint32_t i = 0; i < listing->entries.count; i++) {
        if (i > 0 && strcmp(entries[i].name, entries[i - 1].name) == 0)
            continue;
        if (!visit(entries[i].name, entries[i].is_directory, user))
            return;
    }
}
