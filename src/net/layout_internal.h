/*
 * The inside of a layout. The numbers ("words") of a component are 32-bit and below 2^width each.
 * Words that are sent together, with one bit for whether any of them changed, form a unit: up to
 * CNI_NET_UNIT_WORDS words of one field, or a whole text.
 */
#ifndef CAIRN_NET_LAYOUT_INTERNAL_H
#define CAIRN_NET_LAYOUT_INTERNAL_H

#include <cairn/net/bits.h>
#include <cairn/net/layout.h>

#define CNI_NET_COMPONENTS (CN_NET_MAX_COMPONENTS + 1) /* with CnNetShared, which is the first */
#define CNI_NET_UNIT_WORDS 8u
#define CNI_NET_ID_BITS 17u /* of a network id + 1; 0: null */

/* ---- Format of snapshots; see docs/formats.md ---- */

#define CNI_NET_HEADER_BITS 192u /* at most */
#define CNI_NET_RECORD_BITS 60u  /* at most, without the encoding of the entity */

typedef enum CniNetRecord {
    CNI_NET_RECORD_UPDATE, /* from the snapshot that the record names */
    CNI_NET_RECORD_WHOLE,  /* from the defaults */
    CNI_NET_RECORD_REMOVAL,
    CNI_NET_RECORD_COUNT
} CniNetRecord;

typedef enum CniNetUnitKind {
    CNI_NET_UNIT_WORD,
    CNI_NET_UNIT_BOOL,
    CNI_NET_UNIT_TEXT
} CniNetUnitKind;

typedef struct CniNetUnit {
    uint16_t first, count; /* words */
    uint8_t kind;
    uint32_t text_bytes; /* with the terminator */
} CniNetUnit;

typedef struct CniNetLayoutField {
    uint32_t offset; /* in the value */
    CnFieldType type;
    uint32_t count; /* elements; bytes of a text */
    CnNetEncoding encoding;
    double step, inverse; /* of STEPS, POSITION and angles: value = word * step */
    uint32_t bits;
    bool interpolate;
    float snap;
    uint32_t first_word, word_count;
} CniNetLayoutField;

typedef struct CniNetLayoutComponent {
    const CnType *type;
    uint32_t flags;
    uint32_t size; /* of a value */
    CniNetLayoutField *fields;
    uint32_t field_count;
    CniNetUnit *units;
    uint32_t unit_count;
    uint8_t *widths; /* of each word */
    uint32_t *defaults;
    uint32_t word_count;
    bool has_references; /* to entities */
    bool interpolates;
} CniNetLayoutComponent;

struct CnNetLayout {
    CnAllocator *allocator;
    CniNetLayoutComponent components[CNI_NET_COMPONENTS];
    uint32_t component_count;
    uint32_t public_mask;                        /* components that everyone receives */
    uint32_t position_component, position_field; /* UINT32_MAX: none */
    uint32_t max_bits;                           /* of the encoding of one entity */
    uint32_t max_value_bytes;
    uint32_t values_bytes; /* of one value of each component, aligned */
    uint64_t hash;
};

/* Translates references. Without a function all references are null. */
typedef struct CniNetReferences {
    uint32_t (*id_of)(void *user, CnEntity entity); /* network id + 1, 0 for others */
    CnEntity (*entity_of)(void *user, uint32_t id_plus_one);
    void *user;
} CniNetReferences;

/* ---- layout_values.c ---- */

/* Returns how many words a field needs, 0 if it cannot have its encoding, and their widths. */
uint32_t cni_net_field_words(const CniNetLayoutField *field, uint8_t *widths);
void cni_net_quantize(const CniNetLayoutComponent *component, const void *value, uint32_t *words,
                      const CniNetReferences *references);
/* Writes the fields of the layout into a value and leaves the others. */
void cni_net_dequantize(const CniNetLayoutComponent *component, const uint32_t *words, void *value,
                        const CniNetReferences *references);
/* Overwrites the interpolated fields: 0 is `a`, 1 is `b`, more continues beyond b. */
void cni_net_interpolate(const CniNetLayoutComponent *component, const uint32_t *a,
                         const uint32_t *b, double t, void *value);
/* Reads the position from a value, which may not be aligned. */
CnVec3 cni_net_position(const CniNetLayoutField *field, const void *value);

/* ---- layout_bits.c ---- */

/* Writes the units that differ, at least one. */
void cni_net_write_words(CnNetBitWriter *writer, const CniNetLayoutComponent *component,
                         const uint32_t *words, const uint32_t *base);
/* Reads over a copy of the base. Invalid data fails the reader. */
void cni_net_read_words(CnNetBitReader *reader, const CniNetLayoutComponent *component,
                        uint32_t *words);
/* Returns how many bits cni_net_write_words writes at most. */
uint32_t cni_net_max_bits(const CniNetLayoutComponent *component);

#endif
