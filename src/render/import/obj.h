/* Declarations shared by the files that read Wavefront OBJ. */
#ifndef CAIRN_SRC_RENDER_IMPORT_OBJ_H
#define CAIRN_SRC_RENDER_IMPORT_OBJ_H

#include "render/import/import.h"

/* ---- Lines ---- */

typedef struct CniRenderObjLine {
    const char *at, *end;
} CniRenderObjLine;

/* Takes the next line, without its end and without blanks around it. Lines that end in a backslash
 * are not joined. Returns false at the end of the text. */
bool cni_render_obj_line(CnText *text, CniRenderObjLine *line);
/* Takes the next word of a line; empty at its end. */
CnText cni_render_obj_word(CniRenderObjLine *line);
/* Returns the rest of the line, which may contain blanks. */
CnText cni_render_obj_rest(CniRenderObjLine *line);
/* Takes a number. Returns false, and takes nothing, if there is none. */
bool cni_render_obj_float(CniRenderObjLine *line, float *value);

/* ---- Materials ---- */

typedef struct CniRenderObjMaterials {
    CnHashMap by_name; /* hash of the name: index + 1 in data->materials */
} CniRenderObjMaterials;

/* Reads a material library. A library that cannot be read is skipped with a warning. */
bool cni_render_obj_read_library(CniRenderImport *import, CnText name,
                                 CniRenderObjMaterials *materials);
/* Returns the index + 1 of a material; 0: not known. */
uint32_t cni_render_obj_find_material(const CniRenderObjMaterials *materials, CnText name);

#endif
