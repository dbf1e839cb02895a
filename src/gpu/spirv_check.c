/* A parser for SPIR-V: a header of five words, followed by instructions. */
#include "gpu/spirv_check.h"

#include <string.h>

#define MAGIC 0x07230203u
#define HEADER_WORDS 5u
#define NO_NUMBER UINT32_MAX

enum { /* instructions */
       OP_ENTRY_POINT = 15,
       OP_TYPE_IMAGE = 25,
       OP_TYPE_SAMPLED_IMAGE = 27,
       OP_TYPE_POINTER = 32,
       OP_VARIABLE = 59,
       OP_DECORATE = 71,
       OP_MEMBER_DECORATE = 72
};
enum { /* decorations */
       BUFFER_BLOCK = 3,
       BINDING = 33,
       DESCRIPTOR_SET = 34,
       OFFSET = 35
};
enum { /* storage classes */
       UNIFORM_CONSTANT = 0,
       UNIFORM = 2,
       PUSH_CONSTANT = 9,
       STORAGE_BUFFER = 12
};

static const char *const stage_names[] = {"vertex", "fragment", "compute"};
static const uint32_t stage_models[] = {0, 4, 5};

/* Iterates over the instructions of a module. */
typedef struct Reader {
    const uint32_t *words;
    size_t count, next;
    const uint32_t *at; /* the current instruction */
    uint32_t size;      /* in words */
    uint32_t op;
} Reader;

static Reader reader_of(const CnGpuShader *shader)
{
    return (Reader){.words = shader->code, .count = shader->code_bytes / 4, .next = HEADER_WORDS};
}

static bool read_next(Reader *reader)
{
    if (reader->next >= reader->count)
        return false;
    reader->at = reader->words + reader->next;
    reader->op = reader->at[0] & 0xffffu;
    reader->size = reader->at[0] >> 16;
    if (!reader->size || reader->size > reader->count - reader->next)
        return false;
    reader->next += reader->size;
    return true;
}

static bool is_whole(const CnGpuShader *shader)
{
    uint32_t magic = 0;
    if (shader->code && shader->code_bytes >= HEADER_WORDS * 4)
        memcpy(&magic, shader->code, sizeof magic);
    if (magic != MAGIC || shader->code_bytes % 4 || (uintptr_t)shader->code % 4)
        return false;
    Reader reader = reader_of(shader);
    while (read_next(&reader))
        ;
    return reader.next == reader.count;
}

/* Returns the operand of a decoration of `id`; NO_NUMBER when it has none. */
static uint32_t decoration(const CnGpuShader *shader, uint32_t id, uint32_t kind)
{
    Reader reader = reader_of(shader);
    while (read_next(&reader)) {
        if (reader.op == OP_DECORATE && reader.size >= 3 && reader.at[1] == id &&
            reader.at[2] == kind)
            return reader.size >= 4 ? reader.at[3] : 0;
    }
    return NO_NUMBER;
}

/* Finds the instruction that defines the type `id`. */
static bool find_type(const CnGpuShader *shader, uint32_t id, Reader *type)
{
    *type = reader_of(shader);
    while (read_next(type)) {
        if (type->op >= 19 && type->op <= 39 && type->size >= 2 && type->at[1] == id)
            return true;
    }
    return false;
}

static CnGpuBindingKind kind_of(const CnGpuShader *shader, uint32_t pointer, uint32_t storage)
{
    Reader type;
    if (!find_type(shader, pointer, &type) || type.op != OP_TYPE_POINTER || type.size < 4)
        return CN_GPU_BIND_NONE;
    uint32_t pointed = type.at[3];
    if (storage == STORAGE_BUFFER)
        return CN_GPU_BIND_STORAGE;
    if (storage == UNIFORM)
        return decoration(shader, pointed, BUFFER_BLOCK) == NO_NUMBER ? CN_GPU_BIND_UNIFORM
                                                                      : CN_GPU_BIND_STORAGE;
    if (!find_type(shader, pointed, &type))
        return CN_GPU_BIND_NONE;
    if (type.op == OP_TYPE_SAMPLED_IMAGE)
        return CN_GPU_BIND_TEXTURE;
    bool is_storage = type.op == OP_TYPE_IMAGE && type.size >= 8 && type.at[7] == 2;
    return is_storage ? CN_GPU_BIND_STORAGE_TEXTURE : CN_GPU_BIND_NONE;
}

