/* Parts of the names of temporary files. */
#ifndef CAIRN_SRC_BASE_FILE_TEMPORARY_NAME_H
#define CAIRN_SRC_BASE_FILE_TEMPORARY_NAME_H

#define CNI_BASE_TEMPORARY_DIGITS 16u

/* Writes random hexadecimal digits from the operating system, which nobody can predict. Files with
 * such names are still created with O_EXCL. Thread-safe. */
void cni_base_temporary_digits(char digits[CNI_BASE_TEMPORARY_DIGITS + 1]);

#endif
