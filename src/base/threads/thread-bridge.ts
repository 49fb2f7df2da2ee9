import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { type PackedError, packError, unpackError } from './packed-error.ts'

/** The worker's end of a bridge: pass it in `workerData`, with the port in the transfer list. */
export interface ThreadBridge {
  readonly port: MessagePort
  /** Number of responses sent so far; the worker waits for a change with `Atomics.wait`. */
  readonly signal: SharedArrayBuffer
}

type Answer<T> = { readonly value: T } | { readonly error: PackedError }

/**
 * A numbered message, so that a late response to a request that timed out is not used for a later
 * request.
 */
type Numbered<T> = readonly [number: number, content: T]

/** Default time that a worker waits for a response, in milliseconds. */
const answerTimeoutMs = 60_000

/**
 * Opens a bridge on the current thread, which handles a worker's requests. The bridge closes when
 * the worker ends.
 */
export function openThreadBridge<Question, T>(answer: (question: Question) => T | Promise<T>): ThreadBridge {
  const { port1, port2 } = new MessageChannel()
  const signal = new SharedArrayBuffer(4)
  const answers = new Int32Array(signal)
  port1.on('message', async ([number, question]: Numbered<Question>) => {
    port1.postMessage([number, await packAnswer(() => answer(question))] satisfies Numbered<Answer<T>>)
    Atomics.add(answers, 0, 1)
    Atomics.notify(answers, 0)
  })
  port1.unref()
  return { port: port2, signal }
}

/**
 * Returns a function for the worker that sends a request and blocks until the response arrives.
 * Throws the other thread's error.
 */
export function createBridgeCaller<Question, T>(
  { port, signal }: ThreadBridge,
  timeoutMs = answerTimeoutMs,
): (question: Question) => T {
  const answers = new Int32Array(signal)
  let last = 0
  const receiveAnswer = (number: number): Answer<T> | undefined => {
    for (;;) {
      const received = receiveMessageOnPort(port)?.message as Numbered<Answer<T>> | undefined
      if (!received) return undefined
      if (received[0] === number) return received[1]
    }
  }
  return (question) => {
    const number = ++last
    const until = Date.now() + timeoutMs
    port.postMessage([number, question] satisfies Numbered<Question>)
    for (;;) {
      const before = Atomics.load(answers, 0)
      const answer = receiveAnswer(number)
      if (answer) return unpackAnswer(answer)
      if (Atomics.wait(answers, 0, before, Math.max(0, until - Date.now())) === 'timed-out')
        throw new Error('no response from the main thread')
    }
  }
}

/** Returns a function like that of `createBridgeCaller`, which opens the bridge at its first request. */
export function createLazyBridgeCaller<Question, T>(
  open: () => ThreadBridge,
  timeoutMs?: number,
): (question: Question) => T {
  let send: ((question: Question) => T) | undefined
  return (question) => {
    send ??= createBridgeCaller<Question, T>(open(), timeoutMs)
    return send(question)
  }
}

function unpackAnswer<T>(answer: Answer<T>): T {
  if ('value' in answer) return answer.value
  throw unpackError(answer.error)
}

async function packAnswer<T>(work: () => T | Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    return { error: packError(error) }
  }
}
