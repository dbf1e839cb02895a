/* A list of errors that stand until what they are about is read without an error. */
#ifndef CAIRN_SRC_ENGINE_STANDING_ERRORS_H
#define CAIRN_SRC_ENGINE_STANDING_ERRORS_H

#include <cairn/base/array.h>
#include <cairn/base/error.h>
#include <cairn/vfs.h>

typedef enum CniEngineErrorKind {
    CNI_ENGINE_ERROR_SCENE,     /* by the name of the scene */
    CNI_ENGINE_ERROR_MATERIALS, /* by the name of the scene */
    CNI_ENGINE_ERROR_FILE       /* by its path */
} CniEngineErrorKind;

typedef struct CniEngineStandingError {
    CniEngineErrorKind kind;
    char name[CN_VFS_PATH_BYTES];
    CnError error;
} CniEngineStandingError;

typedef CN_ARRAY(CniEngineStandingError) CniEngineStandingErrors;

/* Stores and logs an error, unless the same one stands already; NULL or CN_OK removes it. */
void cni_engine_error_note(CniEngineStandingErrors *errors, CniEngineErrorKind kind,
                           const char *name, const CnError *error);
bool cni_engine_error_stands(const CniEngineStandingErrors *errors, CniEngineErrorKind kind,
                             const char *name);
/* Returns whether both say the same of the same place. */
bool cni_engine_error_is_same(const CnError *a, const CnError *b);

#endif
