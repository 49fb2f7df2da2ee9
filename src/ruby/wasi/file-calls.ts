import type { Descriptor, Descriptors } from './descriptors.ts'
import type { Disk, DiskKind, DiskStatus } from './disk.ts'
import { errno, toErrno } from './errno.ts'
import type { GuestMemory } from './guest-memory.ts'

/** WASI's numbers for kinds of files. */
const fileTypes: Readonly<Record<Descriptor['kind'] | DiskKind, number>> = {
  block: 1,
  character: 2,
  input: 2,
  output: 2,
  directory: 3,
  file: 4,
  bridge: 6,
  fifo: 0,
  socket: 6,
  link: 7,
}
/** Maximum number of bytes printed for a single write to standard output; more than a catalog's log may contain. */
const mostPrinted = 256 * 1024
const allRights = 0xffff_ffff_ffff_ffffn
const appendFlag = 1

/** The status of an open file; for a pipe, only its kind. */
type GuestStatus = Partial<Omit<DiskStatus, 'kind'>> & {
  readonly kind: Descriptor['kind'] | DiskKind
  readonly size: number
}

/** Objects that the WASI functions share. */
export interface WasiParts {
  readonly memory: GuestMemory
  readonly descriptors: Descriptors
  readonly disk: Disk
}

/** The WASI functions with a file descriptor: of a file, a folder, standard output, or the bridge to the host. */
export class FileCalls {
  readonly #parts: WasiParts
  readonly #print: (text: string, isError: boolean) => void
  readonly #receive: (message: Uint8Array) => void
  /** The bytes for the next read of the bridge. */
  #inbox: Uint8Array = new Uint8Array()
  #read = 0

  constructor({
    print,
    receive,
    ...parts
  }: WasiParts & { print: (text: string, isError: boolean) => void; receive(message: Uint8Array): void }) {
    this.#parts = parts
    this.#print = print
    this.#receive = receive
  }

  /** Sets the message that Ruby reads next from the bridge. */
  send(message: Uint8Array): void {
    this.#inbox = message
    this.#read = 0
  }

