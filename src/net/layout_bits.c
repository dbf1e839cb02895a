/* Differences of components as bits. */
#include "net/layout_internal.h"

#define GROUP_UNITS 8u /* that share a bit in a component with more units */

static bool unit_differs(const CniNetUnit *unit, const uint32_t *words, const uint32_t *base)
{
    for (uint32_t i = unit->first; i < unit->first + (uint32_t)unit->count; i++)
        if (words[i] != base[i])
            return true;
    return false;
}

/* ---- Writing ---- */

static void write_text(CnNetBitWriter *writer, const CniNetUnit *unit, const uint32_t *words)
{
    const uint8_t *text = (const uint8_t *)(words + unit->first);
    const uint8_t *end = memchr(text, 0, unit->text_bytes);
    const uint32_t length = end ? (uint32_t)(end - text) : unit->text_bytes - 1;
    cn_net_write_number(writer, length);
    for (uint32_t i = 0; i < length; i++)
        cn_net_write_bits(writer, text[i], 8);
}

static void write_unit(CnNetBitWriter *writer, const CniNetLayoutComponent *component,
                       const CniNetUnit *unit, const uint32_t *words, const uint32_t *base)
{
    if (unit->kind == CNI_NET_UNIT_BOOL)
        return; /* it is the other value */
    if (unit->kind == CNI_NET_UNIT_TEXT) {
        write_text(writer, unit, words);
        return;
    }
    for (uint32_t i = unit->first; i < unit->first + (uint32_t)unit->count; i++) {
        const uint32_t unused = 32u - component->widths[i];
        const int32_t change = (int32_t)((words[i] - base[i]) << unused) >> unused;
        cn_net_write_number(writer, cn_net_fold_sign(change));
    }
}

static void write_group(CnNetBitWriter *writer, const CniNetLayoutComponent *component,
                        uint32_t first, const uint32_t *words, const uint32_t *base)
{
    const uint32_t left = component->unit_count - first;
    const uint32_t count = left < GROUP_UNITS ? left : GROUP_UNITS;
    uint32_t changed = 0;
    for (uint32_t i = 0; i < count; i++)
        changed |= (uint32_t)unit_differs(&component->units[first + i], words, base) << i;
    if (component->unit_count > GROUP_UNITS) {
        cn_net_write_bits(writer, changed != 0, 1);
        if (!changed)
            return;
    }
    cn_net_write_bits(writer, changed, count);
    for (uint32_t i = 0; i < count; i++)
        if (changed >> i & 1)
            write_unit(writer, component, &component->units[first + i], words, base);
}

void cni_net_write_words(CnNetBitWriter *writer, const CniNetLayoutComponent *component,
                         const uint32_t *words, const uint32_t *base)
{
    if (component->unit_count == 1) {
        write_unit(writer, component, component->units, words, base);
        return;
    }
    for (uint32_t first = 0; first < component->unit_count; first += GROUP_UNITS)
        write_group(writer, component, first, words, base);
}

uint32_t cni_net_max_bits(const CniNetLayoutComponent *component)
{
    uint32_t bits = component->unit_count + component->unit_count / GROUP_UNITS + 1;
    for (uint32_t i = 0; i < component->unit_count; i++) {
        const CniNetUnit *unit = &component->units[i];
        bits += unit->kind == CNI_NET_UNIT_TEXT ? 35 + unit->text_bytes * 8 : unit->count * 35u;
    }
    return bits;
}

/* ---- Reading ---- */

static void read_text(CnNetBitReader *reader, const CniNetUnit *unit, uint32_t *words)
{
    uint8_t *text = (uint8_t *)(words + unit->first);
    const uint32_t length = cn_net_read_number(reader);
    if (length >= unit->text_bytes)
        reader->failed = true;
    if (reader->failed)
        return;
    memset(text, 0, unit->count * sizeof *words);
    for (uint32_t i = 0; i < length; i++)
        text[i] = (uint8_t)cn_net_read_bits(reader, 8);
    if (memchr(text, 0, length) || !cn_text_is_utf8((CnText){(const char *)text, length}))
        reader->failed = true;
}

static void read_unit(CnNetBitReader *reader, const CniNetLayoutComponent *component,
                      const CniNetUnit *unit, uint32_t *words)
{
    if (unit->kind == CNI_NET_UNIT_BOOL) {
        words[unit->first] ^= 1u;
        return;
    }
    if (unit->kind == CNI_NET_UNIT_TEXT) {
        read_text(reader, unit, words);
        return;
    }
    for (uint32_t i = unit->first; i < unit->first + (uint32_t)unit->count; i++) {
        const int32_t change = cn_net_unfold_sign(cn_net_read_number(reader));
        words[i] = (words[i] + (uint32_t)change) & (UINT32_MAX >> (32u - component->widths[i]));
    }
}

static void read_group(CnNetBitReader *reader, const CniNetLayoutComponent *component,
                       uint32_t first, uint32_t *words)
{
    const uint32_t left = component->unit_count - first;
    const uint32_t count = left < GROUP_UNITS ? left : GROUP_UNITS;
    if (component->unit_count > GROUP_UNITS && !cn_net_read_bits(reader, 1))
        return;
    const uint32_t changed = cn_net_read_bits(reader, count);
    for (uint32_t i = 0; i < count; i++)
        if (changed >> i & 1)
            read_unit(reader, component, &component->units[first + i], words);
}

void cni_net_read_words(CnNetBitReader *reader, const CniNetLayoutComponent *component,
                        uint32_t *words)
{
    if (component->unit_count == 1) {
        read_unit(reader, component, component->units, words);
        return;
    }
    for (uint32_t first = 0; first < component->unit_count && !reader->failed; first += GROUP_UNITS)
        read_group(reader, component, first, words);
}
