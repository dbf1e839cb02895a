/* Commands of the chat that concern creatures. */
#include "chat_run.h"

#include "creature/creature_care.h"
#include "creature/creatures.h"
#include "motion.h"

#define NAME_REACH 8.0f

static bool has_creatures(const CraftyChatRun *run)
{
    if (crafty_difficulty(run->world) != CRAFTY_NO_CREATURES)
        return true;
    crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD, "This world has no creatures.");
    return false;
}

void crafty_chat_difficulty(const CraftyChatRun *run)
{
    if (!has_creatures(run))
        return;
    CraftyDifficulty difficulty = run->parse->words[0].id ? CRAFTY_NORMAL : CRAFTY_PEACEFUL;
    crafty_difficulty_set(run->world, difficulty);
    crafty_chat_reply(run, "The world is %s now.", crafty_difficulty_name(difficulty));
}

void crafty_chat_summon(const CraftyChatRun *run)
{
    const CraftyCreatureList *list = cn_resource(run->world, CraftyCreatureList);
    const CraftyCreatureKind *kind =
        list ? crafty_creature_kind_at(list->kinds, run->parse->words[0].id) : NULL;
    const CnTransform *eye = cn_get(run->world, run->eye, CnTransform);
    CnVec3 at = cn_vec3(0, 0, 0);
    if (!has_creatures(run) || !kind)
        return;
    if (run->parse->count > 3) {
        if (!crafty_chat_position(run, run->eye, 1, &at))
            return;
    } else if (eye) {
        CnVec3 forward = cn_quat_rotate(eye->rotation, cn_vec3(0, 0, -1));
        at = cn_vec3(eye->position.x + 2 * forward.x, eye->position.y - CRAFTY_PLAYER_EYE + 0.05f,
                     eye->position.z + 2 * forward.z);
        CnVoxels *voxels = cn_resource(run->world, CraftyBlocks)->voxels;
        if (cn_voxels_overlap(voxels, crafty_creature_box(kind, &(CraftyCreature){0}, at)))
            at = cn_vec3(eye->position.x, at.y, eye->position.z);
    } else {
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD, "A console has to give a position.");
        return;
    }
    if (crafty_creature_spawn(run->world, &(CraftyCreatureDesc){.kind = kind->name, .position = at})
            .id)
        crafty_chat_reply(run, "%s appears.", kind->title);
    else
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD, "There is no room for more creatures.");
}

void crafty_chat_kill_creatures(const CraftyChatRun *run)
{
    if (has_creatures(run))
        crafty_chat_reply(run, "%u creatures are gone.", crafty_creatures_clear(run->world));
}

void crafty_chat_name(const CraftyChatRun *run)
{
    const CnTransform *transform = cn_get(run->world, run->eye, CnTransform);
    const CraftyChatWord *word = &run->parse->words[0];
    float distance;
    if (!has_creatures(run))
        return;
    CnEntity creature = {0};
    if (transform)
        creature = crafty_creature_aimed(run->world, crafty_player_eye(run->world, run->eye),
                                         cn_quat_rotate(transform->rotation, cn_vec3(0, 0, -1)),
                                         NAME_REACH, &distance);
    char label[CRAFTY_CREATURE_LABEL_BYTES];
    if (!creature.id)
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD, "Look at the creature that you want to name.");
    else if (!cn_copy_text(label, sizeof label, (CnText){run->text + word->at, word->bytes}))
        crafty_chat_fail(run, 0, "A name has at most %u bytes.", CRAFTY_CREATURE_LABEL_BYTES - 1);
    else if (crafty_creature_set_label(run->world, creature, label))
        crafty_chat_reply(run, "It is called %s now.", label);
}
