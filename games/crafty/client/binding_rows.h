/*
 * The rows of the list of bindings: what a person can bind one control to. A button has one row; an
 * axis has a row for each direction ("Move forward") and one for sticks and the wheel ("Move with
 * stick"). Each row has controls in two columns: keyboard and mouse, and gamepad.
 *
 *     CraftyBindingRow rows[CRAFTY_MAX_BINDING_ROWS];
 *     uint32_t count = crafty_binding_rows(cn_action_map_actions(map), rows);
 *     crafty_binding_set(map, &rows[0], CRAFTY_COLUMN_KEYBOARD, &control, &error);
 */
#ifndef CRAFTY_CLIENT_BINDING_ROWS_H
#define CRAFTY_CLIENT_BINDING_ROWS_H

#include "client_actions.h"

#define CRAFTY_MAX_BINDING_ROWS 128u
#define CRAFTY_MAX_ROW_CONTROLS 4u /* shown of a row and column */

typedef enum CraftyRowPart {
    CRAFTY_ROW_BUTTON,
    CRAFTY_ROW_POSITIVE, /* of an axis: right, up, next */
    CRAFTY_ROW_NEGATIVE,
    CRAFTY_ROW_ANALOG /* sticks, wheel: both directions, and both components of two axes */
} CraftyRowPart;

typedef enum CraftySection {
    CRAFTY_SECTION_MOVEMENT,
    CRAFTY_SECTION_HANDS,
    CRAFTY_SECTION_INTERFACE,
    CRAFTY_SECTION_COUNT
} CraftySection;

typedef enum CraftyColumn {
    CRAFTY_COLUMN_KEYBOARD, /* and mouse */
    CRAFTY_COLUMN_GAMEPAD,
    CRAFTY_COLUMN_COUNT
} CraftyColumn;

typedef struct CraftyBindingRow {
    uint32_t action; /* position in the list */
    uint32_t component;
    CraftyRowPart part;
    CraftySection section;
    char title[48];
} CraftyBindingRow;

/* A control as a person operates it. */
typedef struct CraftyRowControl {
    CnControl control; /* CN_CONTROL_NONE: none */
    bool is_negative;  /* a stick to the left or up */
} CraftyRowControl;

/* Fills in the rows of the actions, in order of the sections. Actions that follow others, such as
 * capturing the mouse, have none. Returns the number of rows. */
uint32_t crafty_binding_rows(CnActionList list, CraftyBindingRow rows[CRAFTY_MAX_BINDING_ROWS]);
/* Stores the controls of a row in a column. Returns their number. */
uint32_t crafty_binding_controls(CnActionList list, const CraftyBindingRow *row,
                                 CraftyColumn column,
                                 CraftyRowControl controls[CRAFTY_MAX_ROW_CONTROLS]);
/* Replaces the controls of a row in a column by one, or by none. Returns false and an error, and
 * changes nothing, if the control does not suit the row. */
bool crafty_binding_set(CnActionMap *map, const CraftyBindingRow *row, CraftyColumn column,
                        CraftyRowControl control, CnError *error);
/* Restores the default bindings of the row's action. */
bool crafty_binding_reset(CnActionMap *map, const CraftyBindingRow *row, CnError *error);
/* Returns whether the row's action has its default bindings. */
bool crafty_binding_is_default(CnActionList list, const CraftyBindingRow *row);
/* Returns the first other row with the same control in this column, or UINT32_MAX. Actions that
 * share controls on purpose, such as jumping and flying up, do not conflict. */
uint32_t crafty_binding_conflict(CnActionList list, const CraftyBindingRow *rows, uint32_t count,
                                 uint32_t row, CraftyColumn column);

#endif