  table() {
    const returnSuccess = () => errno.success
    return {
      ...this.#openedFolders(),
      ...this.#changes(),
      fd_advise: returnSuccess,
      fd_fdstat_set_flags: returnSuccess,
      fd_fdstat_get: (fd: number, out: number) => this.#with(fd, (each) => this.#describe(each, out)),
      fd_filestat_get: (fd: number, out: number) =>
        this.#with(fd, (each) => encodeStatus(this.#view, out, this.#readStatus(each))),
      fd_close: (fd: number) =>
        this.#with(fd, (each) => {
          this.#parts.descriptors.set(fd, undefined)
          if (each.kind === 'file') each.file.close()
        }),
      fd_renumber: (from: number, to: number) =>
        this.#with(from, (each) => {
          this.#parts.descriptors.set(to, each)
          this.#parts.descriptors.set(from, undefined)
        }),
      fd_seek: (fd: number, offset: bigint, whence: number, out: number) =>
        this.#with(fd, (each) => this.#seek(each, Number(offset), whence, out)),
      fd_tell: (fd: number, out: number) => this.#with(fd, (each) => this.#seek(each, 0, 1, out)),
      fd_read: (fd: number, buffers: number, count: number, out: number) =>
        this.#with(fd, (each) => this.#readInto(each, buffers, count, out)),
      fd_pread: (fd: number, buffers: number, count: number, offset: bigint, out: number) =>
        this.#with(fd, (each) => {
          if (each.kind !== 'file') return errno.spipe
          return this.#readInto({ ...each, at: Number(offset) }, buffers, count, out)
        }),
      fd_write: (fd: number, buffers: number, count: number, out: number) =>
        this.#with(fd, (each) => this.#write(each, buffers, count, out)),
      fd_pwrite: (fd: number, buffers: number, count: number, offset: bigint, out: number) =>
        this.#with(fd, (each) => {
          if (each.kind !== 'file') return errno.spipe
          return this.#write({ ...each, at: Number(offset) }, buffers, count, out)
        }),
      fd_readdir: (fd: number, at: number, length: number, cookie: bigint, out: number) =>
        this.#with(fd, (each) => this.#readDirectory(each, { at, length, cookie: Number(cookie), out })),
    }
  }

  get #view(): DataView {
    return this.#parts.memory.view
  }

  #openedFolders() {
    const { memory, descriptors } = this.#parts
    return {
      fd_prestat_get: (fd: number, out: number) => {
        const path = descriptors.opened(fd)
        if (path === undefined) return errno.badf
        memory.view.setUint8(out, 0)
        memory.view.setUint32(out + 4, path.length + 1, true)
        return errno.success
      },
      fd_prestat_dir_name: (fd: number, at: number) => {
        const path = descriptors.opened(fd)
        if (path === undefined) return errno.badf
        memory.bytes.set(Buffer.from(`/${path}`), at)
        return errno.success
      },
    }
  }

  #changes() {
    const syncFile = (fd: number) => this.#with(fd, (each) => (each.kind === 'file' ? each.file.sync() : undefined))
    return {
      fd_datasync: syncFile,
      fd_sync: syncFile,
      fd_filestat_set_size: (fd: number, size: bigint) =>
        this.#with(fd, (each) => (each.kind === 'file' ? each.file.truncate(Number(size)) : errno.inval)),
      fd_filestat_set_times: (fd: number, accessed: bigint, modified: bigint, flags: number) =>
        this.#with(fd, (each) => {
          if (each.kind !== 'file') return errno.inval
          each.file.setTimes(...resolveFileTimes(each.file.status(), accessed, modified, flags))
          return errno.success
        }),
    }
  }

  #with(fd: number, work: (descriptor: Descriptor) => unknown): number {
    const descriptor = this.#parts.descriptors.get(fd)
    if (!descriptor) return errno.badf
    return catchErrno(() => work(descriptor))
  }

  #readStatus(descriptor: Descriptor): GuestStatus {
    if (descriptor.kind === 'file') return descriptor.file.status()
    const found = descriptor.kind === 'directory' ? this.#parts.disk.status(descriptor.path, true) : undefined
    return found ?? { kind: descriptor.kind, size: 0 }
  }

  #describe(descriptor: Descriptor, out: number): number {
    const view = this.#view
    view.setBigUint64(out, 0n, true)
    view.setUint8(out, fileTypes[descriptor.kind])
    if (descriptor.kind === 'file' && descriptor.appends) view.setUint16(out + 2, appendFlag, true)
    view.setBigUint64(out + 8, allRights, true)
    view.setBigUint64(out + 16, allRights, true)
    return errno.success
  }

  #seek(descriptor: Descriptor, offset: number, whence: number, out: number): number {
    if (descriptor.kind !== 'file') return descriptor.kind === 'directory' ? errno.badf : errno.spipe
    if (!descriptor.file.isSeekable) return errno.spipe
    const base = whence === 0 ? 0 : whence === 1 ? descriptor.at : descriptor.file.status().size
    if (base + offset < 0) return errno.inval
    descriptor.at = base + offset
    this.#view.setBigUint64(out, BigInt(descriptor.at), true)
    return errno.success
  }

  #readInto(descriptor: Descriptor, buffers: number, count: number, out: number): number {
    if (descriptor.kind === 'directory') return errno.isdir
    let total = 0
    for (let index = 0; index < count; index++) {
      const start = this.#view.getUint32(buffers + index * 8, true)
      const room = this.#view.getUint32(buffers + index * 8 + 4, true)
      const length = this.#readOnce(descriptor, this.#parts.memory.bytes.subarray(start, start + room))
      total += length
      if (length < room) break
    }
    this.#view.setUint32(out, total, true)
    return errno.success
  }

  #readOnce(descriptor: Descriptor, into: Uint8Array): number {
    if (descriptor.kind === 'file') {
      const length = descriptor.file.read(into, descriptor.at)
      descriptor.at += length
      return length
    }
    if (descriptor.kind !== 'bridge') return 0
    const part = this.#inbox.subarray(this.#read, this.#read + into.length)
    into.set(part)
    this.#read += part.length
    return part.length
  }

  #write(descriptor: Descriptor, buffers: number, count: number, out: number): number {
    const { kind } = descriptor
    if (kind === 'input' || kind === 'directory') return errno.rofs
    const { memory } = this.#parts
    let total = 0
    for (let index = 0; index < count; index++) {
      const start = this.#view.getUint32(buffers + index * 8, true)
      const length = this.#view.getUint32(buffers + index * 8 + 4, true)
      if (length === 0) continue
      if (descriptor.kind === 'bridge') this.#receive(memory.bytes.subarray(start, start + length))
      else if (descriptor.kind === 'file')
        descriptor.at += writeAll(descriptor, memory.bytes.subarray(start, start + length))
      else
        this.#print(
          memory.text(start, Math.min(length, mostPrinted)),
          descriptor.kind === 'output' && descriptor.isError,
        )
      total += length
    }
    this.#view.setUint32(out, total, true)
    return errno.success
  }

  #readDirectory(descriptor: Descriptor, where: { at: number; length: number; cookie: number; out: number }): number {
    if (descriptor.kind !== 'directory') return errno.notdir
    const { at, length, cookie, out } = where
    const { disk, memory } = this.#parts
    if (cookie === 0 || !descriptor.names) descriptor.names = ['.', '..', ...disk.list(descriptor.path)]
    const { names, path } = descriptor
    let used = 0
    for (let index = cookie; index < names.length && used < length; index++) {
      const name = names[index]!
      const status = index < 2 ? undefined : disk.status(path === '' ? name : `${path}/${name}`, false)
      const part = encodeDirectoryRecord(name, index, fileTypes[status?.kind ?? 'directory']).subarray(0, length - used)
      memory.bytes.set(part, at + used)
      used += part.length
    }
    memory.view.setUint32(out, used, true)
    return errno.success
  }
}

