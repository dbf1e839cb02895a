/* The form of packed values: a tag, then its data. See bind_message.c. */
#ifndef CAIRN_SRC_SCRIPT_BIND_BIND_MESSAGE_H
#define CAIRN_SRC_SCRIPT_BIND_BIND_MESSAGE_H

#include "script/bind/bind.h"

#define CNI_SCRIPT_MESSAGE_DEPTH 8 /* of nested tables */

typedef enum CniScriptTag {
    CNI_SCRIPT_TAG_NIL,
    CNI_SCRIPT_TAG_FALSE,
    CNI_SCRIPT_TAG_TRUE,
    CNI_SCRIPT_TAG_NUMBER, /* f64 */
    CNI_SCRIPT_TAG_STRING, /* u32 size, bytes */
    CNI_SCRIPT_TAG_FLOATS, /* u8 CniScriptClass, f32 each */
    CNI_SCRIPT_TAG_OBJECT, /* CnEntity */
    CNI_SCRIPT_TAG_TABLE,  /* keys and values in turn, END */
    CNI_SCRIPT_TAG_END
} CniScriptTag;

#endif
