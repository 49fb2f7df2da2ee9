import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'

const issues = defineIssues({
  SECRET_UNREADABLE: {
    text: (a: { path: string; why: string }) => `Could not read the secret in ${a.path}: ${a.why}`,
  },
  SECRET_NOT_SECRET: {
    text: (a: { path: string; mode: string }) => `The file ${a.path} is not protected: its mode is ${a.mode}`,
    hint: (a) =>
      `Run 'chmod 600 ${a.path}' and make the user of the server its owner. Only the owner and the group may have read access.`,
  },
})

/** Largest size of a secret file in bytes; a key of 16384 bits has 13 KiB. */
const maxSecretBytes = 64 * 1024
/** Mode bits that must not be set: any access for others, and write access for the group. */
const tooOpen = 0o027

/** Checks the permissions of a secret file. Throws SECRET_UNREADABLE, SECRET_NOT_SECRET. */
export async function checkSecretFile(path: string): Promise<void> {
  await readSecretFile(path)
}

/**
 * Returns the trimmed text of a secret file; the file may be a link, as in Kubernetes. Throws
 * SECRET_UNREADABLE, SECRET_NOT_SECRET.
 */
export async function readSecretFile(path: string): Promise<string> {
  const failUnreadable = (error: unknown): never =>
    throwIssue(issues.SECRET_UNREADABLE, { path, why: formatError(error) })
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(failUnreadable)
  try {
    const status = await file.stat().catch(failUnreadable)
    if (!status.isFile()) failUnreadable('it is not a regular file')
    if ((status.mode & tooOpen) !== 0)
      throwIssue(issues.SECRET_NOT_SECRET, { path, mode: (status.mode & 0o777).toString(8).padStart(4, '0') })
    if (status.size > maxSecretBytes) failUnreadable(`it exceeds ${maxSecretBytes} bytes`)
    const text = (await file.readFile('utf8').catch(failUnreadable)).trim()
    return text === '' ? failUnreadable('it is empty') : text
  } finally {
    await file.close()
  }
}
