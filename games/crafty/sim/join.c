#include "join.h"

#include "connection.h"
#include "inventory.h"
#include "mod/hud.h"
#include "motion.h"
#include "player_index.h"
#include "rules.h"
#include "undo.h"
#include "vitals.h"

#include <cairn/base/log.h>

#include <string.h>

/* ---- Texts ---- */

static CnText name_of(const CraftyHostCommand *command)
{
    const char *end = memchr(command->name, 0, sizeof command->name);
    return (CnText){command->name, end ? (size_t)(end - command->name) : 0};
}

const char *crafty_join_refusal_text(CraftyJoinRefusal refusal)
{
    static const char *const texts[CRAFTY_JOIN_REFUSAL_COUNT] = {
        [CRAFTY_JOIN_REFUSED_NOT] = "",
        [CRAFTY_JOIN_REFUSED_NAME] =
            ("The name is not valid: use 1 to 16 letters, digits, '_', '-' or '.', and begin with a "
             "letter."),
        [CRAFTY_JOIN_REFUSED_TAKEN] = "Another player has this name. Choose another one.",
        [CRAFTY_JOIN_REFUSED_PRESENT] = "This account is playing in this world already.",
        [CRAFTY_JOIN_REFUSED_FULL] = "The world is full. Try again later.",
        [CRAFTY_JOIN_REFUSED_WORLD] = "The world has no room for further accounts.",
        [CRAFTY_JOIN_REFUSED_NUMBER] = "The number belongs to another player.",
        [CRAFTY_JOIN_REFUSED_MEMORY] = "The server is out of memory."};
    return (uint32_t)refusal < CRAFTY_JOIN_REFUSAL_COUNT ? texts[refusal] : "unknown reason";
}

bool crafty_host_command_valid(const CraftyHostCommand *command)
{
    bool has_end = memchr(command->name, 0, sizeof command->name) != NULL;
    return command->kind > CRAFTY_HOST_NONE && command->kind < CRAFTY_HOST_KIND_COUNT && has_end &&
           command->role < CRAFTY_ROLE_COUNT && command->player <= CRAFTY_MAX_PLAYER_NUMBER &&
           (command->player > 0 || command->kind == CRAFTY_HOST_JOIN);
}

static void send(CnWorld *world, const CraftyPresence *event)
{
    CnChannel *channel = cn_channel(world, CraftyPresence);
    if (channel)
        cn_send_value(channel, event);
}

static void send_about(CnWorld *world, CraftyPresenceKind kind, uint32_t number,
                       const CraftyIdentity *identity)
{
    CraftyPresence event = {.player = number, .kind = (uint8_t)kind};
    if (identity) {
        event.account = identity->account;
        event.role = identity->role;
    }
    crafty_player_name(world, number, event.name);
    send(world, &event);
}

/* ---- Who is in this world ---- */

/* What a join has to know about all players, present and absent. */
typedef struct Census {
    CnEntity present, absent; /* the player of the account */
    CnEntity by_number;       /* without an account, with the number of the command */
    bool is_absent;           /* `by_number` */
    bool name_taken, number_taken;
    uint32_t present_count, count;
    uint64_t numbers[CRAFTY_MAX_PLAYER_NUMBER / 64 + 1]; /* bits */
} Census;

typedef struct Seen {
    CnEntity entity;
    uint32_t number;
    const CraftyIdentity *identity; /* NULL: without an account */
    bool is_absent;
} Seen;

static bool is_of(const Seen *seen, const CraftyHostCommand *command)
{
    if (!seen->identity || crafty_account_is_owner(&seen->identity->account))
        return crafty_account_is_owner(&command->account) &&
               seen->number == (command->player ? command->player : CRAFTY_FIRST_PLAYER);
    return crafty_account_equal(&seen->identity->account, &command->account);
}

static void count_player(Census *census, const Seen *seen, const CraftyHostCommand *command,
                         uint64_t name_key)
{
    bool has_account = seen->identity && !crafty_account_is_owner(&seen->identity->account);
    census->count++;
    census->present_count += !seen->is_absent;
    if (seen->number <= CRAFTY_MAX_PLAYER_NUMBER)
        census->numbers[seen->number / 64] |= UINT64_C(1) << seen->number % 64;
    if (is_of(seen, command)) {
        *(seen->is_absent ? &census->absent : &census->present) = seen->entity;
        return;
    }
    census->name_taken = census->name_taken || (seen->identity && seen->identity->name[0] &&
                                                seen->identity->name_key == name_key);
    if (seen->number != command->player || !command->player)
        return;
    if (has_account) {
        census->number_taken = true;
        return;
    }
    census->by_number = seen->entity;
    census->is_absent = seen->is_absent;
}

