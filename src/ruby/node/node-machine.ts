import { writeSync } from 'node:fs'
import { budgets } from '../../base/budgets/budgets.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { getOwnValue } from '../../base/own-property.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { NativeEngine, type NativeRuby } from '../native/native-engine.ts'
import { type RubyImage, toRubyImage } from '../ruby-image.ts'
import { type RubyAnswer, RubyError, RubyMachine } from '../ruby-machine.ts'
import { libraryPath, loadDistributionSync } from '../vm/distribution.ts'
import type { RubyEvents } from '../vm/ruby-engine.ts'
import { WebAssemblyEngine } from '../vm/webassembly-engine.ts'
import { createOverlayDisk, createReadOnlyDisk, type Disk, toRubyPath } from '../wasi/disk.ts'
import { createMachineDisk } from '../wasi/machine-disk.ts'
import { getProcessEnvironment } from './environment-variables.ts'
import { answerOrSystemError, createHostAnswers, type HostAnswers, type HostOptions, type RubyLine } from './host.ts'
import { toPlainData, toTaggedData } from './plain-data.ts'
import { createSocketAnswers } from './socket-answers.ts'

/** Initial state of a Ruby machine on a node. */
export interface NodeMachineOptions extends HostOptions {
  /** Folders that contain `puppet/type/…`, `facter/…` and other required files. */
  readonly loadPath: readonly string[]
  /** Folders of local modules, whose functions Deferred values can call; absent if the node only has plug-ins. */
  readonly modulepath?: readonly string[]
  /** Our own libraries in `ruby/library/`, which Ruby loads before the first call. */
  readonly libraries?: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Program of an installed Ruby that runs the code (see NativeRuby); absent for the built-in Ruby. */
  readonly nativeRuby?: string | undefined
  /** URL of the script of the thread that opens sockets; without it, the built-in Ruby has no network. */
  readonly socketScript?: string
  readonly cwd: string
  /** True to receive debug messages. */
  readonly debug: boolean
  /** The remote device that Ruby manages instead of this machine. */
  readonly device?: DeviceOfRun | undefined
}

/** A device managed from this node. */
export interface DeviceOfRun {
  readonly name: string
  readonly type: string
  readonly url: string
  readonly debug: boolean
  /** Credentials by the path of their file: `{ values }`, or `{ error }` if it is unreadable. */
  readonly configurations: Readonly<Record<string, Json>>
}

/** A new attribute value that Ruby code set for a resource that this program manages itself. */
export interface RubyChange {
  readonly type: string
  readonly title: string
  readonly name: string
  readonly value: Json
}

/** The result of a Ruby call, with its logs and changes; without a value, the call failed. */
export interface NodeAnswer {
  readonly changes: readonly RubyChange[]
  readonly value?: Json
  readonly error?: NodeError
  readonly logs: readonly RubyLine[]
}

/** A Ruby error. After a crash, the next call gets a new machine without state. */
export interface NodeError {
  /** Name of the exception's class; `crash` if the machine crashed. */
  readonly kind: string
  readonly message: string
  readonly file: string | null
  readonly line: number
}

const mostLines = budgets.machine.logLines.bound
const mostText = budgets.machine.logText.bound

let image: RubyImage | undefined

/** Creates a machine with the files of a disk. Ruby is loaded once for all machines of a thread. */
export function createRubyMachine(disk: Disk = createMachineDisk(), from: RubyImage = loadImage()): RubyMachine {
  return new RubyMachine(prepareRuby(disk, from))
}

/** Returns a function that starts the built-in Ruby with the files of a disk, and the clocks of this machine. */
export function prepareRuby(disk: Disk, from: RubyImage): (events: RubyEvents) => WebAssemblyEngine {
  const started = process.hrtime.bigint()
  const world = {
    disk: createOverlayDisk(disk, { [libraryPath]: createReadOnlyDisk(from.library) }),
    now: () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n,
    elapsed: () => process.hrtime.bigint() - started,
    sleep,
  }
  return (events) => new WebAssemblyEngine(from, world, events)
}

/** Creates a machine with an installed Ruby. Throws NATIVE_RUBY_MISSING or NATIVE_RUBY_UNUSABLE. */
export function createNativeMachine(native: NativeRuby): RubyMachine {
  return new RubyMachine((events) => new NativeEngine(native, getProcessEnvironment(), events))
}

function loadImage(): RubyImage {
  image ??= toRubyImage(loadDistributionSync('nodeSnapshot'))
  return image
}

/**
 * CRuby with access to a node: its files, programs and users. Calls block the thread. A crashed
 * machine is replaced at the next call.
 */
export class NodeMachine {
  readonly #options: NodeMachineOptions
  readonly #answers: HostAnswers
  readonly #process: Int32Array
  #machine: RubyMachine | undefined
  #spare: RubyMachine | undefined
  #logs: RubyLine[] = []
  #said = 0
  #changes: RubyChange[] = []

