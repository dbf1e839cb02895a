/*
 * The program `cairn-decode`: decodes one file in a process that can do nothing else.
 * cairn/vfs/decoder.h describes it, cairn/vfs/decode_job.h what it is sent.
 */
#ifndef CAIRN_SRC_DECODE_PROGRAM_DECODE_PROGRAM_H
#define CAIRN_SRC_DECODE_PROGRAM_DECODE_PROGRAM_H

#include <cairn/vfs/decode_job.h>

#include <cairn/base/file.h>
#include <cairn/base/text.h>

enum { /* exit status */
       DECODE_DONE,
       DECODE_NO_JOB = 2,
       DECODE_NO_SANDBOX
};

/* Gives up everything that decoding does not need. Returns false if the system does not offer it.
 */
bool decode_enter_sandbox(const CnDecodeJob *job);

/* ---- The connection to the engine ---- */

/* Asks for a further file. `answer` has the size, or the error. Returns its contents, mapped; NULL:
 * an error, or empty. */
const void *decode_read_file(const char *path, CnDecodeAnswer *answer);
/* Sends a line for the engine's log. */
void decode_log(uint32_t level, const char *text);
/* The file system of the engine, as far as it lets the helper see it; for reading only. */
CnFileSystem *decode_files(const CnBudget *budget);

/* ---- Results ---- */

/* Writes the result; result->magic is set here. */
void decode_write(CnDecodeResult *result, const void *contents, uint64_t size);

/* Compiles GLSL and writes the SPIR-V, or fills the error. */
void decode_glsl(const CnDecodeJob *job, CnText source, CnDecodeResult *result);

#if CAIRN_DECODE_FAULTS
/* A helper for tests, which misbehaves as the name of the file says. */
void decode_fault(const CnDecodeJob *job);
#endif

#endif
