import { posix } from 'node:path'
import {
  createDiskStatus,
  type Disk,
  type DiskFile,
  type DiskStatus,
  normalizeDiskPath,
  type OpenOptions,
} from './disk.ts'
import { DiskError, type errno } from './errno.ts'

/** A file, or a folder, whose entries are found by their paths. */
interface Entry {
  readonly inode: bigint
  /** The content of a file, of which `size` bytes are used; `undefined` for a folder. */
  bytes: Uint8Array | undefined
  size: number
}

/** Bytes that an entry without content counts for. */
const entryCost = 256

/** An empty disk in memory, without links and times. */
export class MemoryDisk implements Disk {
  readonly #entries = new Map<string, Entry>([['', { inode: 1n, bytes: undefined, size: 0 }]])
  readonly #bound: number
  #used = 0
  #lastInode = 1n

  /** Beyond `bound` bytes of content, writes fail with ENOSPC. */
  constructor(bound: number) {
    this.#bound = bound
  }

  status(path: string): DiskStatus | undefined {
    const entry = this.#entries.get(normalizeDiskPath(path))
    return entry && toStatus(entry)
  }

  open(path: string, { creates, excludes, truncates, writes, appends }: OpenOptions): DiskFile {
    const place = normalizeDiskPath(path)
    const known = this.#entries.get(place)
    if (known && creates && excludes) fail('exist')
    if (known && known.bytes === undefined && writes) fail('isdir')
    if (!known && !creates) fail('noent')
    const entry = known ?? this.#add(place, new Uint8Array())
    if (truncates) this.#resize(entry, 0)
    return this.#openEntry(entry, appends)
  }

  list(path: string): readonly string[] {
    const folder = normalizeDiskPath(path)
    if (this.#get(folder).bytes !== undefined) fail('notdir')
    const start = folder === '' ? '' : `${folder}/`
    const below = [...this.#entries.keys()].filter((each) => each !== '' && each.startsWith(start))
    return below.map((each) => each.slice(start.length)).filter((name) => !name.includes('/'))
  }

  makeDirectory(path: string): void {
    if (this.#entries.has(normalizeDiskPath(path))) fail('exist')
    this.#add(normalizeDiskPath(path), undefined)
  }

  removeDirectory(path: string): void {
    const folder = normalizeDiskPath(path)
    if (folder === '') fail('busy')
    if (this.list(folder).length > 0) fail('notempty')
    this.#remove(folder)
  }

  removeFile(path: string): void {
    const file = normalizeDiskPath(path)
    if (this.#get(file).bytes === undefined) fail('isdir')
    this.#remove(file)
  }

  rename(from: string, to: string): void {
    const [start, end] = [normalizeDiskPath(from), normalizeDiskPath(to)]
    const entry = this.#get(start)
    if (start === end) return
    if (start === '' || end === '' || end.startsWith(`${start}/`)) fail('inval')
    if (this.#get(posix.dirname(`/${end}`).slice(1)).bytes !== undefined) fail('notdir')
    if (this.#entries.has(end)) entry.bytes === undefined ? this.removeDirectory(end) : this.removeFile(end)
    for (const [path, each] of [...this.#entries])
      if (path === start || path.startsWith(`${start}/`)) {
        this.#entries.delete(path)
        this.#entries.set(`${end}${path.slice(start.length)}`, each)
      }
  }

  link(): never {
    return fail('notsup')
  }

  symlink(): never {
    return fail('notsup')
  }

  readLink(path: string): never {
    return fail(this.#entries.has(normalizeDiskPath(path)) ? 'inval' : 'noent')
  }

  /** Times are always 0. */
  setTimes(): void {}

  #get(path: string): Entry {
    return this.#entries.get(path) ?? fail('noent')
  }

  #add(path: string, bytes: Uint8Array | undefined): Entry {
    if (this.#get(posix.dirname(`/${path}`).slice(1)).bytes !== undefined) fail('notdir')
    this.#reserve(entryCost)
    const entry = { inode: ++this.#lastInode, bytes, size: 0 }
    this.#entries.set(path, entry)
    return entry
  }

  #remove(path: string): void {
    this.#used -= entryCost + (this.#entries.get(path)?.bytes?.length ?? 0)
    this.#entries.delete(path)
  }

  #reserve(count: number): void {
    if (this.#used + count > this.#bound) fail('nospc')
    this.#used += count
  }

  #resize(entry: Entry, size: number): void {
    const bytes = entry.bytes ?? fail('isdir')
    if (size <= bytes.length) bytes.fill(0, size)
    else {
      const length = Math.max(size, Math.min(2 * bytes.length, this.#bound - this.#used))
      this.#reserve(length - bytes.length)
      entry.bytes = new Uint8Array(length)
      entry.bytes.set(bytes.subarray(0, entry.size))
    }
    entry.size = size
  }

  #openEntry(entry: Entry, appends: boolean): DiskFile {
    return {
      isSeekable: true,
      read(into, at) {
        const part = entry.bytes?.subarray(at, Math.min(at + into.length, entry.size)) ?? fail('isdir')
        into.set(part)
        return part.length
      },
      write: (bytes, at) => {
        const start = appends ? entry.size : at
        if (bytes.length === 0) return 0
        if (start + bytes.length > entry.size) this.#resize(entry, start + bytes.length)
        entry.bytes?.set(bytes, start)
        return bytes.length
      },
      status: () => toStatus(entry),
      truncate: (size) => this.#resize(entry, size),
      setTimes() {},
      sync() {},
      close() {},
    }
  }
}

function toStatus({ inode, bytes, size }: Entry): DiskStatus {
  return { ...createDiskStatus(bytes === undefined ? 'directory' : 'file', size), inode }
}

function fail(name: keyof typeof errno): never {
  throw new DiskError(name)
}
