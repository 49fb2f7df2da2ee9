import type { Descriptor } from './descriptors.ts'
import type { OpenOptions } from './disk.ts'
import { errno } from './errno.ts'
import { catchErrno, encodeStatus, resolveFileTimes, type WasiParts } from './file-calls.ts'

/** Path of the file for messages between Ruby and the host. */
export const bridgePath = '__bridge__'

const followFlag = 1
const openFlags = { creates: 1, directory: 2, excludes: 4, truncates: 8 }
const rights = { read: 2n, write: 64n }
const appendFlag = 1

/** The WASI functions with a path. */
export class PathCalls {
  readonly #parts: WasiParts

  constructor(parts: WasiParts) {
    this.#parts = parts
  }

  table() {
    return { ...this.#reading(), ...this.#changing() }
  }

  #reading() {
    const { memory, disk, descriptors } = this.#parts
    return {
      path_open: (
        fd: number,
        lookup: number,
        at: number,
        length: number,
        flags: number,
        wanted: bigint,
        _inheriting: bigint,
        fdFlags: number,
        out: number,
      ) =>
        this.#at(fd, at, length, (path) => {
          const wishes = toOpenOptions(lookup, flags, wanted, fdFlags)
          const opened = this.#open(path, wishes, (flags & openFlags.directory) !== 0)
          if (typeof opened === 'number') return opened
          memory.view.setUint32(out, descriptors.add(opened), true)
          return errno.success
        }),
      path_filestat_get: (fd: number, lookup: number, at: number, length: number, out: number) =>
        this.#at(fd, at, length, (path) => {
          const status = disk.status(path, (lookup & followFlag) !== 0)
          if (!status) return errno.noent
          encodeStatus(memory.view, out, status)
          return errno.success
        }),
      path_readlink: (fd: number, at: number, length: number, into: number, room: number, out: number) =>
        this.#at(fd, at, length, (path) => {
          const target = Buffer.from(disk.readLink(path)).subarray(0, room)
          memory.bytes.set(target, into)
          memory.view.setUint32(out, target.length, true)
        }),
    }
  }

  #changing() {
    const { memory, disk } = this.#parts
    return {
      path_create_directory: (fd: number, at: number, length: number) =>
        this.#at(fd, at, length, (path) => disk.makeDirectory(path)),
      path_remove_directory: (fd: number, at: number, length: number) =>
        this.#at(fd, at, length, (path) => disk.removeDirectory(path)),
      path_unlink_file: (fd: number, at: number, length: number) =>
        this.#at(fd, at, length, (path) => disk.removeFile(path)),
      path_rename: (fd: number, at: number, length: number, toFd: number, toAt: number, toLength: number) =>
        this.#at(fd, at, length, (from) => this.#at(toFd, toAt, toLength, (to) => disk.rename(from, to))),
      path_link: (
        fd: number,
        _lookup: number,
        at: number,
        length: number,
        toFd: number,
        toAt: number,
        toLength: number,
      ) => this.#at(fd, at, length, (from) => this.#at(toFd, toAt, toLength, (to) => disk.link(from, to))),
      path_symlink: (targetAt: number, targetLength: number, fd: number, at: number, length: number) =>
        this.#at(fd, at, length, (path) => disk.symlink(memory.text(targetAt, targetLength), path)),
      path_filestat_set_times: (
        fd: number,
        lookup: number,
        at: number,
        length: number,
        accessed: bigint,
        modified: bigint,
        flags: number,
      ) =>
        this.#at(fd, at, length, (path) => {
          const follows = (lookup & followFlag) !== 0
          const before = disk.status(path, follows)
          if (!before) return errno.noent
          disk.setTimes(path, ...resolveFileTimes(before, accessed, modified, flags), follows)
          return errno.success
        }),
    }
  }

  /** Runs `work` with the path from the root; the disk resolves `..`. */
  #at(fd: number, at: number, length: number, work: (path: string) => unknown): number {
    const base = this.#parts.descriptors.get(fd)
    if (!base) return errno.badf
    const given = this.#parts.memory.text(at, length)
    const path = base.kind === 'directory' && base.path !== '' ? `${base.path}/${given}` : given
    return catchErrno(() => work(path.replace(/^\.\//, '')))
  }

  #open(path: string, wishes: OpenOptions, asDirectory: boolean): Descriptor | number {
    if (path === bridgePath) return { kind: 'bridge' }
    const { disk } = this.#parts
    const kind = disk.status(path, wishes.follows)?.kind
    if (kind === 'directory' && !wishes.writes && !wishes.creates) return { kind: 'directory', path }
    if (kind === undefined && !wishes.creates) return errno.noent
    if (asDirectory) return errno.notdir
    return { kind: 'file', file: disk.open(path, wishes), appends: wishes.appends, at: 0 }
  }
}

function toOpenOptions(lookup: number, flags: number, wanted: bigint, fdFlags: number): OpenOptions {
  return {
    reads: (wanted & rights.read) !== 0n,
    writes: (wanted & rights.write) !== 0n,
    appends: (fdFlags & appendFlag) !== 0,
    creates: (flags & openFlags.creates) !== 0,
    excludes: (flags & openFlags.excludes) !== 0,
    truncates: (flags & openFlags.truncates) !== 0,
    follows: (lookup & followFlag) !== 0,
  }
}
