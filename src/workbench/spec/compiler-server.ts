import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { resolveScriptPath } from '../../base/threads/script-path.ts'
import { openThreadBridge } from '../../base/threads/thread-bridge.ts'
import { NoAnswerError, WorkerThread } from '../../base/threads/worker-thread.ts'
import type { SpecSettings } from './spec-compiler.ts'
import type { BlockCall, BlockResult, SpecQuestion, SpecThreadData } from './spec-thread.ts'

/** Memory of a compiler thread. A large heap for new objects saves most of the garbage collection. */
const threadLimits = { stackSizeMb: 48, heapMb: 2048, newHeapMb: 96 }

const lineEnd = 0x0a

/**
 * Compiler threads behind a Unix socket in a private folder. Ruby processes send one request at a time on their
 * connection, a line of JSON each, and may have to run blocks before the reply.
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
  readonly #connections = new Map<number, Connection>()
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

  #connect(socket: Socket): void {
    if (this.#connections.size >= budgets.spec.connections.bound) {
      socket.destroy()
      return
    }
    const id = ++this.#last
    const thread = this.#threads[id % this.#threads.length]!
    const connection = new Connection(socket, (text) => answerRequest(thread, { connection: id, text }))
    this.#connections.set(id, connection)
    socket.on('close', () => {
      this.#connections.delete(id)
      connection.close()
    })
  }
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

/** The connection of one Ruby process. */
class Connection {
  readonly #socket: Socket
  readonly #answer: (text: string) => Promise<Uint8Array>
  readonly #pieces: Buffer[] = []
  #size = 0
  #block: ((result: BlockResult) => void) | undefined

  constructor(socket: Socket, answer: (text: string) => Promise<Uint8Array>) {
    this.#socket = socket
    this.#answer = answer
    socket.on('data', (bytes: Buffer) => this.#receive(bytes))
    socket.on('error', () => this.close())
  }

  /** Sends a call of a block, and waits for its result. */
  callBlock(block: number, args: unknown): Promise<BlockResult> {
    return new Promise((resolve) => {
      this.#block = resolve
      this.#socket.write(`${JSON.stringify({ block, args })}\n`)
    })
  }

  close(): void {
    this.#socket.destroy()
    this.#block?.({ error: 'the Ruby process has ended' })
    this.#block = undefined
  }

  #receive(bytes: Buffer): void {
    let rest = bytes
    for (let end = rest.indexOf(lineEnd); end !== -1; end = rest.indexOf(lineEnd)) {
      this.#pieces.push(rest.subarray(0, end))
      const line = Buffer.concat(this.#pieces.splice(0)).toString()
      this.#size = 0
      rest = rest.subarray(end + 1)
      this.#take(line)
    }
    this.#pieces.push(rest)
    this.#size += rest.length
    if (this.#size > budgets.spec.request.bound) this.close()
  }

  /** Handles a line: a request, or the result of a block. An invalid line closes the connection. */
  #take(line: string): void {
    if (line.startsWith('[')) void this.#answer(line).then((reply) => this.#socket.write(reply))
    else this.#takeResult(line)
  }

  #takeResult(line: string): void {
    try {
      const result = JSON.parse(line) as BlockResult
      if (!this.#block || typeof result !== 'object' || result === null) throw new Error('no result is expected')
      const resolve = this.#block
      this.#block = undefined
      resolve(result)
    } catch {
      this.close()
    }
  }
}