static const char *kind_name(CnGpuBindingKind kind)
{
    static const char *const names[] = {"of an unknown kind", "a uniform buffer",
                                        "a storage buffer", "a texture", "a storage texture"};
    return names[kind];
}

static bool check_binding(const CnGpuShader *shader, const CniGpuShaderInterface *use,
                          const Reader *variable, CnError *error)
{
    uint32_t id = variable->at[2], set = decoration(shader, id, DESCRIPTOR_SET);
    uint32_t binding = decoration(shader, id, BINDING);
    const char *stage = stage_names[use->stage];
    if (binding == NO_NUMBER)
        binding = 0;
    if (set != NO_NUMBER && set != 0)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "the %s shader of %s uses set %u; only set 0 is supported", stage,
                            use->name, set);
    CnGpuBindingKind kind = kind_of(shader, variable->at[1], variable->at[3]);
    uint32_t count = 0;
    while (count < CN_GPU_MAX_BINDINGS && use->bindings[count])
        count++;
    if (binding >= count)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "the %s shader of %s uses binding %u, but the pipeline has %u", stage,
                            use->name, binding, count);
    if (kind == use->bindings[binding])
        return true;
    return cn_error_set(error, CN_ERROR_MISMATCH,
                        "binding %u is %s in the %s shader of %s, and %s in the pipeline", binding,
                        kind_name(kind), stage, use->name, kind_name(use->bindings[binding]));
}

/* Checks that the members of the push constant block begin before its end. */
static bool check_constants(const CnGpuShader *shader, const CniGpuShaderInterface *use,
                            uint32_t pointer, CnError *error)
{
    Reader type;
    if (!find_type(shader, pointer, &type) || type.op != OP_TYPE_POINTER || type.size < 4)
        return true;
    uint32_t block = type.at[3];
    Reader reader = reader_of(shader);
    while (read_next(&reader)) {
        if (reader.op == OP_MEMBER_DECORATE && reader.size >= 5 && reader.at[1] == block &&
            reader.at[3] == OFFSET && reader.at[4] >= use->constants)
            return cn_error_set(
                error, CN_ERROR_MISMATCH,
                "the %s shader of %s has a constant at %u, but the pipeline has %u bytes",
                stage_names[use->stage], use->name, reader.at[4], use->constants);
    }
    return true;
}

static bool check_variable(const CnGpuShader *shader, const CniGpuShaderInterface *use,
                           const Reader *variable, CnError *error)
{
    switch (variable->at[3]) {
    case UNIFORM_CONSTANT:
    case UNIFORM:
    case STORAGE_BUFFER:
        return check_binding(shader, use, variable, error);
    case PUSH_CONSTANT:
        return check_constants(shader, use, variable->at[1], error);
    default:
        return true;
    }
}

bool cni_gpu_spirv_check(const CnGpuShader *shader, const CniGpuShaderInterface *use,
                         CnError *error)
{
    const char *stage = stage_names[use->stage];
    if (!is_whole(shader))
        return cn_error_set(error, CN_ERROR_FORMAT, "the %s shader of %s is not SPIR-V", stage,
                            use->name);
    Reader reader = reader_of(shader);
    while (read_next(&reader)) {
        if (reader.op == OP_ENTRY_POINT && reader.size >= 4 &&
            reader.at[1] != stage_models[use->stage])
            return cn_error_set(error, CN_ERROR_MISMATCH,
                                "the %s shader of %s is for another stage", stage, use->name);
        if (reader.op == OP_VARIABLE && reader.size >= 4 &&
            !check_variable(shader, use, &reader, error))
            return false;
    }
    return true;
}

bool cni_gpu_spirv_has_entry(const CnGpuShader *shader)
{
    Reader reader = reader_of(shader);
    while (read_next(&reader)) {
        /* The name is text, four characters per word. */
        if (reader.op == OP_ENTRY_POINT && reader.size >= 5 && !memcmp(&reader.at[3], "main\0", 5))
            return true;
    }
    return false;
}
