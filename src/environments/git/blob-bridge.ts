import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets.ts'
import { askThrough, openThreadBridge, type ThreadBridge } from '../../base/thread-bridge.ts'
import type { ReadBlob } from './git-tree.ts'

const largestBlob = budgets.environment.codeBlob.bound
/** Bytes of blobs that a thread keeps. */
const maxCachedBytes = 32 * 1024 * 1024

/** Reads, on the thread that has the repository, the blobs that a worker asks for. */
export function openBlobBridge(read: (oid: string, limit: { maxBytes: number }) => Promise<Uint8Array>): ThreadBridge {
  return openThreadBridge((oid: string) => read(oid, { maxBytes: largestBlob }))
}

/** Reads blobs in a worker as if they lay there; a bounded number of bytes is kept. */
export function readThrough(bridge: ThreadBridge): ReadBlob {
  const ask = askThrough<string, Uint8Array>(bridge)
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ length }) => length + 1,
  })
  return (oid) => {
    const bytes = kept.get(oid) ?? ask(oid)
    kept.set(oid, bytes)
    return bytes
  }
}