/* Queries of this file; those of a world that is restored remain. */
static const CnQueryDesc present_desc = {.all = {cn_reads(CnPlayerActions), cn_reads(CraftyPlayer)},
                                         .optional = {cn_reads(CraftyIdentity)}};
static const CnQueryDesc absent_desc = {.all = {cn_reads(CraftyAbsent)},
                                        .optional = {cn_reads(CraftyIdentity)}};

static bool take_census(CnWorld *world, const CraftyHostCommand *command, Census *census)
{
    CnQuery *present = cn_query_acquire(world, &present_desc, NULL);
    CnQuery *absent = cn_query_acquire(world, &absent_desc, NULL);
    bool has_name = name_of(command).size > 0;
    uint64_t key = has_name ? crafty_name_key(name_of(command)) : 0;
    bool done = present && absent;
    CnChunkView view;
    *census = (Census){0};
    if (done) {
        for (CnQueryIter it = cn_query_iter(present); cn_query_next(&it, &view);) {
            const CraftyIdentity *identities = cn_column_const(&view, CraftyIdentity);
            for (uint32_t i = 0; i < view.count; i++)
                count_player(census,
                             &(Seen){view.entities[i],
                                     cn_column_const(&view, CnPlayerActions)[i].player,
                                     identities ? &identities[i] : NULL, false},
                             command, key);
        }
        for (CnQueryIter it = cn_query_iter(absent); cn_query_next(&it, &view);) {
            const CraftyIdentity *identities = cn_column_const(&view, CraftyIdentity);
            for (uint32_t i = 0; i < view.count; i++)
                count_player(census,
                             &(Seen){view.entities[i],
                                     cn_column_const(&view, CraftyAbsent)[i].player,
                                     identities ? &identities[i] : NULL, true},
                             command, key);
        }
    }
    census->name_taken = census->name_taken && has_name;
    cn_query_release(present);
    cn_query_release(absent);
    return done;
}

static uint32_t free_number(const Census *census)
{
    for (uint32_t number = CRAFTY_FIRST_PLAYER; number <= CRAFTY_MAX_PLAYER_NUMBER; number++)
        if (!(census->numbers[number / 64] >> number % 64 & 1))
            return number;
    return 0;
}

/* ---- Joining ---- */

static bool set_identity(CnWorld *world, CnEntity player, const CraftyHostCommand *command)
{
    const CraftyIdentity *old = cn_get(world, player, CraftyIdentity);
    CraftyIdentity identity = {.account = command->account, .role = command->role};
    CnText name = name_of(command);
    if (!name.size && old)
        name = cn_text(old->name);
    cn_copy_text(identity.name, sizeof identity.name, name);
    identity.name_key = name.size ? crafty_name_key(cn_text(identity.name)) : 0;
    return cn_set_component(world, player, cn_id(world, CraftyIdentity), &identity);
}

static CraftyPose spawn_pose(const CnWorld *world)
{
    const CraftyRules *rules = cn_resource(world, CraftyRules);
    return rules && rules->has_spawn
               ? (CraftyPose){.position = rules->spawn, .yaw = rules->spawn_yaw}
               : (CraftyPose){.position = {0.5f, CN_SEA_LEVEL + 64, 0.5f}};
}

/* Angles of controllers follow the rotation, as after crafty_player_teleport. */
static void place(CnWorld *world, CnEntity player, CnVec3 position, CnQuat rotation)
{
    CnTransform *transform = cn_get_mut(world, player, CnTransform);
    transform->position = position;
    transform->rotation = rotation;
}

static CnEntity make_player(CnWorld *world, uint32_t number, CraftyPlayerMode mode)
{
    char name[32];
    cn_format(name, sizeof name, "Player %u", number);
    CnEntity player = cn_object(world, name);
    if (player.id && crafty_player_make(world, player, number, mode))
        return player;
    if (player.id)
        cn_destroy(world, player);
    return (CnEntity){0};
}

