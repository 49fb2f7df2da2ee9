import { toBufferView } from '../../base/bytes/buffer-view.ts'
import type { Disk } from '../wasi/disk.ts'
import type { World } from '../wasi/wasi.ts'
import type { Interpreter, Pointer } from './interpreter.ts'
import { type BridgeMethod, checkMessageSize, queryStart, type RubyEngine, type RubyEvents } from './ruby-engine.ts'
import { restoreSnapshot, type Snapshot, takeSnapshot } from './snapshot.ts'

/** Files and clocks that Ruby gets. */
export type EngineWorld = Pick<World, 'now' | 'elapsed' | 'sleep'> & { readonly disk: Disk }

/**
 * Bytes of memory that Ruby allocates in advance. V8 counts each growth of the memory as a new allocation and may start
 * a garbage collection.
 */
const spareMemory = 128 * 1024 * 1024

/** CRuby in WebAssembly, restored from a snapshot in 20 ms. */
export class WebAssemblyEngine implements RubyEngine {
  readonly #interpreter: Interpreter
  readonly #bridge: Pointer
  readonly #methods: Readonly<Record<BridgeMethod, number>>
  readonly #events: RubyEvents
  readonly #encoder = new TextEncoder()
  #outgoing = new Uint8Array(1 << 16)
  #outbox = ''

  constructor(
    { module, snapshot }: { readonly module: WebAssembly.Module; readonly snapshot: Snapshot },
    world: EngineWorld,
    events: RubyEvents,
  ) {
    this.#events = events
    const all: World = {
      ...world,
      print: events.print,
      random: (bytes: Uint8Array) => {
        events.look({ kind: 'chance', path: '', isRead: true })
        crypto.getRandomValues(bytes)
      },
    }
    const interpreter = restoreSnapshot(module, snapshot, all, (message) => this.#receive(message))
    interpreter.run(`String.new(capacity: ${spareMemory}).clear`)
    this.#interpreter = interpreter
    this.#bridge = interpreter.eval('Plumb::Bridge')
    this.#methods = {
      start: interpreter.symbol('start'),
      resume: interpreter.symbol('resume'),
      alone: interpreter.symbol('alone'),
    }
  }

  get memorySize(): number {
    return this.#interpreter.memory.buffer.byteLength
  }

  exchange(method: BridgeMethod, message: string): string {
    this.#send(message)
    this.#outbox = ''
    this.#interpreter.drop(this.#interpreter.call(this.#bridge, this.#methods[method]))
    return this.#outbox
  }

  close(): void {}

  /** Returns a copy of the whole state, in memory that threads can share. No Ruby code may be running. */
  takeSnapshot(): Snapshot {
    const snapshot = takeSnapshot(this.#interpreter)
    const pages = new Uint8Array(new SharedArrayBuffer(snapshot.pages.length))
    pages.set(snapshot.pages)
    return { ...snapshot, pages }
  }

  /**
   * Sends a message through a shared buffer: a new buffer for each message would trigger garbage
   * collection.
   */
  #send(text: string): void {
    if (this.#outgoing.length < text.length * 3) this.#outgoing = new Uint8Array(text.length * 4)
    const { written } = this.#encoder.encodeInto(text, this.#outgoing)
    this.#interpreter.wasi.send(this.#outgoing.subarray(0, written))
  }

  /** Handles a message from running Ruby: a message that returns control, or a query from a fiber of module code. */
  #receive(bytes: Uint8Array): void {
    checkMessageSize(bytes)
    const text = toBufferView(bytes).toString()
    if (text.startsWith(queryStart)) this.#send(this.#events.answer(text))
    else this.#outbox = text
  }
}
