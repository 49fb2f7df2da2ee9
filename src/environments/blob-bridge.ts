import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { type Diagnostic, PuppetError } from '../base/issue.ts'
import type { ReadBlob } from './git-tree.ts'

/** A worker's end: give it to the worker as `workerData`, the port in its transfer list. */
export interface BlobBridge {
  readonly port: MessagePort
  /** Counts the answers; the worker sleeps on it. */
  readonly signal: SharedArrayBuffer
}

type Answer = { readonly bytes: Uint8Array } | { readonly error: string; readonly diagnostic: Diagnostic | undefined }

/** How long a worker waits for a blob, in milliseconds. */
const patience = 60_000
const largestBlob = 256 * 1024 * 1024
const mostBytes = 32 * 1024 * 1024

/** Answers, on the thread that has the repository, what a worker asks. It ends when the worker does. */
export function openBlobBridge(read: (oid: string, limit: { maxBytes: number }) => Promise<Uint8Array>): BlobBridge {
  const { port1, port2 } = new MessageChannel()
  const signal = new SharedArrayBuffer(4)
  const answers = new Int32Array(signal)
  port1.on('message', async (oid: string) => {
    port1.postMessage(await answerOf(() => read(oid, { maxBytes: largestBlob })))
    Atomics.add(answers, 0, 1)
    Atomics.notify(answers, 0)
  })
  port1.unref()
  return { port: port2, signal }
}

/** Reads blobs in a worker as if they lay there; a bounded number of bytes is kept. */
export function readThrough({ port, signal }: BlobBridge): ReadBlob {
  const answers = new Int32Array(signal)
  const kept = new LRUCache<string, Uint8Array>({ maxSize: mostBytes, sizeCalculation: ({ length }) => length + 1 })
  return (oid) => {
    const known = kept.get(oid)
    if (known) return known
    const before = Atomics.load(answers, 0)
    port.postMessage(oid)
    if (Atomics.wait(answers, 0, before, patience) === 'timed-out') throw new Error(`no answer about blob ${oid}`)
    const answer = receiveMessageOnPort(port)?.message as Answer
    if ('bytes' in answer) {
      kept.set(oid, answer.bytes)
      return answer.bytes
    }
    throw answer.diagnostic ? new PuppetError(answer.diagnostic) : new Error(answer.error)
  }
}

async function answerOf(read: () => Promise<Uint8Array>): Promise<Answer> {
  try {
    return { bytes: await read() }
  } catch (error) {
    const diagnostic = error instanceof PuppetError ? error.diagnostic : undefined
    return { error: String(error), diagnostic }
  }
}
