/* Sound of the client: what is played for what happens, and that nothing else depends on it. */
#include "cmocka_tests.h"

#include <crafty/client/sound_captions.h>
#include <crafty/client/sound_creatures.h>
#include <crafty/robot/robot.h>
#include <crafty/sim/creature/creature.h>
#include <crafty/sim/motion.h>
#include <crafty/sim/player_event.h>
#include <crafty/sim/villager.h>
#include <crafty/sim/vitals.h>

#include <string.h>

typedef struct Walk {
    CraftySession *session;
    CraftyRobot robot;
    CnAudio *audio;
    CraftySound *sound; /* NULL: without */
    CnEventReader *events;
    uint64_t steps; /* events */
} Walk;

static bool after_tick(void *user, CnError *error)
{
    Walk *walk = user;
    (void)error;
    for (const CraftyPlayerEvent *e; (e = cn_read_next(walk->events, CraftyPlayerEvent));)
        walk->steps += e->kind == CRAFTY_PLAYER_STEPPED;
    if (!walk->sound)
        return true;
    crafty_sound_frame(walk->sound, &(CraftySoundFrame){.world = walk->robot.world,
                                                        .voxels = walk->robot.voxels,
                                                        .player = walk->robot.player,
                                                        .eye = crafty_robot_eye(&walk->robot),
                                                        .seconds = 1.0f / 60});
    cn_audio_update(walk->audio, 1.0 / 60);
    return true;
}

static void begin(Walk *walk, bool has_sound)
{
    CnError error = {0};
    *walk = (Walk){0};
    walk->session =
        crafty_session_create(&(CraftySessionDesc){.start = {.viewer = CRAFTY_VIEWER_WALKS,
                                                             .mode = CRAFTY_MODE_SURVIVAL,
                                                             .hours = 8,
                                                             .seed = 7},
                                                   .finds_spawn = true},
                              &error);
    if (!walk->session)
        fail_msg("%s", error.message);
    assert_true(crafty_robot_begin(&walk->robot, walk->session, &error));
    walk->events = cn_event_reader_create(cn_channel(walk->robot.world, CraftyPlayerEvent), &error);
    assert_non_null(walk->events);
    assert_true(crafty_robot_wait(&walk->robot, 60)); /* until it stands */
    walk->robot.after_tick = after_tick;
    walk->robot.user = walk;
    if (!has_sound)
        return;
    walk->audio = cn_audio_create(&(CnAudioDesc){.device = CN_AUDIO_DEVICE_NONE}, &error);
    walk->sound = crafty_sound_create(NULL, walk->audio, &error);
    assert_non_null(walk->sound);
    assert_true(crafty_sound_enter(walk->sound, walk->robot.world, NULL, &error));
}

static void go(Walk *walk)
{
    CnCell feet = crafty_robot_feet(&walk->robot);
    assert_true(crafty_robot_go_to_column(&walk->robot, feet.x + 24, feet.z - 6, 1));
}

static void end(Walk *walk)
{
    crafty_sound_destroy(walk->sound);
    cn_audio_destroy(walk->audio);
    cn_event_reader_destroy(walk->events);
    crafty_robot_end(&walk->robot);
    crafty_session_destroy(walk->session);
}

static void a_step_is_heard_at_every_step(void **state)
{
    Walk walk;
    (void)state;
    begin(&walk, true);
    uint64_t before = cn_audio_stats(walk.audio).started;
    go(&walk);
    assert_true(walk.steps > 8);
    assert_int_equal(crafty_sound_counts(walk.sound).steps, walk.steps);
    assert_true(cn_audio_stats(walk.audio).started - before >= walk.steps);
    assert_int_equal(cn_audio_stats(walk.audio).refused, 0);
    end(&walk);
}

static void the_simulation_is_the_same_with_and_without_sound(void **state)
{
    Walk with, without;
    (void)state;
    begin(&with, true);
    go(&with);
    begin(&without, false);
    go(&without);
    assert_int_equal(cn_sim_hash(crafty_session_sim(with.session)),
                     cn_sim_hash(crafty_session_sim(without.session)));
    end(&with);
    end(&without);
}

