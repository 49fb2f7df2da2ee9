import { budgets } from '../../base/budgets/budgets.ts'
import type { BlockResult } from './spec-thread.ts'

const lineEnd = 0x0a

/** The way back to a Ruby. */
export interface LineTarget {
  /** Sends a line, with its end. */
  write(line: string | Uint8Array): void
  /** Ends the connection. */
  end(): void
}

/** The connection of one Ruby: requests to the compiler, and calls of blocks before their replies. */
export class CompilerConnection {
  readonly #target: LineTarget
  readonly #answer: (text: string) => Promise<Uint8Array>
  #block: ((result: BlockResult) => void) | undefined

  constructor(target: LineTarget, answer: (text: string) => Promise<Uint8Array>) {
    this.#target = target
    this.#answer = answer
  }

  /** Sends a call of a block, and waits for its result. */
  callBlock(block: number, args: unknown): Promise<BlockResult> {
    return new Promise((resolve) => {
      this.#block = resolve
      this.#target.write(`${JSON.stringify({ block, args })}\n`)
    })
  }

  /** Handles a line: a request, or the result of a block. An invalid line closes the connection. */
  take(line: string): void {
    if (line.startsWith('[')) void this.#answer(line).then((reply) => this.#target.write(reply))
    else this.#takeResult(line)
  }

  close(): void {
    this.#target.end()
    this.#block?.({ error: 'the Ruby process has ended' })
    this.#block = undefined
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

/** Splits the bytes of a socket into lines. */
export class LineReader {
  readonly #pieces: Buffer[] = []
  readonly #take: (line: string) => void
  readonly #exceed: () => void
  #size = 0

  /** `exceed` is called if a line is too long. */
  constructor(take: (line: string) => void, exceed: () => void) {
    this.#take = take
    this.#exceed = exceed
  }

  receive(bytes: Buffer): void {
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
    if (this.#size > budgets.spec.request.bound) this.#exceed()
  }
}
