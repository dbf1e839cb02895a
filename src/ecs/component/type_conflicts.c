/* Detects types that two source files describe differently under one name. */
#include "ecs/world/world_internal.h"

#include <stdatomic.h>

/* The number of a rejected type; no world has an entry for it. */
#define REFUSED UINT32_MAX

static const char *record_file(const CniEcsTypeRecord *record)
{
    return record->text + strlen(record->text) + 1;
}

static const char *record_labels(const CniEcsTypeRecord *record)
{
    const char *file = record_file(record);
    return file + strlen(file) + 1;
}

static const CniEcsFieldRecord *record_fields(const CniEcsTypeRecord *record)
{
    return (const CniEcsFieldRecord *)(const void *)((const uint8_t *)record +
                                                     record->field_offset);
}

static bool same_description(const CniEcsTypeRecord *a, const CniEcsTypeRecord *b)
{
    return a->size == b->size && a->alignment == b->alignment && a->field_count == b->field_count &&
           !strcmp(record_labels(a), record_labels(b)) &&
           !memcmp(record_fields(a), record_fields(b), a->field_count * sizeof(CniEcsFieldRecord));
}

/* Returns the next record of this name from *at on, or NULL. */
static const CniEcsTypeRecord *next_record(const CniEcsTypeSite *site, const uint64_t **at,
                                           const char *name)
{
    while (*at < site->records_end) {
        const CniEcsTypeRecord *record = (const CniEcsTypeRecord *)(const void *)*at;
        if (!record->bytes) {
            ++*at; /* padding between the parts of two object files */
            continue;
        }
        *at += record->bytes / sizeof **at;
        if (!strcmp(record->text, name))
            return record;
    }
    return NULL;
}

/* Finds the first two records of the type that differ. Returns false if all agree. */
static bool find_difference(const CnType *type, const CniEcsTypeRecord *records[2])
{
    const CniEcsTypeSite *site = type->site;
    const uint64_t *at = site->records;
    records[0] = next_record(site, &at, type->name);
    while (records[0] && (records[1] = next_record(site, &at, type->name)))
        if (!same_description(records[0], records[1]))
            return true;
    return false;
}

static void set_difference_error(const CnType *type, CnError *error)
{
    const CniEcsTypeRecord *records[2];
    if (find_difference(type, records))
        cn_error_set(error, CN_ERROR_MISMATCH,
                     "component %s is described differently in %s:%u (%u bytes, %u fields) and "
                     "in %s:%u (%u bytes, %u fields): rename one of them",
                     type->name, record_file(records[0]), records[0]->line, records[0]->size,
                     records[0]->field_count, record_file(records[1]), records[1]->line,
                     records[1]->size, records[1]->field_count);
}

/* Descriptions do not change after linking, so they are compared on first use only. */
uint32_t cni_ecs_type_number(const CnType *type, CnError *error)
{
    static atomic_uint last_number;
    CniEcsTypeSite *site = type->site;
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_ACQUIRE);
    if (!number) {
        const CniEcsTypeRecord *records[2];
        uint32_t wanted =
            find_difference(type, records) ? REFUSED : atomic_fetch_add(&last_number, 1) + 1;
        if (__atomic_compare_exchange_n(&site->number, &number, wanted, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            number = wanted;
    }
    if (number != REFUSED)
        return number;
    set_difference_error(type, error);
    return 0;
}

void cni_ecs_type_source_location(const CnType *type, char *text, size_t text_bytes)
{
    if (type->site)
        cn_format(text, text_bytes, "%s:%u", type->site->file, type->site->line);
    else
        cn_format(text, text_bytes, "a description created at run time");
}
