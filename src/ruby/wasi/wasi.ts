import { posix } from 'node:path'
import { errno } from './errno.ts'
import type { GuestFiles } from './guest-files.ts'

/** The world that Ruby runs in: nothing of this machine but what is given here. */
export interface World {
  readonly files: GuestFiles
  /** Folders that are open from the start; others than `openFolders` only to look into the binary. */
  readonly open?: readonly string[]
  /** Environment variables; none but for the build. */
  readonly variables?: Readonly<Record<string, string>>
  /** Takes text that Ruby prints on standard output and standard error. */
  print(text: string): void
  /** Nanoseconds since 1970, for `Time.now`. */
  now(): bigint
  /** For `rand` and its kin. */
  random(bytes: Uint8Array): void
}

/** Ruby asked to end the process: `exit!`, or a crash of the interpreter. */
export class RubyExit extends Error {
  constructor(status: number) {
    super(`Ruby ended with status ${status}`)
  }
}

/** The path of the file through which Ruby and we exchange messages. */
export const bridgePath = '__bridge__'

/**
 * Folders that Ruby has open from the start. The binary has an empty `/usr` inside, which covers ours but for the folders
 * that are named here: the longest name wins.
 */
export const openFolders: readonly string[] = [
  '',
  'usr/share',
  'usr/lib',
  'usr/local',
  'usr/src',
  'usr/home',
  'usr/pkg',
]
const firstOpened = 3

type Descriptor =
  | { readonly kind: 'input' | 'output' | 'bridge' }
  | { readonly kind: 'file'; readonly bytes: Uint8Array; at: number }
  | { readonly kind: 'directory'; readonly path: string }

const fileTypes = { input: 2, output: 2, bridge: 6, directory: 3, file: 4 } as const
/** Nanoseconds of one step of a clock that only measures. */
const tick = 1_000n
/** The most that is passed on of one write to standard output, in bytes; more than a catalog's log may hold. */
const mostPrinted = 256 * 1024
const allRights = 0xffff_ffff_ffff_ffffn

/**
 * WASI preview 1 for CRuby, all of it in this process: a read-only file system, no network, no programs. Node's own is
 * not used: it crashes with more than one virtual machine (nodejs/node#53087).
 */
export class Wasi {
  /** The bytes for the next read of the bridge. */
  inbox: Uint8Array = new Uint8Array()
  readonly imports: Record<string, (...args: never[]) => number>
  readonly #world: World
  readonly #receive: (message: Uint8Array) => void
  readonly #descriptors: (Descriptor | undefined)[]
  readonly #opened: readonly string[]
  #memory: WebAssembly.Memory | undefined
  #view = new DataView(new ArrayBuffer(0))
  #bytes = new Uint8Array()
  #read = 0
  #ticks = 0n

  /** `receive` gets each message that Ruby writes to the bridge; its bytes are only good until it returns. */
  constructor(world: World, receive: (message: Uint8Array) => void) {
    this.#world = world
    this.#receive = receive
    this.#opened = world.open ?? openFolders
    this.#descriptors = [{ kind: 'input' }, { kind: 'output' }, { kind: 'output' }]
    for (const path of this.#opened) this.#descriptors.push({ kind: 'directory', path })
    this.imports = this.#table()
  }

  attach(memory: WebAssembly.Memory): void {
    this.#memory = memory
  }

  /** A message for Ruby to read from the bridge. */
  send(message: Uint8Array): void {
    this.inbox = message
    this.#read = 0
  }

  /** Opens the bridge where a snapshot had it. */
  reopenBridge(descriptor: number): void {
    this.#descriptors[descriptor] = { kind: 'bridge' }
  }

  /** The number under which Ruby has the bridge open. */
  get bridgeDescriptor(): number {
    return this.#descriptors.findIndex((each) => each?.kind === 'bridge')
  }

  text(at: number, length: number): string {
    return Buffer.from(this.bytes.buffer, at, length).toString('utf8')
  }

  get view(): DataView {
    this.#refresh()
    return this.#view
  }

  get bytes(): Uint8Array {
    this.#refresh()
    return this.#bytes
  }

  /** Memory moves when it grows. */
  #refresh(): void {
    const { buffer } = this.#memory!
    if (this.#view.buffer === buffer) return
    this.#view = new DataView(buffer)
    this.#bytes = new Uint8Array(buffer)
  }

  #table(): Record<string, (...args: never[]) => number> {
    const refused = () => errno.rofs
    const done = () => errno.success
    return {
      ...this.#process(),
      ...this.#descriptorCalls(),
      ...this.#pathCalls(),
      fd_advise: done,
      fd_datasync: done,
      fd_sync: done,
      fd_fdstat_set_flags: done,
      fd_filestat_set_size: refused,
      fd_pwrite: refused,
      path_create_directory: refused,
      path_filestat_set_times: refused,
      path_link: refused,
      path_remove_directory: refused,
      path_rename: refused,
      path_symlink: refused,
      path_unlink_file: refused,
      path_readlink: () => errno.inval,
    }
  }

