#include "leave.h"

#include "crafty/save/signals.h"
#include "game.h"

#include <cairn/base/clock.h>
#include <cairn/base/console.h>

/* How long nothing may become durable before the player is asked, or a signal ends the program. */
#define PATIENCE_NS UINT64_C(10000000000)
/* After this time a save that fails is reported: the store has tried again. */
#define FAILING_NS UINT64_C(2000000000)
/* How long the end waits for a thumbnail. */
#define PICTURE_NS UINT64_C(1000000000)
#define WIDTH 420.0f

bool crafty_is_leaving(const Crafty *crafty)
{
    return crafty->leave.to != CRAFTY_LEAVE_NOT;
}

void crafty_leave(Crafty *crafty, CraftyLeaveTo to)
{
    CraftyLeave *leave = &crafty->leave;
    bool was_leaving = crafty_is_leaving(crafty);
    leave->is_urgent |= crafty_signal_received() != 0;
    if (to > leave->to)
        leave->to = to;
    if (was_leaving)
        return;
    leave->begin_ns = cn_clock_ns();
    if (!crafty->play || !crafty->play->scene || crafty->play->is_backdrop) {
        leave->is_done = true;
        return;
    }
    CnSim *sim = cn_scene_sim(crafty->play->scene);
    cn_sim_pause(sim, true);
    cn_sim_time(sim)->scale = 0;
    crafty_saving_now(crafty->play);
}

/* ---- Frames ---- */

static void stay(Crafty *crafty)
{
    crafty->leave = (CraftyLeave){0};
    crafty->menu.page = CRAFTY_MENU_PAUSE;
    crafty->menu.is_paused = true; /* as it is */
}

static void try_again(Crafty *crafty)
{
    crafty->leave.asks = false;
    crafty->leave.begin_ns = cn_clock_ns();
    crafty_saving_now(crafty->play);
}

static bool has_picture(const CraftyPlay *play)
{
    return !play->thumbnail || !crafty_thumbnail_is_under_way(play->thumbnail);
}

static CnUiWindow window_of(const Crafty *crafty, const char *title)
{
    CnRect area = cn_canvas_area(cn_engine_canvas(crafty->engine));
    return (CnUiWindow){.title = title,
                        .rect = {(area.width - WIDTH) / 2, area.height * 0.3f, WIDTH, 0},
                        .flags = CN_UI_MODAL | CN_UI_NO_MOVE};
}

static void ask(Crafty *crafty)
{
    CnUi *ui = cn_engine_ui(crafty->engine);
    char text[CN_ERROR_MESSAGE_BYTES + 64], loss[128];
    CnUiWindow window = window_of(crafty, "The world could not be saved");
    crafty_saving_text(crafty->play, text, sizeof text);
    crafty_saving_loss(crafty->play, loss, sizeof loss);
    loss[0] = 'W';
    if (cn_ui_begin_window(ui, &window)) {
        cn_ui_text(ui, text);
        cn_ui_text(ui, loss);
        cn_ui_separator(ui);
        if (cn_ui_button(ui, "Try again"))
            try_again(crafty);
        if (cn_ui_button(ui, "Back to the game"))
            stay(crafty);
        if (cn_ui_button(ui, "Leave and lose it"))
            crafty->leave.is_done = crafty->leave.gives_up = true;
    }
    cn_ui_end_window(ui);
}

static void show_saving(Crafty *crafty)
{
    CnUi *ui = cn_engine_ui(crafty->engine);
    CnUiWindow window = window_of(crafty, "Crafty");
    if (cn_ui_begin_window(ui, &window))
        cn_ui_label_colored(ui, cn_ui_theme(ui)->text, CN_ALIGN_CENTER, "Saving ...");
    cn_ui_end_window(ui);
}

void crafty_leave_frame(Crafty *crafty)
{
    CraftyLeave *leave = &crafty->leave;
    uint64_t waited_ns = cn_clock_ns() - leave->begin_ns;
    leave->is_urgent |= crafty_signal_received() != 0;
    crafty_saving_frame(crafty->play);
    if (has_picture(crafty->play) && crafty->play->saving.has_more)
        crafty_saving_now(crafty->play);
    if (crafty_saving_is_done(crafty->play) &&
        (has_picture(crafty->play) || waited_ns > PICTURE_NS)) {
        leave->is_done = true;
        return;
    }
    bool is_late =
        waited_ns > PATIENCE_NS || (crafty->play->saving.is_failing && waited_ns > FAILING_NS);
    if (leave->is_urgent)
        leave->is_done = leave->gives_up = waited_ns > PATIENCE_NS;
    else
        leave->asks |= is_late;
    if (leave->asks)
        ask(crafty);
    else
        show_saving(crafty);
}

/* ---- The end ---- */

/* What the command line says about a world holds for the first one only. */
static void forget_options(CraftyOptions *options)
{
    options->has_camera = options->has_time = options->has_weather = false;
    options->torches = 0;
    options->record = NULL;
}

void crafty_leave_end(Crafty *crafty)
{
    CraftyLeaveTo to = crafty->leave.to;
    if (!crafty->leave.is_done)
        return;
    if (to == CRAFTY_LEAVE_PROGRAM) {
        cn_engine_quit(crafty->engine, 0); /* crafty_run reports what is not saved */
        return;
    }
    if (crafty->leave.gives_up) {
        char loss[128];
        crafty_saving_loss(crafty->play, loss, sizeof loss);
        cn_print_error("%s", loss);
    }
    crafty_play_finish_recording(crafty->play);
    crafty_play_close(crafty);
    forget_options(&crafty->options);
    crafty->leave = (CraftyLeave){0};
}
