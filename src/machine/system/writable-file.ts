import { realpath, stat } from 'node:fs/promises'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { ignoreAbsentPath, localFiles } from './files.ts'

const issues = defineIssues({
  FILE_NOT_WRITABLE: {
    text: (a: { path: string }) => `${a.path} is read-only`,
    hint: (a) => `Run \`chmod u+w ${a.path}\` first.`,
  },
  OUTPUT_NOT_FILE: {
    text: (a: { path: string }) => `Could not write to ${a.path}: it is not a regular file`,
    hint: () => 'Name a file. An existing file is replaced.',
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

/**
 * Checks that a path can be replaced by an output file. A device, such as /dev/null or /dev/stdout, would be replaced by a
 * regular file for all programs. Throws OUTPUT_NOT_FILE.
 */
export async function requireOutputPath(path: string): Promise<void> {
  const found = await ignoreAbsentPath(() => stat(path))
  if (found && !found.isFile()) throwIssue(issues.OUTPUT_NOT_FILE, { path })
}

/** Permission of the owner, the group or others to write a file. */
const writeBits = 0o222
