import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
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
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throwIssue(issues.NO_REGULAR_FILE, { path })
    if (stat.size > most) throwIssue(issues.FILE_TOO_LARGE, { path, most })
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