/** Runs `work`, and returns the error number that it returns or throws. */
export function catchErrno(work: () => unknown): number {
  try {
    const result = work()
    return typeof result === 'number' ? result : errno.success
  } catch (error) {
    return toErrno(error)
  }
}

/** Writes a status in WASI's format. */
export function encodeStatus(view: DataView, out: number, status: GuestStatus): void {
  view.setBigUint64(out, status.device ?? 0n, true)
  view.setBigUint64(out + 8, status.inode ?? 0n, true)
  view.setBigUint64(out + 16, 0n, true)
  view.setUint8(out + 16, fileTypes[status.kind])
  view.setBigUint64(out + 24, status.links ?? 1n, true)
  view.setBigUint64(out + 32, BigInt(status.size), true)
  view.setBigUint64(out + 40, status.accessed ?? 0n, true)
  view.setBigUint64(out + 48, status.modified ?? 0n, true)
  view.setBigUint64(out + 56, status.changed ?? 0n, true)
}

/** Returns the times to set; a flag may keep the old time or select the current one. */
export function resolveFileTimes(
  before: DiskStatus,
  accessed: bigint,
  modified: bigint,
  flags: number,
): [accessed: bigint, modified: bigint] {
  const now = BigInt(Date.now()) * 1_000_000n
  const chooseTime = (set: number, present: number, given: bigint, old: bigint) =>
    (flags & present) !== 0 ? now : (flags & set) !== 0 ? given : old
  return [chooseTime(1, 2, accessed, before.accessed), chooseTime(4, 8, modified, before.modified)]
}

function writeAll({ file, at }: Extract<Descriptor, { kind: 'file' }>, bytes: Uint8Array): number {
  let written = 0
  while (written < bytes.length) written += file.write(bytes.subarray(written), at + written)
  return written
}

function encodeDirectoryRecord(name: string, index: number, type: number): Uint8Array {
  const bytes = Buffer.from(name)
  const record = new Uint8Array(24 + bytes.length)
  const view = new DataView(record.buffer)
  view.setBigUint64(0, BigInt(index + 1), true)
  view.setBigUint64(8, 1n, true)
  view.setUint32(16, bytes.length, true)
  view.setUint8(20, type)
  record.set(bytes, 24)
  return record
}
