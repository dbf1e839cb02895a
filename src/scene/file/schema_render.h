/* The parts of the schema that belong to the renderer, a higher module: materials and pipelines.
 * A test of render compares them with what it reads. */
#ifndef CAIRN_SRC_SCENE_FILE_SCHEMA_RENDER_H
#define CAIRN_SRC_SCENE_FILE_SCHEMA_RENDER_H

#define CNI_SCENE_SCHEMA_NAME "{ \"type\": \"string\", \"minLength\": 1, \"maxLength\": 63 }"
#define CNI_SCENE_SCHEMA_UNIT "{ \"type\": \"number\", \"minimum\": 0, \"maximum\": 1 }"
#define CNI_SCENE_SCHEMA_NUMBERS(least, most)                                                      \
    "{ \"type\": \"array\", \"items\": { \"type\": \"number\" }, \"minItems\": " least             \
    ", \"maxItems\": " most " }"
#define CNI_SCENE_SCHEMA_TEXTURE                                                                   \
    "{ \"description\": \"a PNG, JPEG or WebP\", \"type\": \"string\" }"
#define CNI_SCENE_SCHEMA_FLAG "{ \"type\": \"boolean\" }"
#define CNI_SCENE_SCHEMA_COLOR CNI_SCENE_SCHEMA_NUMBERS("3", "4")
#define CNI_SCENE_SCHEMA_VECTOR3 CNI_SCENE_SCHEMA_NUMBERS("3", "3")
#define CNI_SCENE_SCHEMA_VECTOR2 CNI_SCENE_SCHEMA_NUMBERS("2", "2")

#define CNI_SCENE_SCHEMA_MATERIALS                                                                 \
    "{ \"type\": \"array\", \"items\": { \"type\": \"object\", \"required\": [\"id\"],"            \
    " \"additionalProperties\": false, \"properties\": {"                                          \
    " \"id\": " CNI_SCENE_SCHEMA_NAME ", \"baseColor\": " CNI_SCENE_SCHEMA_COLOR                   \
    ", \"metallic\": " CNI_SCENE_SCHEMA_UNIT ", \"roughness\": " CNI_SCENE_SCHEMA_UNIT             \
    ", \"emissive\": " CNI_SCENE_SCHEMA_VECTOR3                                                    \
    ", \"normalScale\": { \"type\": \"number\", \"minimum\": -100, \"maximum\": 100 }"             \
    ", \"alphaMode\": { \"enum\": [\"Opaque\", \"Mask\", \"Blend\"] }"                             \
    ", \"alphaCutoff\": " CNI_SCENE_SCHEMA_UNIT ", \"doubleSided\": " CNI_SCENE_SCHEMA_FLAG        \
    ", \"unlit\": " CNI_SCENE_SCHEMA_FLAG ", \"uvScale\": " CNI_SCENE_SCHEMA_VECTOR2               \
    ", \"baseColorTexture\": " CNI_SCENE_SCHEMA_TEXTURE                                            \
    ", \"metallicRoughnessTexture\": " CNI_SCENE_SCHEMA_TEXTURE                                    \
    ", \"normalTexture\": " CNI_SCENE_SCHEMA_TEXTURE                                               \
    ", \"occlusionTexture\": " CNI_SCENE_SCHEMA_TEXTURE                                            \
    ", \"emissiveTexture\": " CNI_SCENE_SCHEMA_TEXTURE ", \"pipeline\": " CNI_SCENE_SCHEMA_NAME    \
    " } } }"

#define CNI_SCENE_SCHEMA_PIPELINES                                                                 \
    "{ \"type\": \"array\", \"items\": { \"type\": \"object\","                                    \
    " \"required\": [\"id\", \"surface\"],"                                                        \
    " \"additionalProperties\": false, \"properties\": { \"id\": " CNI_SCENE_SCHEMA_NAME           \
    ", \"surface\": { \"description\": \"a GLSL file\", \"type\": \"string\" }"                    \
    ", \"cull\": { \"enum\": [\"None\", \"Back\", \"Front\"] }"                                    \
    ", \"blend\": { \"enum\": [\"None\", \"Alpha\", \"Premultiplied\", \"Add\"] }"                 \
    ", \"depthWrite\": " CNI_SCENE_SCHEMA_FLAG " } } }"

#endif