  #process() {
    const variables = Object.entries(this.#world.variables ?? {}).map(([name, value]) =>
      Buffer.from(`${name}=${value}\0`),
    )
    return {
      environ_sizes_get: (count: number, size: number) => {
        this.view.setUint32(count, variables.length, true)
        this.view.setUint32(size, Buffer.concat(variables).length, true)
        return errno.success
      },
      environ_get: (pointers: number, start: number) => {
        let at = start
        variables.forEach((variable, index) => {
          this.view.setUint32(pointers + index * 4, at, true)
          this.bytes.set(variable, at)
          at += variable.length
        })
        return errno.success
      },
      clock_res_get: (_clock: number, out: number) => {
        this.view.setBigUint64(out, 1n, true)
        return errno.success
      },
      clock_time_get: (clock: number, _precision: bigint, out: number) => {
        this.view.setBigUint64(out, clock === 0 ? this.#world.now() : this.#tick(), true)
        return errno.success
      },
      random_get: (at: number, length: number) => {
        this.#world.random(this.bytes.subarray(at, at + length))
        return errno.success
      },
      // Nothing here ever blocks: a sleep is over at once, a descriptor is always ready.
      poll_oneoff: (subscriptions: number, events: number, count: number, out: number) => {
        for (let index = 0; index < count; index++) this.#ready(subscriptions + index * 48, events + index * 32)
        this.view.setUint32(out, count, true)
        return errno.success
      },
      proc_exit: (status: number) => {
        throw new RubyExit(status)
      },
    }
  }

