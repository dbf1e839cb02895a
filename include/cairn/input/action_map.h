/*
 * Action maps: actions with bindings that a person can change and keep in a file.
 *
 *     static const CnBinding jump[] = {{.control = CN_CONTROL_KEY_OF(CN_KEY_SPACE)}};
 *     static const CnActionDesc descs[] = {
 *         {.name = "jump", .bindings = jump, .binding_count = 1}};
 *
 *     CnError error = {0};
 *     CnActionMap *map = cn_action_map_create(&(CnActionMapDesc){.lists = {{descs, 1}}}, &error);
 *     cn_action_map_read(map, cn_native_files(), "bindings.json", &error);
 *
 *     CnActions actions = {0};
 *     CnInputDevices devices = {0};
 *     cn_action_map_evaluate(map, &devices.input, &devices.gamepads, &actions);
 *
 *     cn_action_map_write(map, cn_native_files(), "bindings.json", &error);
 *     cn_action_map_destroy(map);
 *
 * The program gives the actions and their default bindings; the file replaces the bindings of the
 * actions that it names, and docs/formats.md describes it. Errors in a file have its name, line and
 * column, and leave the map unchanged.
 *
 * A map belongs to the client, not to the simulation: the client evaluates it and sends the result
 * to the simulation as a message (player_actions.h). Bindings may therefore change at any time
 * without affecting recordings. Code in the simulation evaluates only constant lists. If it were to
 * use bindings that can change, each change would have to be a message of a tick.
 *
 * One thread at a time may use a map.
 */
#ifndef CAIRN_INPUT_ACTION_MAP_H
#define CAIRN_INPUT_ACTION_MAP_H

#include <cairn/base/file.h>
#include <cairn/input/action.h>

CN_EXTERN_C_BEGIN

typedef struct CnActionMap CnActionMap;

#define CN_MAX_ACTION_LISTS 4u
#define CN_ACTION_FILE_MAX_BYTES (256u << 10)

typedef struct CnActionMapDesc {
    /* The actions of the program and of parts of the engine, such as cn_controller_actions(), with
     * their default bindings; all names are different. Copied. */
    CnActionList lists[CN_MAX_ACTION_LISTS];
    uint32_t gamepad;       /* default: 1 to CN_GAMEPAD_COUNT; 0: the first one connected */
    CnAllocator *allocator; /* NULL: the system allocator */
} CnActionMapDesc;

/* Returns NULL and an error if a list is wrong or when out of memory. */
CN_API CnActionMap *cn_action_map_create(const CnActionMapDesc *desc, CnError *error);
/* `map` may be NULL. */
CN_API void cn_action_map_destroy(CnActionMap *map);

/* Returns the actions of all lists in order, with their current bindings. Valid as long as the
 * map; names and kinds never change. */
CN_API CnActionList cn_action_map_actions(const CnActionMap *map);
CN_API uint32_t cn_action_map_gamepad(const CnActionMap *map);
/* Selects the gamepad as in CnActionMapDesc. Other numbers are errors. */
CN_API bool cn_action_map_set_gamepad(CnActionMap *map, uint32_t gamepad, CnError *error);

/* Replaces all bindings of an action; `count` may be 0. Returns false and an error, and changes
 * nothing, if there is no such action or a binding does not suit it. */
CN_API bool cn_action_map_bind(CnActionMap *map, const char *name, const CnBinding *bindings,
                               uint32_t count, CnError *error);
/* Restores the default bindings and gamepad. */
CN_API void cn_action_map_reset(CnActionMap *map);

/* cn_actions_evaluate with the actions and the gamepad of the map. */
CN_API void cn_action_map_evaluate(const CnActionMap *map, const CnInputState *input,
                                   const CnGamepadState *gamepads, CnActions *actions);

/* Reads bindings from a file, or from a text; `name` is used in errors. Actions that it does not
 * name get their default bindings. */
CN_API bool cn_action_map_read(CnActionMap *map, CnFileSystem *files, const char *path,
                               CnError *error);
CN_API bool cn_action_map_read_text(CnActionMap *map, const char *name, CnText text,
                                    CnError *error);
/* Writes all bindings in the canonical form: reading it and writing it again yields the same
 * bytes. cn_action_map_write replaces the file atomically; cn_action_map_write_text appends to the
 * builder. */
CN_API bool cn_action_map_write(const CnActionMap *map, CnFileSystem *files, const char *path,
                                CnError *error);
CN_API bool cn_action_map_write_text(const CnActionMap *map, CnTextBuilder *builder,
                                     CnError *error);

CN_EXTERN_C_END

#endif
