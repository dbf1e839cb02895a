/* Errors of changed files, by what they are about. */
#include "engine/standing_errors.h"

#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <string.h>

static uint32_t find(const CniEngineStandingErrors *errors, CniEngineErrorKind kind,
                     const char *name)
{
    uint32_t i = 0;
    while (i < errors->count &&
           (errors->items[i].kind != kind || strcmp(errors->items[i].name, name) != 0))
        i++;
    return i;
}

bool cni_engine_error_stands(const CniEngineStandingErrors *errors, CniEngineErrorKind kind,
                             const char *name)
{
    return find(errors, kind, name) < errors->count;
}

bool cni_engine_error_is_same(const CnError *a, const CnError *b)
{
    return a->code == b->code && a->line == b->line && a->column == b->column &&
           !strcmp(a->file, b->file) && !strcmp(a->message, b->message);
}

static void log_error(CniEngineErrorKind kind, const CnError *error)
{
    static const char *const kept[] = {[CNI_ENGINE_ERROR_SCENE] = "the scene stays as it was",
                                       [CNI_ENGINE_ERROR_MATERIALS] = "materials stay as they were",
                                       [CNI_ENGINE_ERROR_FILE] = "the old version stays in use"};
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    CN_LOG_ERROR("engine", "%s; %s", cn_error_text(error, text, sizeof text), kept[kind]);
}

void cni_engine_error_note(CniEngineStandingErrors *errors, CniEngineErrorKind kind,
                           const char *name, const CnError *error)
{
    uint32_t at = find(errors, kind, name);
    bool is_known = at < errors->count;
    if (!error || error->code == CN_OK) {
        if (is_known)
            errors->items[at] = errors->items[--errors->count];
        return;
    }
    if (is_known && cni_engine_error_is_same(&errors->items[at].error, error))
        return;
    log_error(kind, error);
    if (!is_known && !cn_array_push(errors, (CniEngineStandingError){.kind = kind}))
        return; /* out of memory: it was logged */
    CniEngineStandingError *entry = &errors->items[at];
    cn_copy_text(entry->name, sizeof entry->name, cn_text(name));
    entry->error = *error;
}
