import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { defineIssues, throwIssue } from '../../base/issue.ts'

const issues = defineIssues({
  FILE_TOO_LARGE: { text: (a: { path: string; most: number }) => `${a.path} exceeds ${a.most} bytes` },
  NO_REGULAR_FILE: { text: (a: { path: string }) => `${a.path} is not a regular file` },
})

/**
 * Reads a regular file of at most `most` bytes; the size is checked first. Follows a symbolic link,
 * and never blocks on a pipe or device. Throws FILE_TOO_LARGE, NO_REGULAR_FILE.
 */
export async function readBoundedFile(path: string, most: number): Promise<Buffer> {
  return readOpenFile(await open(path, constants.O_RDONLY | constants.O_NONBLOCK), path, most)
}

/** Reads an open file like `readBoundedFile`, and closes it. Throws FILE_TOO_LARGE, NO_REGULAR_FILE. */
export async function readOpenFile(handle: FileHandle, path: string, most: number): Promise<Buffer> {
  try {
    const stat = await handle.stat()
    checkFile(stat, path, most)
    // One additional byte shows if the file grew while it was read.
    const bytes = Buffer.allocUnsafe(stat.size + 1)
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length)
      if (bytesRead === 0) return bytes.subarray(0, length)
      length += bytesRead
    }
    // This program replaces files instead of writing to them, so another program has appended to
    // this file.
    return throwIssue(issues.FILE_TOO_LARGE, { path, most: stat.size })
  } finally {
    await handle.close()
  }
}

/**
 * Reads like `readBoundedFile`, but blocks; for a command that reads many small files. Throws FILE_TOO_LARGE,
 * NO_REGULAR_FILE.
 */
export function readBoundedFileSync(path: string, most: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    checkFile(stat, path, most)
    const bytes = Buffer.allocUnsafe(stat.size + 1)
    let length = 0
    while (length < bytes.length) {
      const bytesRead = readSync(file, bytes, length, bytes.length - length, null)
      if (bytesRead === 0) return bytes.subarray(0, length)
      length += bytesRead
    }
    return throwIssue(issues.FILE_TOO_LARGE, { path, most: stat.size })
  } finally {
    closeSync(file)
  }
}

function checkFile(stat: Stats, path: string, most: number): void {
  if (!stat.isFile()) throwIssue(issues.NO_REGULAR_FILE, { path })
  if (stat.size > most) throwIssue(issues.FILE_TOO_LARGE, { path, most })
}
