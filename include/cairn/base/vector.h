/* Plain vector types, used by components, files and the interfaces between modules. */
#ifndef CAIRN_BASE_VECTOR_H
#define CAIRN_BASE_VECTOR_H

typedef struct CnVec2 {
    float x, y;
} CnVec2;

typedef struct CnVec3 {
    float x, y, z;
} CnVec3;

typedef struct CnVec4 {
    float x, y, z, w;
} CnVec4;

/* A rotation; (0, 0, 0, 1) is the identity. */
typedef struct CnQuat {
    float x, y, z, w;
} CnQuat;

/* Column-major: m[column * 4 + row]. */
typedef struct CnMat4 {
    float m[16];
} CnMat4;

#endif
