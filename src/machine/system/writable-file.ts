import { realpath, stat } from 'node:fs/promises'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { localFiles } from './files.ts'

const issues = defineIssues({
  FILE_NOT_WRITABLE: {
    text: (a: { path: string }) => `${a.path} is read-only`,
    hint: (a) => `Run \`chmod u+w ${a.path}\` first.`,
  },
})

/**
 * Replaces a file atomically. A symbolic link keeps leading to the file. Throws FILE_NOT_WRITABLE if nobody may write the
 * file.
 */
export async function replaceWritableFile(path: string, text: string): Promise<void> {
  const file = await realpath(path)
  const { mode } = await stat(file)
  if ((mode & writeBits) === 0) throwIssue(issues.FILE_NOT_WRITABLE, { path })
  await localFiles.replace(file, text, {})
}

/** Permission of the owner, the group or others to write a file. */
const writeBits = 0o222
