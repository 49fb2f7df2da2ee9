import { getSystemErrorCode } from '../../base/system-error.ts'

/** Error numbers of WASI preview 1 that file functions return. */
export const errno = {
  success: 0,
  acces: 2,
  badf: 8,
  busy: 10,
  dquot: 19,
  exist: 20,
  fbig: 22,
  inval: 28,
  io: 29,
  isdir: 31,
  loop: 32,
  mfile: 33,
  mlink: 34,
  nametoolong: 37,
  nfile: 41,
  nodev: 43,
  noent: 44,
  nomem: 48,
  nospc: 51,
  notdir: 54,
  notempty: 55,
  notsup: 58,
  nxio: 60,
  perm: 63,
  pipe: 64,
  rofs: 69,
  spipe: 70,
  stale: 72,
  txtbsy: 74,
  xdev: 75,
} as const

const numbers: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(errno).map(([name, number]) => [`E${name.toUpperCase()}`, number]),
)

/** Returns the number of an operating system error; rethrows any other error. */
export function toErrno(error: unknown): number {
  const code = getSystemErrorCode(error)
  if (code === undefined || !code.startsWith('E')) throw error
  return numbers[code] ?? errno.io
}

/** An operating system error, for our own disks. */
export class DiskError extends Error {
  readonly code: string

  constructor(name: keyof typeof errno) {
    super(name)
    this.code = `E${name.toUpperCase()}`
  }
}