static void voices_steps_and_blasts_of_creatures_are_heard(void **state)
{
    static const CraftyCreatureEventKind kinds[] = {
        CRAFTY_CREATURE_VOICE,   CRAFTY_CREATURE_WAS_HURT, CRAFTY_CREATURE_DIED,
        CRAFTY_CREATURE_STEPPED, CRAFTY_CREATURE_FUSED,    CRAFTY_CREATURE_EXPLODED};
    Walk walk;
    (void)state;
    begin(&walk, true);
    CnChannel *channel = cn_channel(walk.robot.world, CraftyCreatureEvent);
    const CraftyCreatureList *list = cn_resource(walk.robot.world, CraftyCreatureList);
    uint16_t duck = (uint16_t)crafty_creature_kind_find(list->kinds, "duck")->number;
    uint64_t before = cn_audio_stats(walk.audio).started;
    for (uint32_t i = 0; i < CN_COUNT_OF(kinds); i++)
        cn_send_value(channel, &(CraftyCreatureEvent){.kind = (uint8_t)kinds[i],
                                                      .creature = duck,
                                                      .position = crafty_robot_eye(&walk.robot)});
    assert_true(crafty_robot_wait(&walk.robot, 2));
    assert_int_equal(crafty_sound_counts(walk.sound).creatures, 3);
    assert_true(cn_audio_stats(walk.audio).started - before >= CN_COUNT_OF(kinds));
    end(&walk);
}

static bool has_caption(const CraftySound *sound, const char *text)
{
    CraftyCaption captions[CRAFTY_CAPTIONS];
    uint32_t count = crafty_sound_captions(sound, captions);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(captions[i].text, text) == 0)
            return true;
    return false;
}

static void a_villager_says_what_becomes_of_a_trade(void **state)
{
    static const struct {
        CraftyPlayerEvent event;
        const char *caption;
    } cases[] = {
        {{.kind = CRAFTY_PLAYER_TRADE_OPENED}, "Villager murmurs"},
        {{.kind = CRAFTY_PLAYER_TRADED}, "Villager agrees"},
        {{.kind = CRAFTY_PLAYER_REFUSED, .count = CRAFTY_REFUSAL_TRADE_COST}, "Villager refuses"}};
    Walk walk;
    (void)state;
    begin(&walk, true);
    for (uint32_t i = 0; i < CN_COUNT_OF(cases); i++) {
        CraftyPlayerEvent event = cases[i].event;
        event.player = walk.robot.player;
        event.position = crafty_robot_eye(&walk.robot);
        crafty_player_event_send(walk.robot.world, &event);
        assert_true(crafty_robot_wait(&walk.robot, 2));
        assert_true(has_caption(walk.sound, cases[i].caption));
    }
    end(&walk);
}

/* ---- Which sounds are heard ---- */

/* Waits, and returns whether a voice of this sound ended meanwhile. */
static bool is_heard(Walk *walk, const char *name, uint32_t ticks)
{
    CraftySoundBank *bank = crafty_sound_bank(walk->sound);
    uint32_t number = crafty_sound_bank_find(bank, name);
    const CraftySoundInfo *info = crafty_sound_bank_info(bank, number);
    bool found = false;
    assert_non_null(info);
    for (uint32_t i = 0; i < ticks; i++)
        assert_true(crafty_robot_tick(&walk->robot));
    for (CnVoiceEnd ended; cn_audio_next_ended(walk->audio, &ended);)
        for (uint32_t i = 0; i < info->variants; i++)
            found |= crafty_sound_bank_get(bank, number, i).id == ended.sound.id;
    return found;
}

static bool is_event_heard(Walk *walk, CraftyPlayerEvent event, const char *name)
{
    event.player = walk->robot.player;
    event.position = crafty_robot_eye(&walk->robot);
    cn_send_value(cn_channel(walk->robot.world, CraftyPlayerEvent), &event);
    return is_heard(walk, name, 150);
}