/* Somebody may have built where the player was. */
static void step_out(CnWorld *world, CnEntity player)
{
    const CraftyPlayer *own = cn_get(world, player, CraftyPlayer);
    if (own->mode != CRAFTY_MODE_SPECTATOR && !crafty_player_is_dead(world, player))
        crafty_player_leave_rock(world, player);
}

static CnEntity make_new(CnWorld *world, uint32_t number)
{
    const CraftyRules *rules = cn_resource(world, CraftyRules);
    CnEntity player =
        make_player(world, number, rules ? (CraftyPlayerMode)rules->mode : CRAFTY_MODE_CREATIVE);
    CraftyPose pose = spawn_pose(world);
    if (!player.id)
        return player;
    place(world, player, pose.position, crafty_pose_rotation(&pose));
    step_out(world, player);
    return player;
}

/* Copies what the absent one kept. */
static bool take_back(CnWorld *world, CnEntity absent, CnEntity player)
{
    const CraftyIdentity *identity = cn_get(world, absent, CraftyIdentity);
    CraftyAbsent own = *cn_get(world, absent, CraftyAbsent);
    *cn_get_mut(world, player, CraftyPlayer) = *cn_get(world, absent, CraftyPlayer);
    *cn_get_mut(world, player, CraftyVitals) = *cn_get(world, absent, CraftyVitals);
    *cn_get_mut(world, player, CraftyMotion) = *cn_get(world, absent, CraftyMotion);
    place(world, player, own.position, own.rotation);
    if (own.sensitivity > 0)
        crafty_player_set_sensitivity(world, player, own.sensitivity);
    CraftyIdentity copy = identity ? *identity : (CraftyIdentity){0};
    return !identity || cn_set_component(world, player, cn_id(world, CraftyIdentity), &copy);
}

static CnEntity make_again(CnWorld *world, CnEntity absent)
{
    uint32_t number = cn_get(world, absent, CraftyAbsent)->player;
    CraftyPlayerMode mode = (CraftyPlayerMode)cn_get(world, absent, CraftyPlayer)->mode;
    CnEntity player =
        make_player(world, number, mode < CRAFTY_MODE_COUNT ? mode : CRAFTY_MODE_CREATIVE);
    if (!player.id)
        return player;
    if (!take_back(world, absent, player)) {
        cn_destroy(world, player);
        return (CnEntity){0};
    }
    step_out(world, player);
    return player;
}

static CraftyJoinRefusal check(const CraftyHostCommand *command, const Census *census)
{
    if (name_of(command).size && !crafty_player_name_valid(name_of(command)))
        return CRAFTY_JOIN_REFUSED_NAME;
    if (census->present.id)
        return CRAFTY_JOIN_REFUSED_PRESENT;
    if (census->name_taken)
        return CRAFTY_JOIN_REFUSED_TAKEN;
    if (census->number_taken)
        return CRAFTY_JOIN_REFUSED_NUMBER;
    bool is_here = census->by_number.id && !census->is_absent;
    if (census->present_count >= CRAFTY_MAX_PLAYERS && !is_here)
        return CRAFTY_JOIN_REFUSED_FULL;
    bool is_new = !census->absent.id && !census->by_number.id;
    return is_new && census->count >= CRAFTY_MAX_ACCOUNTS ? CRAFTY_JOIN_REFUSED_WORLD
                                                          : CRAFTY_JOIN_REFUSED_NOT;
}

static bool may_have_number(const CnWorld *world, const CraftyHostCommand *command, CnEntity absent)
{
    return !command->player || cn_get(world, absent, CraftyAbsent)->player == command->player;
}

/* Makes the player. */
static CraftyJoinRefusal make(CnWorld *world, const CraftyHostCommand *command,
                              const Census *census, CnEntity *player)
{
    CnEntity absent = census->absent.id   ? census->absent
                      : census->is_absent ? census->by_number
                                          : (CnEntity){0};
    if (absent.id && !may_have_number(world, command, absent))
        return CRAFTY_JOIN_REFUSED_NUMBER;
    if (absent.id)
        *player = make_again(world, absent);
    else if (census->by_number.id)
        *player = census->by_number;
    else
        *player = make_new(world, command->player ? command->player : free_number(census));
    if (!player->id)
        return CRAFTY_JOIN_REFUSED_MEMORY;
    if (!set_identity(world, *player, command)) {
        if (player->id != census->by_number.id)
            cn_destroy(world, *player);
        return CRAFTY_JOIN_REFUSED_MEMORY;
    }
    if (absent.id)
        cn_destroy(world, absent);
    return CRAFTY_JOIN_REFUSED_NOT;
}

