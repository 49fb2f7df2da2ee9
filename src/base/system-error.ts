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

/** An error's message; one of the operating system in the words of Ruby's Errno, as Puppet's logs have it. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, path } = error as NodeJS.ErrnoException
  const known = code === undefined ? undefined : words[code]
  if (known === undefined) return error.message
  return path === undefined ? known : `${known} - ${path}`
}
