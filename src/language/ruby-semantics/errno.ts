import { PuppetError } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'

/** Messages for system error codes in the words of Ruby's Errno, which Puppet logs. */
const words: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EBUSY: 'Device or resource busy',
  EEXIST: 'File exists',
  EISDIR: 'Is a directory',
  ELOOP: 'Too many levels of symbolic links',
  ENAMETOOLONG: 'File name too long',
  ENOENT: 'No such file or directory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  ENOTEMPTY: 'Directory not empty',
  EPERM: 'Operation not permitted',
  EROFS: 'Read-only file system',
  ECONNREFUSED: 'Connection refused',
}

/**
 * Text of any thrown value: a PuppetError with its location, a system error in the words of Ruby's Errno, or the
 * message of another error.
 */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { path } = error as NodeJS.ErrnoException
  const known = words[getSystemErrorCode(error) ?? '']
  if (known === undefined) return error.message
  return path === undefined ? known : `${known} - ${path}`
}

/** Text of any thrown value without its location. */
export function formatErrorReason(error: unknown): string {
  if (error instanceof PuppetError) return error.diagnostic.message
  return words[getSystemErrorCode(error) ?? ''] ?? formatError(error)
}
