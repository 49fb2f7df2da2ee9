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
import { systemCode } from '../../base/system-error.ts'
import type { Disk, DiskFile, DiskKind, DiskStatus, OpenWishes } from './disk.ts'

/** Returns the files of this machine; with `root`, those below a folder. */
export function machineDisk(root = ''): Disk {
  const at = (path: string) => `${root}/${path}`
  return {
    status: (path, follows) => statusOrNothing(() => (follows ? statSync : lstatSync)(at(path), { bigint: true })),
    open: (path, wishes) => openFile(openSync(at(path), flagsOf(wishes), 0o666)),
    list: (path) => readdirSync(at(path)),
    makeDirectory: (path) => mkdirSync(at(path)),
    removeDirectory: (path) => rmdirSync(at(path)),
    removeFile: (path) => unlinkSync(at(path)),
    rename: (from, to) => renameSync(at(from), at(to)),
    link: (from, to) => linkSync(at(from), at(to)),
    symlink: (target, path) => symlinkSync(target, at(path)),
    readLink: (path) => readlinkSync(at(path)),
    setTimes: (path, accessed, modified, follows) =>
      (follows ? utimesSync : lutimesSync)(at(path), seconds(accessed), seconds(modified)),
  }
}

function flagsOf({ reads, writes, appends, creates, excludes, truncates, follows }: OpenWishes): number {
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

function openFile(descriptor: number): DiskFile {
  const isSeekable = fstatSync(descriptor).isFile()
  const place = (at: number) => (isSeekable ? at : null)
  return {
    isSeekable,
    read: (into, at) => readSync(descriptor, into, 0, into.length, place(at)),
    write: (bytes, at) => writeSync(descriptor, bytes, 0, bytes.length, place(at)),
    status: () => statusOf(fstatSync(descriptor, { bigint: true })),
    truncate: (size) => ftruncateSync(descriptor, size),
    setTimes: (accessed, modified) => futimesSync(descriptor, seconds(accessed), seconds(modified)),
    sync: () => fsyncSync(descriptor),
    close: () => closeSync(descriptor),
  }
}

function statusOrNothing(look: () => BigIntStats): DiskStatus | undefined {
  try {
    return statusOf(look())
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function statusOf(stats: BigIntStats): DiskStatus {
  return {
    kind: kindOf(stats),
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
export function kindOf(stats: BigIntStats): DiskKind {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'directory'
  if (stats.isSymbolicLink()) return 'link'
  if (stats.isFIFO()) return 'fifo'
  if (stats.isSocket()) return 'socket'
  return stats.isBlockDevice() ? 'block' : 'character'
}

function seconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1000n) / 1e6
}