static bool refuse(CnWorld *world, const CraftyHostCommand *command, CraftyJoinRefusal reason)
{
    CraftyPresence event = {.player = command->player,
                            .kind = CRAFTY_PRESENCE_REFUSED,
                            .reason = (uint8_t)reason,
                            .role = command->role,
                            .account = command->account};
    cn_copy_text(event.name, sizeof event.name, name_of(command));
    cn_resource_mut(world, CraftyHostCounts)->refused++;
    send(world, &event);
    return false;
}

static bool join(CnWorld *world, const CraftyHostCommand *command)
{
    Census census;
    CnEntity player = {0};
    if (!take_census(world, command, &census))
        return refuse(world, command, CRAFTY_JOIN_REFUSED_MEMORY);
    CraftyJoinRefusal reason = check(command, &census);
    if (!reason)
        reason = make(world, command, &census, &player);
    if (reason)
        return refuse(world, command, reason);
    crafty_player_index_update(world);
    cn_resource_mut(world, CraftyHostCounts)->joined++;
    send_about(world, CRAFTY_PRESENCE_JOINED, cn_get(world, player, CnPlayerActions)->player,
               cn_get(world, player, CraftyIdentity));
    return true;
}

/* ---- Leaving ---- */

static float sensitivity_of(const CnWorld *world, CnEntity player)
{
    const CnFlyCamera *fly = cn_get(world, player, CnFlyCamera);
    const CnPlayerController *walker = cn_get(world, player, CnPlayerController);
    return fly ? fly->sensitivity : walker ? walker->sensitivity : 0;
}

/* What belongs to a moment, such as sleeping, ends. */
static bool keep(CnWorld *world, CnEntity player, uint32_t number)
{
    const CnTransform *transform = cn_get(world, player, CnTransform);
    const CraftyIdentity *identity = cn_get(world, player, CraftyIdentity);
    CraftyAbsent absent = {.player = number,
                           .tick = cn_resource(world, CnTickInfo)->tick,
                           .position = transform->position,
                           .rotation = transform->rotation,
                           .sensitivity = sensitivity_of(world, player)};
    CraftyPlayer own = *cn_get(world, player, CraftyPlayer);
    CraftyVitals vitals = *cn_get(world, player, CraftyVitals);
    CraftyMotion motion = *cn_get(world, player, CraftyMotion);
    vitals.sleep_ticks = 0;
    vitals.eating = 0;
    CraftyIdentity copy = identity ? *identity : (CraftyIdentity){0};
    const CnValue values[] = {{.type = &cn_type_CraftyAbsent, .data = &absent},
                              {.type = &cn_type_CraftyPlayer, .data = &own},
                              {.type = &cn_type_CraftyVitals, .data = &vitals},
                              {.type = &cn_type_CraftyMotion, .data = &motion},
                              {.type = &cn_type_CraftyIdentity, .data = &copy}};
    uint32_t count = identity ? (uint32_t)CN_COUNT_OF(values) : (uint32_t)CN_COUNT_OF(values) - 1;
    return cn_spawn_values(world, values, count).id != 0;
}

/* Returns false if there is no such player, or when out of memory: it stays then. */
static bool leave(CnWorld *world, uint32_t number)
{
    CnEntity player = crafty_player_by_number(world, number);
    if (!player.id || !cn_get(world, player, CraftyPlayer) ||
        !cn_get(world, player, CraftyVitals) || !cn_get(world, player, CraftyMotion) ||
        !cn_get(world, player, CnTransform))
        return false;
    crafty_inventory_close(world, player);
    if (!keep(world, player, number)) {
        CN_LOG_ERROR("crafty", "player %u cannot leave: out of memory", number);
        return false;
    }
    send_about(world, CRAFTY_PRESENCE_LEFT, number, cn_get(world, player, CraftyIdentity));
    crafty_undo_forget(world, number);
    crafty_mods_leave(world, number);
    cn_destroy(world, player);
    crafty_player_index_update(world);
    cn_resource_mut(world, CraftyHostCounts)->left++;
    return true;
}