  /**
   * `spare` is a running machine with access to the same files. `process` holds the process ID of an installed Ruby
   * (see NativeRuby).
   */
  constructor(
    options: NodeMachineOptions,
    more: HostAnswers = {},
    spare?: RubyMachine,
    process: Int32Array = new Int32Array(1),
  ) {
    this.#options = options
    this.#process = process
    this.#spare = options.root === '' ? spare : undefined
    this.#answers = {
      ...createHostAnswers(options),
      ...createSocketAnswers(options.socketScript),
      ...more,
      logs: ([lines]) => this.log(lines as readonly Json[]),
      changed: ([type, title, name, value]) => this.#changed(String(type), String(title), String(name), value ?? null),
      print: printOutput,
    }
  }

  /** Runs an operation of the prelude with plain data. */
  call(operation: string, args: readonly Json[]): NodeAnswer {
    return this.run(() => {
      const value = this.machine.call(operation, args.map(toTaggedData), (question, given) =>
        this.#answerOwn(question, given),
      )
      return toPlainData(value)
    })
  }

  /** Runs `work`, which may use the machine, and returns its result with the log lines and changes. */
  run(work: () => Json): NodeAnswer {
    this.#logs = []
    this.#said = 0
    this.#changes = []
    try {
      const value = work()
      return { value, logs: this.#logs, changes: this.#changes }
    } catch (error) {
      return { error: toNodeError(error), logs: this.#logs, changes: this.#changes }
    } finally {
      if (this.#machine?.isDead) this.#machine = undefined
    }
  }

  get debug(): boolean {
    return this.#options.debug
  }

  /**
   * Replaces the machine at the next call if its memory exceeds this number of bytes, since memory
   * never shrinks.
   */
  renewBeyond(bytes: number): void {
    if (this.#machine && this.#machine.memorySize > bytes) this.#machine = undefined
  }

  /** The running interpreter, started if necessary. */
  get machine(): RubyMachine {
    if (this.#machine) return this.#machine
    const { libraries = [], env, debug } = this.#options
    const loadPath = this.#options.loadPath.map((path) => toRubyPath(path))
    const cwd = toRubyPath(this.#options.cwd)
    const spare = this.#spare
    this.#spare = undefined
    const machine = spare ?? this.#createMachine()
    const begin = { load_path: loadPath, libraries, env, cwd, debug, windows: process.platform === 'win32' }
    const answer: RubyAnswer = (question, given) => this.#answerOwn(question, given)
    try {
      machine.call('begin_node', [toTaggedData(begin)], answer)
      // The caller whose call started the machine gets errors of the device.
      if (this.#options.device) machine.call('begin_device', [toTaggedData({ ...this.#options.device })], answer)
    } catch (error) {
      machine.abandon(error as Error)
      throw error
    }
    this.#machine = machine
    return machine
  }

  /** Creates a machine. Another root is only visible to the built-in Ruby. */
  #createMachine(): RubyMachine {
    const { nativeRuby, root } = this.#options
    if (nativeRuby === undefined || root !== '') return createRubyMachine(this.#disk())
    return createNativeMachine({ program: nativeRuby, process: this.#process })
  }

  /** Returns the files that Ruby sees. With another root, Ruby code still comes from this machine's own root. */
  #disk(): Disk {
    const { root, loadPath } = this.#options
    if (root === '') return createMachineDisk()
    const code = loadPath.map((path) => [path.split('/').filter(Boolean).join('/'), createMachineDisk(path)] as const)
    return createOverlayDisk(createMachineDisk(root), Object.fromEntries(code))
  }

  /** Replies to a query about this machine in tagged form; undefined for other queries. */
  answer(question: string, args: readonly Json[]): Json | undefined {
    const answer = getOwnValue(this.#answers, question)
    return answer && toTaggedData(answerOrSystemError(() => answer(args.map(toPlainData))))
  }

  #answerOwn(question: string, args: readonly Json[]): Json {
    const answer = this.answer(question, args)
    if (answer === undefined) throw new Error(`Ruby code uses a server function on a node: ${question}`)
    return answer
  }

  #changed(type: string, title: string, name: string, value: Json): Json {
    this.#changes.push({ type, title, name, value })
    return null
  }

  /** Adds log lines, each `[level, message, source]`, up to the limit of one call. */
  log(lines: readonly Json[]): Json {
    for (const each of lines) {
      if (this.#logs.length > mostLines || this.#said > mostText) break
      const [level, message, source] = each as readonly Json[]
      const line = { level: String(level), message: String(message) }
      this.#said += line.message.length
      if (this.#logs.length === mostLines || this.#said > mostText) this.#logs.push(tooMuch)
      else this.#logs.push(typeof source === 'string' ? { ...line, source } : line)
    }
    return null
  }
}

const tooMuch: RubyLine = {
  level: 'warning',
  message: 'The log of the Ruby code exceeds the limit; further messages are dropped',
}

function toNodeError(error: unknown): NodeError {
  if (error instanceof RubyError) {
    const [file, line] = error.place
    return { kind: error.kind, message: error.diagnostic.message, file, line }
  }
  return { kind: 'crash', message: formatError(error), file: null, line: 0 }
}

/**
 * Writes Ruby's output directly to the descriptors of this process. With `process.stdout` in a thread, the main thread
 * would write the output later or never.
 */
export function printOutput([text, isError]: readonly Json[]): Json {
  let rest = Buffer.from(String(text))
  while (rest.length > 0) rest = rest.subarray(writeBytes(isError === true ? 2 : 1, rest))
  return null
}

/** Returns the number of written bytes: 0 for a full non-blocking pipe, all bytes for a closed pipe. */
function writeBytes(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return bytes.length
    sleep(1_000_000n)
    return 0
  }
}

const sleeping = new Int32Array(new SharedArrayBuffer(4))

function sleep(nanoseconds: bigint): void {
  if (nanoseconds > 0n) Atomics.wait(sleeping, 0, 0, Number(nanoseconds / 1000n) / 1000)
}