static void a_stroke_through_the_air_is_heard(void **state)
{
    Walk walk;
    (void)state;
    begin(&walk, true);
    CnVec3 eye = crafty_robot_eye(&walk.robot);
    crafty_robot_look_at(&walk.robot, cn_vec3(eye.x + 1, eye.y + 20, eye.z));
    assert_true(crafty_robot_wait(&walk.robot, 4));
    crafty_robot_hold(&walk.robot, "break_block", true);
    assert_true(is_heard(&walk, "player.swing", 60));
    assert_false(is_heard(&walk, "player.swing", 60)); /* once for each press */
    crafty_robot_release(&walk.robot);
    end(&walk);
}

static CraftyItem stone_of(const Walk *walk)
{
    return crafty_items_find(cn_resource(walk->robot.world, CraftyItemList)->items, "stone");
}

static void a_thrown_item_is_heard(void **state)
{
    Walk walk;
    (void)state;
    begin(&walk, true);
    CraftyPlayer *player = cn_get_mut(walk.robot.world, walk.robot.player, CraftyPlayer);
    player->slots[player->slot] = (CraftyStack){.item = stone_of(&walk), .count = 2};
    crafty_robot_hold(&walk.robot, "drop_item", true);
    assert_true(is_heard(&walk, "item.drop", 60));
    crafty_robot_release(&walk.robot);
    end(&walk);
}

static void a_stew_is_drunk_and_bread_is_eaten(void **state)
{
    Walk walk;
    (void)state;
    begin(&walk, true);
    const CraftyItems *items = cn_resource(walk.robot.world, CraftyItemList)->items;
    CraftyPlayerEvent event = {.kind = CRAFTY_PLAYER_ATE, .count = 1};
    event.item = crafty_items_find(items, "mushroom_stew");
    assert_true(is_event_heard(&walk, event, "player.drink"));
    event.item = crafty_items_find(items, "bread");
    assert_true(is_event_heard(&walk, event, "player.eat"));
    assert_false(is_event_heard(&walk, event, "player.drink"));
    end(&walk);
}

static void heat_hisses(void **state)
{
    Walk walk;
    (void)state;
    begin(&walk, true);
    CraftyPlayerEvent event = {.kind = CRAFTY_PLAYER_HURT, .count = CRAFTY_DAMAGE_HEAT, .value = 1};
    assert_true(is_event_heard(&walk, event, "lava.hiss"));
    event.count = CRAFTY_DAMAGE_FALL;
    assert_false(is_event_heard(&walk, event, "lava.hiss"));
    end(&walk);
}

static void what_the_cursor_carries_is_heard(void **state)
{
    Walk walk;
    (void)state;
    begin(&walk, true);
    assert_false(is_heard(&walk, "ui.slot", 30));
    cn_get_mut(walk.robot.world, walk.robot.player, CraftyPlayer)->carried =
        (CraftyStack){.item = stone_of(&walk), .count = 1};
    assert_true(is_heard(&walk, "ui.slot", 60));
    end(&walk);
}

static void a_player_on_a_ladder_is_heard(void **state)
{
    Walk walk;
    (void)state;
    begin(&walk, true);
    CraftyMotion motion = *cn_get(walk.robot.world, walk.robot.player, CraftyMotion);
    motion.climbs = true;
    motion.velocity.y = 3;
    for (uint32_t i = 0; i < 40; i++) {
        *cn_get_mut(walk.robot.world, walk.robot.player, CraftyMotion) = motion;
        after_tick(&walk, NULL);
    }
    assert_true(is_heard(&walk, "ladder.climb", 60));
    end(&walk);
}

/* Villagers talk, and many of them make a village. */
static void a_village_is_heard_near_villagers(void **state)
{
    Walk walk;
    (void)state;
    begin(&walk, true);
    uint32_t village = crafty_sound_bank_find(crafty_sound_bank(walk.sound), "ambience.village");
    CnSound loop = crafty_sound_bank_get(crafty_sound_bank(walk.sound), village, 0);
    CnVec3 eye = crafty_robot_eye(&walk.robot);
    uint64_t before = crafty_sound_counts(walk.sound).creatures;
    for (uint32_t i = 0; i < 4; i++) {
        CnEntity villager = cn_object(walk.robot.world, "Villager");
        cn_get_mut(walk.robot.world, villager, CnTransform)->position =
            cn_vec3(eye.x + (float)i, eye.y, eye.z + 3);
        assert_true(cn_set(walk.robot.world, villager, CraftyVillager,
                           {.activity = CRAFTY_VILLAGER_MEETS, .wait = UINT16_MAX}));
    }
    for (uint32_t i = 0; i < 450; i++)
        after_tick(&walk, NULL);
    assert_int_equal(crafty_sound_counts(walk.sound).creatures, before + 1);
    cn_audio_stop_all(walk.audio, loop, 0);
    CnVoiceEnd ended = {0};
    bool was_playing = false;
    for (uint32_t i = 0; i < 4; i++)
        cn_audio_update(walk.audio, 1.0 / 60);
    while (cn_audio_next_ended(walk.audio, &ended))
        was_playing |= ended.sound.id == loop.id;
    assert_true(was_playing);
    end(&walk);
}