/* ---- Commands ---- */

static bool set_role(CnWorld *world, uint32_t number, uint8_t role)
{
    CnEntity player = crafty_player_by_number(world, number);
    CraftyIdentity *identity = player.id ? cn_get_mut(world, player, CraftyIdentity) : NULL;
    if (!identity)
        return false;
    identity->role = role;
    send_about(world, CRAFTY_PRESENCE_ROLE, number, identity);
    return true;
}

static bool apply(CnWorld *world, const CraftyHostCommand *command)
{
    switch ((CraftyHostKind)command->kind) {
    case CRAFTY_HOST_JOIN:
        join(world, command); /* a refusal is counted and an event */
        return true;
    case CRAFTY_HOST_LEAVE:
        return leave(world, command->player);
    case CRAFTY_HOST_ROLE:
        return set_role(world, command->player, command->role);
    case CRAFTY_HOST_NONE:
    case CRAFTY_HOST_KIND_COUNT:
        break;
    }
    return false;
}

void crafty_host_commands_apply(CnWorld *world)
{
    const CnChannel *channel = cn_channel(world, CraftyHostCommand);
    uint32_t count = channel ? cn_event_count(channel) : 0;
    for (uint32_t i = 0; i < count; i++) {
        CraftyHostCommand command = cn_events(channel, CraftyHostCommand)[i];
        bool is_valid = command.sender == CRAFTY_CONSOLE && crafty_host_command_valid(&command);
        if (!is_valid || !apply(world, &command))
            cn_resource_mut(world, CraftyHostCounts)->ignored++;
    }
}

bool crafty_join_add(CnWorld *world, CnError *error)
{
    const CnType *const types[] = {&cn_type_CraftyHostCommand, &cn_type_CraftyPresence,
                                   &cn_type_CraftyAbsent, &cn_type_CraftyHostCounts};
    for (uint32_t i = 0; i < CN_COUNT_OF(types); i++)
        if (!cn_component_register(world, &(CnComponentDesc){.type = types[i]}, error).id)
            return false;
    bool has_channels =
        cn_channel(world, CraftyHostCommand) != NULL && cn_channel(world, CraftyPresence) != NULL;
    bool has_counts =
        cn_resource(world, CraftyHostCounts) || cn_resource_set(world, CraftyHostCounts, {0});
    return (has_channels && has_counts) || cn_error_memory(error, "joining players");
}

/* ---- For the host ---- */

uint32_t crafty_present_players(const CnWorld *world, uint32_t *numbers, uint32_t capacity)
{
    uint32_t count = 0;
    CnQuery *present = cn_query_acquire((CnWorld *)(uintptr_t)world, &present_desc, NULL);
    CnChunkView view;
    if (!present)
        return 0;
    for (CnQueryIter it = cn_query_iter(present); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++, count++) {
            uint32_t number = cn_column_const(&view, CnPlayerActions)[i].player;
            uint32_t at = count < capacity ? count : capacity;
            if (at == capacity)
                continue;
            for (; at > 0 && numbers[at - 1] > number; at--)
                numbers[at] = numbers[at - 1];
            numbers[at] = number;
        }
    cn_query_release(present);
    return count;
}

CraftyPose crafty_join_pose(const CnWorld *world, const CraftyAccount *account)
{
    CraftyPose pose = spawn_pose(world);
    CnQuery *absent = cn_query_acquire((CnWorld *)(uintptr_t)world, &absent_desc, NULL);
    CnChunkView view;
    if (!absent)
        return pose;
    for (CnQueryIter it = cn_query_iter(absent); cn_query_next(&it, &view);) {
        const CraftyIdentity *identities = cn_column_const(&view, CraftyIdentity);
        for (uint32_t i = 0; identities && i < view.count; i++)
            if (crafty_account_equal(&identities[i].account, account))
                pose.position = cn_column_const(&view, CraftyAbsent)[i].position;
    }
    cn_query_release(absent);
    return pose;
}

uint32_t crafty_absent_count(const CnWorld *world)
{
    CnQuery *absent = cn_query_acquire((CnWorld *)(uintptr_t)world, &absent_desc, NULL);
    uint32_t count = absent ? cn_query_count(absent) : 0;
    cn_query_release(absent);
    return count;
}
