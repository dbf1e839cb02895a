#include "sound_game.h"

#include "game.h"
#include "sound_captions.h"

#define HOVER_SECONDS 0.06f /* between two */
#define LEAVE_SECONDS 1.0f  /* until the reverb of a world has faded */

bool crafty_game_sound_create(Crafty *crafty, CnError *error)
{
    const CnEngineDesc *desc = &crafty->options.engine;
    bool is_capture = desc->headless || desc->image_path || desc->video_path;
    CraftyGameSound *game = &crafty->sound;
    if (desc->no_audio || (is_capture && !desc->audio_path))
        return true;
    CnAudio *audio = cn_engine_audio(crafty->engine);
    game->sound = crafty_sound_create(NULL, audio, error);
    if (!game->sound)
        return false;
    crafty_sound_set_volumes(game->sound, &crafty->preferences);
    /* What is heard may not depend on the speed of the machine, and loading is not steady. */
    if (desc->audio_path || desc->check)
        crafty_sound_load_all(game->sound);
    return true;
}

void crafty_game_sound_destroy(Crafty *crafty)
{
    crafty_game_sound_leave(crafty);
    crafty_sound_destroy(crafty->sound.sound);
    crafty->sound = (CraftyGameSound){0};
}

bool crafty_game_sound_enter(Crafty *crafty, CnWorld *world, CnError *error)
{
    CraftyGameSound *game = &crafty->sound;
    if (!game->sound)
        return true;
    CraftyWorld *terrain = crafty_terrain_world(crafty->play->terrain);
    game->acoustics =
        cn_acoustics_create(&(CnAcousticsDesc){.audio = crafty_sound_audio(game->sound),
                                               .jobs = crafty_world_jobs(terrain),
                                               .wait = crafty->options.engine.audio_path != NULL},
                            error);
    return game->acoustics &&
           crafty_sound_enter(game->sound, world, crafty_play_mods(crafty->play), error);
}

void crafty_game_sound_leave(Crafty *crafty)
{
    CraftyGameSound *game = &crafty->sound;
    if (!game->sound)
        return;
    crafty_sound_leave(game->sound);
    cn_acoustics_destroy(game->acoustics);
    game->acoustics = NULL;
    cn_audio_set_reverb(crafty_sound_audio(game->sound), NULL, LEAVE_SECONDS);
}

void crafty_game_sound_set_volumes(Crafty *crafty)
{
    if (crafty->sound.sound)
        crafty_sound_set_volumes(crafty->sound.sound, &crafty->preferences);
}

/* Moving over a list is not a drum roll. */
static void hear_hover(CraftyGameSound *game, uint64_t hovers, float seconds)
{
    game->hover_wait -= seconds;
    if (hovers == game->hovers || game->hover_wait > 0)
        return;
    game->hover_wait = HOVER_SECONDS;
    crafty_sound_play(game->sound, "ui.hover", 1);
}

static void hear_interface(Crafty *crafty, float seconds)
{
    CraftyGameSound *game = &crafty->sound;
    const CnUi *ui = cn_engine_ui(crafty->engine);
    uint64_t clicks = cn_ui_clicks(ui), hovers = cn_ui_hovers(ui), toggles = cn_ui_toggles(ui);
    uint8_t page = (uint8_t)crafty->menu.page;
    if (toggles != game->toggles)
        crafty_sound_play(game->sound, "ui.toggle", 1);
    else if (clicks != game->clicks)
        crafty_sound_play(game->sound, "ui.click", 1);
    else if (page != game->page)
        crafty_sound_play(game->sound, page == CRAFTY_MENU_CLOSED ? "ui.close" : "ui.open", 1);
    else
        hear_hover(game, hovers, seconds);
    game->clicks = clicks;
    game->hovers = hovers;
    game->toggles = toggles;
    game->page = page;
}

static bool has_world(const Crafty *crafty)
{
    const CraftyPlay *play = crafty->play;
    return play && play->scene && !play->is_loading && !play->is_backdrop;
}

void crafty_game_sound_frame(Crafty *crafty)
{
    CraftyGameSound *game = &crafty->sound;
    CraftyPlay *play = crafty->play;
    float seconds = (float)cn_engine_time(crafty->engine)->unscaled_delta;
    CraftySoundFrame frame = {.seconds = seconds, .is_paused = crafty->menu.is_paused};
    if (!game->sound)
        return;
    if (has_world(crafty)) {
        const CnWorld *world = cn_engine_world(crafty->engine);
        const CnTransform *transform = cn_get(world, play->camera, CnTransform);
        frame.world = world;
        frame.voxels = crafty_terrain_voxels(play->terrain);
        frame.lamps = crafty_terrain_lamps(play->terrain);
        frame.player = play->camera;
        frame.eye = transform ? transform->position : cn_vec3(0, 0, 0);
    }
    if (!cn_engine_is_headless(crafty->engine))
        hear_interface(crafty, seconds);
    crafty_sound_frame(game->sound, &frame);
    if (game->acoustics)
        cn_acoustics_update(game->acoustics, frame.voxels, (double)seconds);
}

void crafty_game_sound_captions(Crafty *crafty)
{
    CnAudioListener listener;
    if (!crafty->sound.sound || !crafty->preferences.subtitles || crafty->menu.hides_interface)
        return;
    listener = cn_audio_listener(crafty_sound_audio(crafty->sound.sound));
    crafty_captions_draw(crafty->sound.sound, cn_engine_canvas(crafty->engine), listener.position,
                         listener.rotation, crafty->hud.icons.text_size);
}
