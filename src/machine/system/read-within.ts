import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { defineIssues, fail } from '../../base/issue.ts'

const issues = defineIssues({
  FILE_TOO_LARGE: { text: (a: { path: string; most: number }) => `${a.path} has more than ${a.most} bytes` },
  NO_REGULAR_FILE: { text: (a: { path: string }) => `${a.path} is not a regular file` },
})

/**
 * The bytes of a file of at most so many, which is looked at before it is read; a link is followed, a pipe or a device is
 * never waited for. Throws FILE_TOO_LARGE, NO_REGULAR_FILE.
 */
export async function readWithin(path: string, most: number): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) fail(issues.NO_REGULAR_FILE, { path })
    if (stat.size > most) fail(issues.FILE_TOO_LARGE, { path, most })
    // It may grow while it is read: one byte more tells.
    const bytes = Buffer.allocUnsafe(stat.size + 1)
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length)
      if (bytesRead === 0) return bytes.subarray(0, length)
      length += bytesRead
    }
    // Files are replaced, never written to: a longer one is another one's work.
    return fail(issues.FILE_TOO_LARGE, { path, most: stat.size })
  } finally {
    await handle.close()
  }
}
