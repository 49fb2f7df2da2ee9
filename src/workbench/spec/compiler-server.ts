import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { toBufferView } from '../../base/bytes/buffer-view.ts'
import { resolveScriptPath } from '../../base/program/script-path.ts'
import { openThreadBridge } from '../../base/threads/thread-bridge.ts'
import { NoAnswerError, WorkerThread } from '../../base/threads/worker-thread.ts'
import { CompilerConnection, LineReader, type LineTarget } from './compiler-connection.ts'
import type { SpecSettings } from './spec-compiler.ts'
import type { BlockCall, BlockResult, SpecQuestion, SpecThreadData } from './spec-thread.ts'

/** Memory of a compiler thread. A large heap for new objects saves most of the garbage collection. */
const threadLimits = { stackSizeMb: 48, heapMb: 2048, newHeapMb: 96 }

/**
 * Compiler threads with a connection for each Ruby: a Unix socket in a private folder, or calls of the built-in Ruby's
 * host. A Ruby sends one request at a time, a line of JSON each, and may have to run blocks before the reply.
 */
export class CompilerServer {
  /** Path of the reads: a line of JSON for each path of each spec file. */
  get readsFile(): string {
    return join(this.#folder, 'reads.jsonl')
  }

  /** Path of the socket. */
  readonly path: string
  readonly #folder: string
  readonly #server: Server
  readonly #threads: readonly WorkerThread<SpecQuestion, Uint8Array>[]
  readonly #connections = new Map<number, CompilerConnection>()
  #last = 0

  private constructor(folder: string, threads: number, settings: SpecSettings, module: string | undefined) {
    this.#folder = folder
    this.path = join(folder, 'compiler.sock')
    this.#threads = Array.from({ length: threads }, () => this.#openThread(settings, module))
    this.#server = createServer((socket) => this.#connect(socket))
  }

  /** Starts a server with this number of compiler threads, which record their reads of `module` in `readsFile`. */
  static async open(threads: number, settings: SpecSettings, module?: string): Promise<CompilerServer> {
    const server = new CompilerServer(mkdtempSync(join(tmpdir(), 'plumb-test-')), threads, settings, module)
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject)
      server.#server.listen(server.path, resolve)
    })
    for (const thread of server.#threads) thread.begin()
    return server
  }

  /** Closes all connections and ends the threads. */
  async close(): Promise<void> {
    for (const connection of this.#connections.values()) connection.close()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
    await Promise.all(this.#threads.map((thread) => thread.close()))
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #openThread(settings: SpecSettings, module: string | undefined): WorkerThread<SpecQuestion, Uint8Array> {
    return new WorkerThread({
      script: resolveScriptPath(new URL('./spec-thread.js', import.meta.url)),
      ...threadLimits,
      timeMs: budgets.spec.requestTime.bound,
      data: () => {
        const blocks = openThreadBridge((call: BlockCall) => this.#callBlock(call))
        return {
          workerData: {
            settings,
            blocks,
            reads: module === undefined ? undefined : { module, file: this.readsFile },
          } satisfies SpecThreadData,
          transferList: [blocks.port],
        }
      },
    })
  }

  #callBlock({ connection, block, args }: BlockCall): Promise<BlockResult> {
    const found = this.#connections.get(connection)
    return found ? found.callBlock(block, args) : Promise.resolve({ error: 'the Ruby process has ended' })
  }

  /** Opens a connection for a thread with the built-in Ruby. */
  connectThread(): ThreadConnection {
    let receive: (line: string) => void = () => {}
    const connection = this.#open((line) => receive(typeof line === 'string' ? line : toBufferView(line).toString()))
    return {
      exchange: (line) =>
        new Promise((resolve) => {
          receive = resolve
          connection.take(line)
        }),
      close: () => connection.close(),
    }
  }

  #connect(socket: Socket): void {
    if (this.#connections.size >= budgets.spec.connections.bound) {
      socket.destroy()
      return
    }
    const connection = this.#open(
      (line) => socket.write(line),
      () => socket.destroy(),
    )
    const lines = new LineReader(
      (line) => connection.take(line),
      () => connection.close(),
    )
    socket.on('data', (bytes: Buffer) => lines.receive(bytes))
    socket.on('error', () => connection.close())
    socket.on('close', () => connection.close())
  }

  #open(write: LineTarget['write'], end: () => void = () => {}): CompilerConnection {
    const id = ++this.#last
    const thread = this.#threads[id % this.#threads.length]!
    const close = () => {
      this.#connections.delete(id)
      end()
    }
    const connection = new CompilerConnection({ write, end: close }, (text) =>
      answerRequest(thread, { connection: id, text }),
    )
    this.#connections.set(id, connection)
    return connection
  }
}

/** The compiler, as a thread with the built-in Ruby sees it. */
export interface ThreadConnection {
  /** Sends a line, and returns the line that answers it. */
  exchange(line: string): Promise<string>
  close(): void
}

/** Returns the reply to a request; a reply with an error if the thread exceeds its time or memory. */
async function answerRequest(
  thread: WorkerThread<SpecQuestion, Uint8Array>,
  question: SpecQuestion,
): Promise<Uint8Array> {
  try {
    return await thread.ask(question)
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error
    return Buffer.from(
      `${JSON.stringify({ error: { kind: 'error', message: `The compilation was ended: ${error.message}` } })}\n`,
    )
  }
}
