import type { ChildProcess } from 'node:child_process'
import { endWithParent, forkScript } from '../program/script-process.ts'
import { type PackedError, packError, unpackError } from './packed-error.ts'
import { NoAnswerError } from './worker-thread.ts'

interface Asking<Question> {
  readonly id: number
  readonly question: Question
}

type Answered<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly error: PackedError }

interface Asked<Answer> {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

/**
 * A child process that handles several requests concurrently. The first request starts it, and the
 * next request after its exit restarts it. It keeps the current process alive only while responses
 * are pending.
 */
export class WorkerProcess<Question, Answer> {
  readonly #script: URL
  readonly #asked = new Map<number, Asked<Answer>>()
  #process: ChildProcess | undefined
  #lastId = 0

  /** `script` must call `answerParentProcess`. */
  constructor(script: URL) {
    this.#script = script
  }

  /**
   * Sends a request. Rejects with the error that the child process sent, or with NoAnswerError if
   * it exits.
   */
  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.#asked.set(id, { resolve, reject })
      try {
        this.#process ??= this.#start()
        this.#hold(this.#process)
        this.#process.send({ id, question } satisfies Asking<Question>)
      } catch (error) {
        this.#refuse(id, error instanceof Error ? error.message : String(error))
      }
    })
  }

  /** Disconnects the child process. Pending requests fail. */
  close(): void {
    this.#lost(this.#process, 'the server is stopping')
  }

  #start(): ChildProcess {
    const process = forkScript(this.#script)
    process.on('message', (answered: Answered<Answer>) => this.#hear(answered))
    process.on('error', ({ message }) => this.#lost(process, message))
    process.on('exit', () => this.#lost(process, 'the process of the request has exited'))
    return process
  }

  #hear(answered: Answered<Answer>): void {
    const asked = this.#asked.get(answered.id)
    this.#asked.delete(answered.id)
    if (this.#process) this.#hold(this.#process)
    if ('answer' in answered) asked?.resolve(answered.answer)
    else asked?.reject(unpackError(answered.error))
  }

  /** Keeps the current process alive only while responses are pending. */
  #hold(process: ChildProcess): void {
    for (const each of [process, process.channel]) this.#asked.size > 0 ? each?.ref() : each?.unref()
  }

  #lost(process: ChildProcess | undefined, why: string): void {
    if (this.#process !== process) return
    this.#process = undefined
    if (process?.connected) process.disconnect()
    for (const id of [...this.#asked.keys()]) this.#refuse(id, why)
  }

  #refuse(id: number, why: string): void {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    asked?.reject(new NoAnswerError('ended', why))
  }
}

/**
 * Handles requests in the child process. Sends an error to the parent if handling a request fails.
 */
export function answerParentProcess<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  endWithParent()
  const sendAnswer = (answered: Answered<Answer>) => {
    if (process.connected) process.send?.(answered)
  }
  process.on('message', async ({ id, question }: Asking<Question>) => {
    await answer(question).then(
      (content) => sendAnswer({ id, answer: content }),
      (error: unknown) => sendAnswer({ id, error: packError(error) }),
    )
  })
}
