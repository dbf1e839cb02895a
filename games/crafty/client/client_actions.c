#include "client_actions.h"

#include <string.h>

#define KEY(key) CN_CONTROL_KEY_OF(CN_KEY_##key)
#define BUTTON(button) CN_CONTROL_GAMEPAD_BUTTON_OF(CN_GAMEPAD_##button)
#define BINDINGS(list) .bindings = (list), .binding_count = CN_COUNT_OF(list)

static const CnBinding menu[] = {{.control = KEY(ESCAPE)}, {.control = BUTTON(START)}};
static const CnBinding inventory[] = {
    {.control = KEY(E)}, {.control = KEY(B)}, {.control = BUTTON(Y)}};
static const CnBinding chat[] = {{.control = KEY(T)}, {.control = BUTTON(BACK)}};
static const CnBinding chat_command[] = {{.control = KEY(SLASH)}};
static const CnBinding change_view[] = {{.control = KEY(F5)}, {.control = BUTTON(UP)}};
static const CnBinding hide[] = {{.control = KEY(F1)}};
static const CnBinding settings[] = {{.control = KEY(F4)}};
static const CnBinding overlay[] = {{.control = KEY(F3)}};
static const CnBinding screenshot[] = {{.control = KEY(F2)}};
static const CnBinding fullscreen[] = {{.control = KEY(F11)}};

static const CnActionDesc actions[CRAFTY_CLIENT_ACTION_COUNT] = {
    [CRAFTY_CLIENT_MENU] = {.name = "menu", BINDINGS(menu)},
    [CRAFTY_CLIENT_INVENTORY] = {.name = "inventory", BINDINGS(inventory)},
    [CRAFTY_CLIENT_CHAT] = {.name = "chat", BINDINGS(chat)},
    [CRAFTY_CLIENT_COMMAND] = {.name = "chat_command", BINDINGS(chat_command)},
    [CRAFTY_CLIENT_VIEW] = {.name = "change_view", BINDINGS(change_view)},
    [CRAFTY_CLIENT_HIDE] = {.name = "hide_interface", BINDINGS(hide)},
    [CRAFTY_CLIENT_SETTINGS] = {.name = "settings", BINDINGS(settings)},
    [CRAFTY_CLIENT_OVERLAY] = {.name = "debug_info", BINDINGS(overlay)},
    [CRAFTY_CLIENT_SCREENSHOT] = {.name = "screenshot", BINDINGS(screenshot)},
    [CRAFTY_CLIENT_FULLSCREEN] = {.name = "fullscreen", BINDINGS(fullscreen)},
};

CnActionList crafty_client_actions(void)
{
    return (CnActionList){actions, CN_COUNT_OF(actions)};
}

const char *crafty_action_title(const char *name)
{
    static const char *const titles[][2] = {
        {"move", "Move"},
        {"look", "Look"},
        {"look_rate", "Look"},
        {"rise", "Fly up and down"},
        {"fast", "Sprint"},
        {"slow", "Sneak"},
        {"jump", "Jump"},
        {"toggle_fly", "Toggle flying"},
        {"break_block", "Break or hit"},
        {"place_block", "Place or use"},
        {"pick_block", "Pick block"},
        {"drop_item", "Drop item"},
        {"undo", "Undo (creative)"},
        {"redo", "Redo (creative)"},
        {"next_slot", "Change slot"},
        {"slot_1", "Slot 1"},
        {"slot_2", "Slot 2"},
        {"slot_3", "Slot 3"},
        {"slot_4", "Slot 4"},
        {"slot_5", "Slot 5"},
        {"slot_6", "Slot 6"},
        {"slot_7", "Slot 7"},
        {"slot_8", "Slot 8"},
        {"slot_9", "Slot 9"},
        {"menu", "Menu"},
        {"inventory", "Inventory"},
        {"chat", "Chat"},
        {"chat_command", "Command line"},
        {"change_view", "Change view"},
        {"hide_interface", "Hide interface"},
        {"settings", "Settings"},
        {"debug_info", "Debug information"},
        {"screenshot", "Screenshot"},
        {"fullscreen", "Fullscreen"},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(titles); i++)
        if (!strcmp(titles[i][0], name))
            return titles[i][1];
    return name;
}
