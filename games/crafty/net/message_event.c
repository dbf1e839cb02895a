/* Events in messages: their fields one after the other, as their types describe them. */
#include "message.h"

#include "crafty/sim/chat.h"
#include "crafty/sim/creature/creature.h"
#include "crafty/sim/hand.h"
#include "crafty/sim/player_event.h"

#include <string.h>

static const CnType *const types[CRAFTY_EVENT_KIND_COUNT] = {
    [CRAFTY_EVENT_CHAT] = &cn_type_CraftyChatLine,
    [CRAFTY_EVENT_HAND] = &cn_type_CraftyHandEvent,
    [CRAFTY_EVENT_PLAYER] = &cn_type_CraftyPlayerEvent,
    [CRAFTY_EVENT_CREATURE] = &cn_type_CraftyCreatureEvent,
};
_Static_assert(sizeof(CraftyChatLine) <= CRAFTY_EVENT_BYTES, "there is room for a line");
_Static_assert(sizeof(CraftyHandEvent) <= CRAFTY_EVENT_BYTES, "there is room for an event");
_Static_assert(sizeof(CraftyPlayerEvent) <= CRAFTY_EVENT_BYTES, "there is room for an event");
_Static_assert(sizeof(CraftyCreatureEvent) <= CRAFTY_EVENT_BYTES, "there is room for an event");

const CnType *crafty_event_type(CraftyEventKind kind)
{
    return types[kind];
}

void crafty_message_put_event(CraftyMessageWriter *writer, CraftyEventKind kind, const void *event,
                              uint32_t (*id_of)(void *user, CnEntity entity), void *user)
{
    const CnType *type = types[kind];
    cn_net_write_bits(&writer->bits, kind, 4);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const CnField *field = &type->fields[i];
        const uint8_t *value = (const uint8_t *)event + field->offset;
        CnEntity entity;
        if (field->type == CN_FIELD_TEXT) {
            crafty_message_put_text(writer, (const char *)value);
        } else if (field->type == CN_FIELD_ENTITY) {
            memcpy(&entity, value, sizeof entity);
            uint32_t id = entity.id ? id_of(user, entity) : UINT32_MAX;
            cn_net_write_number(&writer->bits, id + 1);
        } else {
            crafty_message_put_bytes(writer, value, field->size);
        }
    }
}

/* Returns false if a value is none of its type. */
static bool is_value(const CnField *field, const uint8_t *value)
{
    if (field->type == CN_FIELD_BOOL)
        return *value <= 1;
    if (field->type != CN_FIELD_F32 && field->type != CN_FIELD_VEC2 && field->type != CN_FIELD_VEC3)
        return true;
    for (uint32_t at = 0; at < field->size; at += sizeof(float)) {
        float number;
        memcpy(&number, value + at, sizeof number);
        if (!(cn_fabsf(number) <= 1e9f))
            return false;
    }
    return true;
}

bool crafty_message_get_event(CraftyMessageReader *reader, CraftyEventKind *kind, void *event,
                              CnEntity (*entity_of)(void *user, uint32_t id), void *user)
{
    uint32_t number = cn_net_read_bits(&reader->bits, 4);
    if (reader->bits.failed || number >= CRAFTY_EVENT_KIND_COUNT)
        return false;
    const CnType *type = types[number];
    *kind = (CraftyEventKind)number;
    memset(event, 0, type->size);
    for (uint32_t i = 0; i < type->field_count && !reader->bits.failed; i++) {
        const CnField *field = &type->fields[i];
        uint8_t *value = (uint8_t *)event + field->offset;
        if (field->type == CN_FIELD_TEXT) {
            crafty_message_get_text(reader, (char *)value, field->size);
        } else if (field->type == CN_FIELD_ENTITY) {
            uint32_t id = cn_net_read_number(&reader->bits);
            CnEntity entity = id ? entity_of(user, id - 1) : (CnEntity){0};
            memcpy(value, &entity, sizeof entity);
        } else if (!crafty_message_get_bytes(reader, value, field->size) ||
                   !is_value(field, value)) {
            return false;
        }
    }
    return crafty_message_is_complete(reader);
}
