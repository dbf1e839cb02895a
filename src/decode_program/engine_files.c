/* The connection to the engine: further files, and lines for its log. */
#include "decode_program/decode_program.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static bool ask(CnDecodeQuestionKind kind, uint32_t level, const char *text)
{
    CnDecodeQuestion question = {.kind = kind, .level = level};
    if (!cn_copy_text(question.text, sizeof question.text, cn_text(text)) && kind == CN_DECODE_READ)
        return false; /* too long; a line for the log is cut */
    return send(CN_DECODE_SOCKET, &question, sizeof question, MSG_NOSIGNAL) == sizeof question;
}

void decode_log(uint32_t level, const char *text)
{
    ask(CN_DECODE_LOG, level, text);
}

/* Returns the received descriptor; -1: none. */
static int receive(CnDecodeAnswer *answer)
{
    struct iovec part = {answer, sizeof *answer};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    int descriptor = -1;
    if (recvmsg(CN_DECODE_SOCKET, &message, 0) != sizeof *answer) {
        *answer = (CnDecodeAnswer){.code = CN_ERROR_IO};
        return -1;
    }
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS)
        memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}

const void *decode_read_file(const char *path, CnDecodeAnswer *answer)
{
    *answer = (CnDecodeAnswer){.code = CN_ERROR_LIMIT};
    if (!ask(CN_DECODE_READ, 0, path))
        return NULL;
    int descriptor = receive(answer);
    void *mapped = MAP_FAILED;
    if (descriptor >= 0) {
        mapped = mmap(NULL, (size_t)answer->size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        close(descriptor);
        if (mapped == MAP_FAILED)
            *answer = (CnDecodeAnswer){.code = CN_ERROR_MEMORY};
    }
    return mapped == MAP_FAILED ? NULL : mapped;
}

/* ---- File system ---- */

typedef struct EngineFiles {
    CnFileSystem functions;
    const CnBudget *budget;
    /* The file of the last question: it is asked for its size first and then read. */
    char path[CN_DECODE_TEXT_BYTES];
    const void *bytes;
    CnDecodeAnswer answer;
} EngineFiles;

static bool find(EngineFiles *files, const char *path, CnError *error)
{
    if (strcmp(files->path, path) != 0) {
        if (files->bytes)
            munmap((void *)(uintptr_t)files->bytes, (size_t)files->answer.size);
        files->bytes = decode_read_file(path, &files->answer);
        if (!cn_copy_text(files->path, sizeof files->path, cn_text(path)))
            files->path[0] = 0;
    }
    return files->answer.code == CN_OK ||
           cn_error_set(error, (CnErrorCode)files->answer.code, "%s",
                        files->answer.text[0] ? files->answer.text : "the file cannot be read");
}

static bool file_info(CnFileSystem *fs, const char *path, CnFileInfo *info, CnError *error)
{
    EngineFiles *files = (EngineFiles *)fs;
    if (!find(files, path, error))
        return false;
    *info = (CnFileInfo){.size_bytes = files->answer.size};
    return true;
}

static bool file_open(CnFileSystem *fs, const char *path, CnFileMode mode, CnFile **file,
                      CnError *error)
{
    if (mode != CN_FILE_READ)
        return cn_error_set(error, CN_ERROR_PERMISSION, "files are read-only");
    *file = (CnFile *)fs;
    return find((EngineFiles *)fs, path, error);
}

static void file_close(CnFileSystem *fs, CnFile *file)
{
    (void)fs, (void)file;
}

static bool file_read(CnFileSystem *fs, CnFile *file, uint64_t offset, void *bytes, size_t size,
                      size_t *done, CnError *error)
{
    (void)file, (void)error;
    const EngineFiles *files = (EngineFiles *)fs;
    uint64_t left = offset < files->answer.size ? files->answer.size - offset : 0;
    *done = size < left ? size : (size_t)left;
    if (*done)
        memcpy(bytes, (const uint8_t *)files->bytes + offset, *done);
    return true;
}

static const CnBudget *file_budget(CnFileSystem *fs, CnFile *file)
{
    (void)file;
    return ((EngineFiles *)fs)->budget;
}

CnFileSystem *decode_files(const CnBudget *budget)
{
    static EngineFiles files = {.functions = {.open = file_open,
                                              .close = file_close,
                                              .read = file_read,
                                              .info = file_info,
                                              .budget = file_budget}};
    files.budget = budget;
    return &files.functions;
}
