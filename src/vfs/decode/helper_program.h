/* Where the program `cairn-decode` is. */
#ifndef CAIRN_SRC_VFS_DECODE_HELPER_PROGRAM_H
#define CAIRN_SRC_VFS_DECODE_HELPER_PROGRAM_H

#include <cairn/base/file.h>

/* Finds the program; see cairn/vfs/decoder.h. */
bool cni_vfs_find_decoder(char path[CN_FILE_PATH_BYTES], CnError *error);

#endif
