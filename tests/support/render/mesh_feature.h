/* A feature for tests: meshes with their normals as color, into the output. */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_MESH_FEATURE_H
#define CAIRN_TESTS_SUPPORT_RENDER_MESH_FEATURE_H

#include <cairn/render.h>

extern const CnFeatureType mesh_feature; /* "meshes" */

#endif