/* The buzz of a bee is a loop in the pack, but the voice ends, and moves with the bee. */
static void a_voice_moves_with_its_creature_and_ends(void **state)
{
    Walk walk;
    (void)state;
    begin(&walk, true);
    CnVec3 eye = crafty_robot_eye(&walk.robot);
    CnEntity bee = cn_object(walk.robot.world, "Bee");
    CnVoice voice = crafty_sound_creature(walk.sound, bee, "bee", CRAFTY_VOICE_IDLE, eye);
    CnVec3 there = cn_vec3(eye.x + 3, eye.y, eye.z);
    cn_get_mut(walk.robot.world, bee, CnTransform)->position = there;
    after_tick(&walk, NULL);
    assert_float_equal(cn_voice_position(walk.audio, voice).x, there.x, 1e-3f);
    assert_true(cn_voice_is_playing(walk.audio, voice));
    for (uint32_t i = 0; i < 240; i++)
        after_tick(&walk, NULL);
    assert_false(cn_voice_is_playing(walk.audio, voice));
    end(&walk);
}

/* ---- Sounds ---- */

static CnAudio *silent_audio(void)
{
    CnError error = {0};
    CnAudio *audio = cn_audio_create(&(CnAudioDesc){.device = CN_AUDIO_DEVICE_NONE}, &error);
    assert_non_null(audio);
    return audio;
}

static void every_sound_can_be_decoded(void **state)
{
    CnError error = {0};
    (void)state;
    CnAudio *audio = silent_audio();
    CraftySoundBank *bank = crafty_sound_bank_create(NULL, audio, &error);
    assert_non_null(bank);
    for (uint32_t i = 0; i < crafty_sound_bank_count(bank); i++) {
        const CraftySoundInfo *info = crafty_sound_bank_info(bank, i);
        for (uint32_t v = 0; v < info->variants; v++)
            if (!crafty_sound_bank_get(bank, i, v).id)
                fail_msg("%s.%u cannot be decoded", info->name, v + 1);
    }
    crafty_sound_bank_destroy(bank);
    cn_audio_destroy(audio);
}

static void every_creature_has_its_voices(void **state)
{
    static const char *const kinds[] = {"duck",    "duckling", "pig",     "sheep", "cow",
                                        "chicken", "bee",      "fish",    "bat",   "wolf",
                                        "zombie",  "creeper",  "villager"};
    CnError error = {0};
    (void)state;
    CnAudio *audio = silent_audio();
    CraftySoundBank *bank = crafty_sound_bank_create(NULL, audio, &error);
    for (uint32_t i = 0; i < CN_COUNT_OF(kinds); i++) {
        for (uint32_t v = 0; v < CRAFTY_VOICE_COUNT; v++) {
            char name[64];
            if (!crafty_creature_sound_name(bank, kinds[i], (CraftyVoice)v, name, sizeof name))
                fail_msg("%s has no voice %u", kinds[i], v);
        }
    }
    crafty_sound_bank_destroy(bank);
    cn_audio_destroy(audio);
}

static void variants_do_not_repeat(void **state)
{
    CnError error = {0};
    (void)state;
    CnAudio *audio = silent_audio();
    CraftySound *sound = crafty_sound_create(NULL, audio, &error);
    CnVoiceEnd ended;
    uint32_t last = 0;
    for (uint32_t i = 0; i < 40; i++) {
        crafty_sound_play(sound, "block.stone.step", 1);
        for (uint32_t frame = 0; frame < 60; frame++)
            cn_audio_update(audio, 1.0 / 60);
        assert_true(cn_audio_next_ended(audio, &ended));
        assert_int_not_equal(ended.sound.id, last);
        last = ended.sound.id;
    }
    crafty_sound_destroy(sound);
    cn_audio_destroy(audio);
}

