import { Descriptors } from './descriptors.ts'
import type { Disk } from './disk.ts'
import { errno } from './errno.ts'
import { FileCalls } from './file-calls.ts'
import { GuestMemory } from './guest-memory.ts'
import { PathCalls } from './path-calls.ts'

/** The environment of Ruby, which has no other access to the machine. */
export interface World {
  readonly disk: Disk
  /** Preopened folders; other values than `openFolders` only to inspect the binary. */
  readonly open?: readonly string[]
  /** Environment variables; only the build sets any. */
  readonly variables?: Readonly<Record<string, string>>
  /** Receives text that Ruby prints on standard output and standard error. */
  print(text: string, isError: boolean): void
  /** Nanoseconds since 1970, for `Time.now`. */
  now(): bigint
  /** Monotonic clock in nanoseconds; if undefined, fixed steps that reveal no time. */
  elapsed?(): bigint
  /** Blocks the thread for this number of nanoseconds. If undefined, sleeping returns immediately. */
  sleep?(nanoseconds: bigint): void
  /** Fills bytes for `rand` and similar methods. */
  random(bytes: Uint8Array): void
}

/** Ruby asked to end the process: `exit!`, or a crash of the interpreter. */
export class RubyExit extends Error {
  constructor(status: number) {
    super(`Ruby ended with status ${status}`)
  }
}

/**
 * Folders preopened for Ruby. The binary contains an empty `/usr`, which hides ours except for the
 * folders listed here: the longest name wins.
 */
export const openFolders: readonly string[] = [
  '',
  'usr/share',
  'usr/lib',
  'usr/local',
  'usr/src',
  'usr/home',
  'usr/pkg',
  'usr/bin',
  'usr/sbin',
  'usr/libexec',
  'usr/lib32',
  'usr/lib64',
  'usr/libx32',
  'usr/include',
  'usr/games',
  'usr/etc',
]

/** Length of a step of the monotonic clock in nanoseconds. */
const tick = 1_000n

/** The number of a clock subscription of `poll_oneoff`, and the flag for an absolute time instead of a duration. */
const clockEvent = 0
const absoluteTime = 1

/**
 * WASI preview 1 for CRuby in this process, with access to the files of its world, but not to the network or programs.
 * Node's own WASI is not used, since it crashes with several virtual machines (nodejs/node#53087).
 */
export class Wasi {
  readonly imports: Record<string, (...args: never[]) => number>
  readonly #world: World
  readonly #memory = new GuestMemory()
  readonly #descriptors: Descriptors
  readonly #files: FileCalls
  #ticks = 0n

  /**
   * `receive` is called with each message that Ruby writes to the bridge; the bytes are valid only until it returns.
   */
  constructor(world: World, receive: (message: Uint8Array) => void) {
    this.#world = world
    this.#descriptors = new Descriptors(world.open ?? openFolders)
    const parts = { memory: this.#memory, descriptors: this.#descriptors, disk: world.disk }
    this.#files = new FileCalls({ ...parts, print: world.print, receive })
    this.imports = { ...this.#process(), ...this.#files.table(), ...new PathCalls(parts).table() }
  }

  attach(memory: WebAssembly.Memory): void {
    this.#memory.attach(memory)
  }

  /** Sets the message that Ruby reads next from the bridge. */
  send(message: Uint8Array): void {
    this.#files.send(message)
  }

  /** Opens the bridge with the descriptor from a snapshot. */
  reopenBridge(descriptor: number): void {
    this.#descriptors.set(descriptor, { kind: 'bridge' })
  }

  /** Ruby's descriptor of the bridge; -1 if it is not open. */
  get bridgeDescriptor(): number {
    return this.#descriptors.bridge
  }

  text(at: number, length: number): string {
    return this.#memory.text(at, length)
  }

  get view(): DataView {
    return this.#memory.view
  }

  get bytes(): Uint8Array {
    return this.#memory.bytes
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
        this.view.setBigUint64(out, this.#time(clock), true)
        return errno.success
      },
      random_get: (at: number, length: number) => {
        this.#world.random(this.bytes.subarray(at, at + length))
        return errno.success
      },
      poll_oneoff: (subscriptions: number, events: number, count: number, out: number) => {
        if (count === 1 && this.view.getUint8(subscriptions + 8) === clockEvent) this.#sleep(subscriptions)
        for (let index = 0; index < count; index++) this.#ready(subscriptions + index * 48, events + index * 32)
        this.view.setUint32(out, count, true)
        return errno.success
      },
      proc_exit: (status: number) => {
        throw new RubyExit(status)
      },
    }
  }

  #time(clock: number): bigint {
    return clock === 0 ? this.#world.now() : (this.#world.elapsed?.() ?? this.#tick())
  }

  /** Each read of a monotonic clock advances it by a fixed step, because elapsed time must not influence a catalog. */
  #tick(): bigint {
    this.#ticks += tick
    return this.#ticks
  }

  #sleep(subscription: number): void {
    const { view } = this
    const time = view.getBigUint64(subscription + 24, true)
    const isPoint = (view.getUint16(subscription + 40, true) & absoluteTime) !== 0
    const clock = view.getUint32(subscription + 16, true)
    this.#world.sleep?.(isPoint ? time - this.#time(clock) : time)
  }

  #ready(subscription: number, event: number): void {
    const { view } = this
    view.setBigUint64(event, view.getBigUint64(subscription, true), true)
    view.setUint16(event + 8, errno.success, true)
    view.setUint8(event + 10, view.getUint8(subscription + 8))
    view.setBigUint64(event + 16, 1n, true)
    view.setUint16(event + 24, 0, true)
  }
}
