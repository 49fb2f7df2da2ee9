import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { type Disk, type DiskFile, type DiskKind, type DiskStatus, type OpenOptions, toSystemPath } from './disk.ts'

/** Returns the files of this machine; with `root`, those below a folder. */
export function createMachineDisk(root = ''): Disk {
  const toPath = (path: string) => (root === '' ? toSystemPath(path) : `${root}/${path}`)
  return {
    status: (path, follows) => findStatus(() => (follows ? statSync : lstatSync)(toPath(path), { bigint: true })),
    open: (path, wishes) => wrapDescriptor(openSync(toPath(path), toOpenFlags(wishes), 0o666)),
    list: (path) => readdirSync(toPath(path)),
    makeDirectory: (path) => mkdirSync(toPath(path)),
    removeDirectory: (path) => rmdirSync(toPath(path)),
    removeFile: (path) => unlinkSync(toPath(path)),
    rename: (from, to) => renameSync(toPath(from), toPath(to)),
    link: (from, to) => linkSync(toPath(from), toPath(to)),
    symlink: (target, path) => symlinkSync(target, toPath(path)),
    readLink: (path) => readlinkSync(toPath(path)),
    setTimes: (path, accessed, modified, follows) =>
      (follows ? utimesSync : lutimesSync)(toPath(path), toSeconds(accessed), toSeconds(modified)),
  }
}

function toOpenFlags({ reads, writes, appends, creates, excludes, truncates, follows }: OpenOptions): number {
  const access = writes ? (reads ? constants.O_RDWR : constants.O_WRONLY) : constants.O_RDONLY
  return (
    access |
    (appends ? constants.O_APPEND : 0) |
    (creates ? constants.O_CREAT : 0) |
    (excludes ? constants.O_EXCL : 0) |
    (truncates ? constants.O_TRUNC : 0) |
    (follows ? 0 : constants.O_NOFOLLOW)
  )
}

function wrapDescriptor(descriptor: number): DiskFile {
  const isSeekable = fstatSync(descriptor).isFile()
  const toPosition = (at: number) => (isSeekable ? at : null)
  return {
    isSeekable,
    read: (into, at) => readSync(descriptor, into, 0, into.length, toPosition(at)),
    write: (bytes, at) => writeSync(descriptor, bytes, 0, bytes.length, toPosition(at)),
    status: () => toDiskStatus(fstatSync(descriptor, { bigint: true })),
    truncate: (size) => ftruncateSync(descriptor, size),
    setTimes: (accessed, modified) => futimesSync(descriptor, toSeconds(accessed), toSeconds(modified)),
    sync: () => fsyncSync(descriptor),
    close: () => closeSync(descriptor),
  }
}

function findStatus(look: () => BigIntStats): DiskStatus | undefined {
  try {
    return toDiskStatus(look())
  } catch (error) {
    if (getSystemErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function toDiskStatus(stats: BigIntStats): DiskStatus {
  return {
    kind: toDiskKind(stats),
    size: Number(stats.size),
    device: stats.dev,
    inode: stats.ino,
    links: stats.nlink,
    accessed: stats.atimeNs,
    modified: stats.mtimeNs,
    changed: stats.ctimeNs,
  }
}

/** Returns the kind of a file from its system status. */
export function toDiskKind(stats: BigIntStats): DiskKind {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'directory'
  if (stats.isSymbolicLink()) return 'link'
  if (stats.isFIFO()) return 'fifo'
  if (stats.isSocket()) return 'socket'
  return stats.isBlockDevice() ? 'block' : 'character'
}

function toSeconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1000n) / 1e6
}