static void volumes_act_at_once(void **state)
{
    CnError error = {0};
    (void)state;
    CnAudio *audio = silent_audio();
    CraftySound *sound = crafty_sound_create(NULL, audio, &error);
    CraftyPreferences preferences = crafty_preferences_default();
    preferences.music_volume = 0.1f;
    crafty_sound_set_volumes(sound, &preferences);
    assert_float_equal(cn_audio_bus(audio, CN_AUDIO_BUS_MUSIC), 0.1f, 1e-6f);
    assert_float_equal(cn_audio_bus(audio, CN_AUDIO_BUS_MASTER), preferences.volume, 1e-6f);
    crafty_sound_destroy(sound);
    cn_audio_destroy(audio);
}

/* ---- Subtitles ---- */

static void a_caption_names_the_side_of_its_sound(void **state)
{
    const CnQuat ahead = {0, 0, 0, 1};
    CraftyCaption caption = {
        .text = "Duck quacks", .is_spatial = true, .position = {-5, 0, 0}, .seconds = 1};
    char text[64];
    (void)state;
    crafty_caption_text(&caption, cn_vec3(0, 0, 0), ahead, text, sizeof text);
    assert_string_equal(text, "< [Duck quacks]");
    caption.position = cn_vec3(5, 0, 0);
    crafty_caption_text(&caption, cn_vec3(0, 0, 0), ahead, text, sizeof text);
    assert_string_equal(text, "[Duck quacks] >");
    caption.position = cn_vec3(0, 0, -5);
    crafty_caption_text(&caption, cn_vec3(0, 0, 0), ahead, text, sizeof text);
    assert_string_equal(text, "[Duck quacks]");
}

static void equal_captions_appear_once(void **state)
{
    CnError error = {0};
    CraftyCaption captions[CRAFTY_CAPTIONS];
    (void)state;
    CnAudio *audio = silent_audio();
    CraftySound *sound = crafty_sound_create(NULL, audio, &error);
    crafty_sound_creature(sound, (CnEntity){0}, "duck", CRAFTY_VOICE_IDLE, cn_vec3(1, 0, 0));
    crafty_sound_creature(sound, (CnEntity){0}, "cow", CRAFTY_VOICE_IDLE, cn_vec3(1, 0, 0));
    crafty_sound_creature(sound, (CnEntity){0}, "duck", CRAFTY_VOICE_IDLE, cn_vec3(1, 0, 0));
    assert_int_equal(crafty_sound_captions(sound, captions), 2);
    assert_string_equal(captions[0].text, "Duck quacks");
    crafty_sound_destroy(sound);
    cn_audio_destroy(audio);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_heard_at_every_step),
        cmocka_unit_test(the_simulation_is_the_same_with_and_without_sound),
        cmocka_unit_test(voices_steps_and_blasts_of_creatures_are_heard),
        cmocka_unit_test(a_villager_says_what_becomes_of_a_trade),
        cmocka_unit_test(a_stroke_through_the_air_is_heard),
        cmocka_unit_test(a_thrown_item_is_heard),
        cmocka_unit_test(a_stew_is_drunk_and_bread_is_eaten),
        cmocka_unit_test(heat_hisses),
        cmocka_unit_test(what_the_cursor_carries_is_heard),
        cmocka_unit_test(a_player_on_a_ladder_is_heard),
        cmocka_unit_test(a_village_is_heard_near_villagers),
        cmocka_unit_test(a_voice_moves_with_its_creature_and_ends),
        cmocka_unit_test(every_sound_can_be_decoded),
        cmocka_unit_test(every_creature_has_its_voices),
        cmocka_unit_test(variants_do_not_repeat),
        cmocka_unit_test(volumes_act_at_once),
        cmocka_unit_test(a_caption_names_the_side_of_its_sound),
        cmocka_unit_test(equal_captions_appear_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
