import { posix } from 'node:path'
import { DiskError } from './errno.ts'
import type { GuestFiles } from './guest-files.ts'

const isWindows = process.platform === 'win32'

/** Kinds of files on a disk. */
export type DiskKind = 'file' | 'directory' | 'link' | 'block' | 'character' | 'fifo' | 'socket'

/** The status of a path, limited to the fields of WASI. Times are nanoseconds since 1970. */
export interface DiskStatus {
  readonly kind: DiskKind
  readonly size: number
  readonly device: bigint
  readonly inode: bigint
  readonly links: bigint
  readonly accessed: bigint
  readonly modified: bigint
  readonly changed: bigint
}

/** Options for opening a file. */
export interface OpenOptions {
  readonly reads: boolean
  readonly writes: boolean
  readonly appends: boolean
  readonly creates: boolean
  readonly excludes: boolean
  readonly truncates: boolean
  readonly follows: boolean
}

/** An open file. */
export interface DiskFile {
  /** False for pipes and other files without positions. */
  readonly isSeekable: boolean
  read(into: Uint8Array, at: number): number
  write(bytes: Uint8Array, at: number): number
  status(): DiskStatus
  truncate(size: number): void
  setTimes(accessed: bigint, modified: bigint): void
  sync(): void
  close(): void
}

/**
 * Files that Ruby reads and changes, by paths without leading `/`, which may contain `..`. Errors
 * have a code of the operating system.
 */
export interface Disk {
  /** Returns the status of a path; `undefined` if it does not exist. */
  status(path: string, follows: boolean): DiskStatus | undefined
  open(path: string, wishes: OpenOptions): DiskFile
  list(path: string): readonly string[]
  makeDirectory(path: string): void
  removeDirectory(path: string): void
  removeFile(path: string): void
  rename(from: string, to: string): void
  link(from: string, to: string): void
  symlink(target: string, path: string): void
  readLink(path: string): string
  setTimes(path: string, accessed: bigint, modified: bigint, follows: boolean): void
}

/** Returns a disk on which Ruby may only read and list files; all other operations fail. */
export function createReadOnlyDisk(files: GuestFiles): Disk {
  const getStatus = (path: string) => {
    const entry = files.entry(normalizeDiskPath(path))
    return entry && createDiskStatus(entry.kind, entry.size)
  }
  return {
    ...refusals,
    status: getStatus,
    open(path, { writes, creates, truncates }) {
      if (writes || creates || truncates) throw new DiskError('rofs')
      const bytes = files.read(normalizeDiskPath(path))
      if (!bytes) throw new DiskError('noent')
      return createMemoryFile(bytes)
    },
    list: (path) => files.list(normalizeDiskPath(path)),
  }
}

/** Returns a disk with other disks mounted at some of its folders, such as `ruby`. */
export function createOverlayDisk(disk: Disk, mounts: Readonly<Record<string, Disk>>): Disk {
  const resolveMount = (path: string): [Disk, string] => {
    const tidied = normalizeDiskPath(path)
    for (const [place, mount] of Object.entries(mounts)) {
      if (tidied === place) return [mount, '']
      if (tidied.startsWith(`${place}/`)) return [mount, tidied.slice(place.length + 1)]
    }
    return [disk, path]
  }
  const resolveSameDisk = (from: string, to: string): [Disk, string, string] => {
    const [one, start] = resolveMount(from)
    const [other, end] = resolveMount(to)
    if (one !== other) throw new DiskError('xdev')
    return [one, start, end]
  }
  const isMountAncestor = (path: string) =>
    Object.keys(mounts).some((place) => path === '' || place.startsWith(`${path}/`))
  const runOnMount = <Result>(path: string, work: (disk: Disk, path: string) => Result): Result =>
    work(...resolveMount(path))
  return {
    status: (path, follows) =>
      runOnMount(path, (each, rest) => each.status(rest, follows)) ??
      (isMountAncestor(normalizeDiskPath(path)) ? createDiskStatus('directory', 0) : undefined),
    open: (path, wishes) => runOnMount(path, (each, rest) => each.open(rest, wishes)),
    list: (path) => runOnMount(path, (each, rest) => each.list(rest)),
    makeDirectory: (path) => runOnMount(path, (each, rest) => each.makeDirectory(rest)),
    removeDirectory: (path) => runOnMount(path, (each, rest) => each.removeDirectory(rest)),
    removeFile: (path) => runOnMount(path, (each, rest) => each.removeFile(rest)),
    rename(from, to) {
      const [each, start, end] = resolveSameDisk(from, to)
      each.rename(start, end)
    },
    link(from, to) {
      const [each, start, end] = resolveSameDisk(from, to)
      each.link(start, end)
    },
    symlink: (target, path) => runOnMount(path, (each, rest) => each.symlink(target, rest)),
    readLink: (path) => runOnMount(path, (each, rest) => each.readLink(rest)),
    setTimes: (path, accessed, modified, follows) =>
      runOnMount(path, (each, rest) => each.setTimes(rest, accessed, modified, follows)),
  }
}

/** Normalizes the path of a file on a disk; `..` does not leave the root. */
export function normalizeDiskPath(path: string): string {
  return posix.normalize(`/${path}`).replace(/^\/|\/$/g, '')
}

/**
 * The path of this machine for a path of a disk. On Windows, it begins at the last drive letter: for Ruby, `C:/x` is a
 * relative path, which it appends to its working directory.
 */
export function toSystemPath(path: string, onWindows: boolean = isWindows): string {
  if (!onWindows) return `/${path}`
  const slashes = toRubyPath(path, true)
  const drive = /^(?:.*\/)?([a-z]:)(\/.*)?$/is.exec(slashes)
  return drive ? `${drive[1]}${drive[2] ?? '/'}` : `/${slashes}`
}

/** A path of this machine as Ruby writes it: with slashes on Windows. */
export function toRubyPath(path: string, onWindows: boolean = isWindows): string {
  return onWindows ? path.replaceAll('\\', '/') : path
}

function throwReadOnly(): never {
  throw new DiskError('rofs')
}

const refusals = {
  makeDirectory: throwReadOnly,
  removeDirectory: throwReadOnly,
  removeFile: throwReadOnly,
  rename: throwReadOnly,
  link: throwReadOnly,
  symlink: throwReadOnly,
  setTimes: throwReadOnly,
  readLink(): never {
    throw new DiskError('inval')
  },
}

/** The status of a file on a disk without inodes and times. */
export function createDiskStatus(kind: DiskKind, size: number): DiskStatus {
  return { kind, size, device: 0n, inode: 0n, links: 1n, accessed: 0n, modified: 0n, changed: 0n }
}

function createMemoryFile(bytes: Uint8Array): DiskFile {
  return {
    isSeekable: true,
    read(into, at) {
      const part = bytes.subarray(at, at + into.length)
      into.set(part)
      return part.length
    },
    write: throwReadOnly,
    status: () => createDiskStatus('file', bytes.length),
    truncate: throwReadOnly,
    setTimes: throwReadOnly,
    sync() {},
    close() {},
  }
}