  /** Clocks that only measure go on by a step each time they are read: what time it takes is no input of a catalog. */
  #tick(): bigint {
    this.#ticks += tick
    return this.#ticks
  }

  #ready(subscription: number, event: number): void {
    const { view } = this
    view.setBigUint64(event, view.getBigUint64(subscription, true), true)
    view.setUint16(event + 8, errno.success, true)
    view.setUint8(event + 10, view.getUint8(subscription + 8))
    view.setBigUint64(event + 16, 1n, true)
    view.setUint16(event + 24, 0, true)
  }

  #descriptorCalls() {
    return {
      fd_prestat_get: (fd: number, out: number) => {
        const path = this.#opened[fd - firstOpened]
        if (path === undefined) return errno.badf
        this.view.setUint8(out, 0)
        this.view.setUint32(out + 4, path.length + 1, true)
        return errno.success
      },
      fd_prestat_dir_name: (fd: number, at: number) => {
        const path = this.#opened[fd - firstOpened]
        if (path === undefined) return errno.badf
        this.bytes.set(Buffer.from(`/${path}`), at)
        return errno.success
      },
      fd_fdstat_get: (fd: number, out: number) => this.#with(fd, (each) => this.#describe(each, out)),
      fd_filestat_get: (fd: number, out: number) =>
        this.#with(fd, (each) =>
          this.#putStat(out, fileTypes[each.kind], each.kind === 'file' ? each.bytes.length : 0),
        ),
      fd_close: (fd: number) =>
        this.#with(fd, () => {
          this.#descriptors[fd] = undefined
        }),
      fd_renumber: (from: number, to: number) =>
        this.#with(from, (each) => {
          this.#descriptors[to] = each
          this.#descriptors[from] = undefined
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
      fd_readdir: (fd: number, at: number, length: number, cookie: bigint, out: number) =>
        this.#with(fd, (each) => this.#readDirectory(each, at, length, Number(cookie), out)),
    }
  }

  #pathCalls() {
    return {
      path_open: (
        fd: number,
        _lookup: number,
        at: number,
        length: number,
        flags: number,
        rights: bigint,
        _inheriting: bigint,
        _fdFlags: number,
        out: number,
      ) =>
        this.#with(fd, (each) => {
          const path = this.#pathOf(each, at, length)
          const opened = this.#open(path, flags, (rights & 64n) !== 0n)
          if (typeof opened === 'number') return opened
          this.view.setUint32(out, this.#allocate(opened), true)
          return errno.success
        }),
      path_filestat_get: (fd: number, _flags: number, at: number, length: number, out: number) =>
        this.#with(fd, (each) => {
          const entry = this.#world.files.entry(this.#pathOf(each, at, length))
          return entry ? this.#putStat(out, fileTypes[entry.kind], entry.size) : errno.noent
        }),
    }
  }

  /** The path from the root; `..` does not lead out of it. */
  #pathOf(base: Descriptor, at: number, length: number): string {
    const given = this.text(at, length)
    const folder = base.kind === 'directory' ? base.path : ''
    return posix.normalize(`/${folder}/${given}`).replace(/^\/|\/$/g, '')
  }

  #open(path: string, flags: number, writes: boolean): Descriptor | number {
    if (path === bridgePath) return { kind: 'bridge' }
    const [creates, directory, truncates] = [flags & 1, flags & 2, flags & 8]
    const entry = this.#world.files.entry(path)
    if (writes || creates || truncates) return errno.rofs
    if (!entry) return errno.noent
    if (entry.kind === 'directory') return { kind: 'directory', path }
    if (directory) return errno.notdir
    const bytes = this.#world.files.read(path)
    return bytes ? { kind: 'file', bytes, at: 0 } : errno.noent
  }

  #allocate(descriptor: Descriptor): number {
    let number = firstOpened + this.#opened.length
    while (this.#descriptors[number]) number++
    this.#descriptors[number] = descriptor
    return number
  }

  #with(fd: number, work: (descriptor: Descriptor) => number | undefined): number {
    const descriptor = this.#descriptors[fd]
    if (!descriptor) return errno.badf
    return work(descriptor) ?? errno.success
  }

  #describe({ kind }: Descriptor, out: number): number {
    const { view } = this
    view.setBigUint64(out, 0n, true)
    view.setUint8(out, fileTypes[kind])
    view.setBigUint64(out + 8, allRights, true)
    view.setBigUint64(out + 16, allRights, true)
    return errno.success
  }

  #putStat(out: number, type: number, size: number): number {
    const { view } = this
    for (let offset = 0; offset < 64; offset += 8) view.setBigUint64(out + offset, 0n, true)
    view.setUint8(out + 16, type)
    view.setBigUint64(out + 24, 1n, true)
    view.setBigUint64(out + 32, BigInt(size), true)
    return errno.success
  }

  #seek(descriptor: Descriptor, offset: number, whence: number, out: number): number {
    if (descriptor.kind !== 'file') return descriptor.kind === 'directory' ? errno.badf : errno.spipe
    const base = whence === 0 ? 0 : whence === 1 ? descriptor.at : descriptor.bytes.length
    if (base + offset < 0) return errno.inval
    descriptor.at = base + offset
    this.view.setBigUint64(out, BigInt(descriptor.at), true)
    return errno.success
  }

  #readInto(descriptor: Descriptor, buffers: number, count: number, out: number): number {
    if (descriptor.kind === 'directory') return errno.isdir
    const source = descriptor.kind === 'file' ? descriptor.bytes : descriptor.kind === 'bridge' ? this.inbox : undefined
    let at = descriptor.kind === 'file' ? descriptor.at : this.#read
    let total = 0
    for (let index = 0; source && index < count; index++) {
      const start = this.view.getUint32(buffers + index * 8, true)
      const room = this.view.getUint32(buffers + index * 8 + 4, true)
      const part = source.subarray(at, at + room)
      this.bytes.set(part, start)
      at += part.length
      total += part.length
    }
    if (descriptor.kind === 'file') descriptor.at = at
    else if (descriptor.kind === 'bridge') this.#read = at
    this.view.setUint32(out, total, true)
    return errno.success
  }

  #write(descriptor: Descriptor, buffers: number, count: number, out: number): number {
    if (descriptor.kind !== 'output' && descriptor.kind !== 'bridge') return errno.rofs
    let total = 0
    for (let index = 0; index < count; index++) {
      const start = this.view.getUint32(buffers + index * 8, true)
      const length = this.view.getUint32(buffers + index * 8 + 4, true)
      if (length === 0) continue
      if (descriptor.kind === 'bridge') this.#receive(this.bytes.subarray(start, start + length))
      else this.#world.print(this.text(start, Math.min(length, mostPrinted)))
      total += length
    }
    this.view.setUint32(out, total, true)
    return errno.success
  }

  #readDirectory(descriptor: Descriptor, at: number, length: number, cookie: number, out: number): number {
    if (descriptor.kind !== 'directory') return errno.notdir
    const { files } = this.#world
    const names = ['.', '..', ...files.list(descriptor.path)]
    let used = 0
    for (let index = cookie; index < names.length && used < length; index++) {
      const name = names[index]!
      const bytes = Buffer.from(name)
      const entry = index < 2 ? undefined : files.entry(descriptor.path === '' ? name : `${descriptor.path}/${name}`)
      const recordBytes = new Uint8Array(24 + bytes.length)
      const recordView = new DataView(recordBytes.buffer)
      recordView.setBigUint64(0, BigInt(index + 1), true)
      recordView.setBigUint64(8, 1n, true)
      recordView.setUint32(16, bytes.length, true)
      recordView.setUint8(20, fileTypes[entry?.kind ?? 'directory'])
      recordBytes.set(bytes, 24)
      const part = recordBytes.subarray(0, length - used)
      this.bytes.set(part, at + used)
      used += part.length
    }
    this.view.setUint32(out, used, true)
    return errno.success
  }
}
