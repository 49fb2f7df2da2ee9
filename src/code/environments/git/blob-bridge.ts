import { LRUCache } from 'lru-cache'
import { budgets } from '../../../base/budgets/budgets.ts'
import { getDigestRecipe } from '../../../base/bytes/digest.ts'
import { createBridgeCaller, openThreadBridge, type ThreadBridge } from '../../../base/threads/thread-bridge.ts'
import type { GitObjectSource } from '../../git/git-object-source.ts'
import type { DigestAlgorithm } from '../code-tree.ts'
import { Digests } from '../digests.ts'

/** Reads blobs that were not loaded into memory, and computes their digests; both methods block the thread. */
export interface BlobReader {
  /** Throws GIT_OBJECT_TOO_LARGE for a blob larger than the budget `codeBlob`. */
  read(oid: string): Uint8Array
  digest(oid: string, algorithm: DigestAlgorithm): string
}

/** A worker's request for the bytes of a blob, or, with `algorithm`, for their digest. */
interface BlobQuestion {
  readonly oid: string
  readonly algorithm?: DigestAlgorithm
}

const maxBytes = budgets.environment.codeBlob.bound
/** Limit of the blobs that a thread caches, in bytes. */
const maxCachedBytes = 32 * 1024 * 1024

/**
 * Handles a worker's requests for blobs, on the thread that has the repository. If the worker needs
 * only a digest, the content is not sent to it; `digests` is also used for the thread's own
 * requests.
 */
export function openBlobBridge(
  source: Pick<GitObjectSource, 'readBlob' | 'digestBlob'>,
  digests: Digests = new Digests(),
): ThreadBridge {
  return openThreadBridge<BlobQuestion, Uint8Array | string>(async ({ oid, algorithm }) =>
    algorithm === undefined
      ? source.readBlob(oid, { maxBytes })
      : digests.learn(oid, algorithm, () => source.digestBlob(oid, getDigestRecipe(algorithm))),
  )
}

/** Reads blobs in a worker through a bridge, with a bounded cache. */
export function createBridgedBlobReader(bridge: ThreadBridge): BlobReader {
  const ask = createBridgeCaller<BlobQuestion, Uint8Array | string>(bridge, budgets.environment.digestTime.bound)
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ length }) => length + 1,
  })
  return {
    read(oid) {
      const bytes = kept.get(oid) ?? (ask({ oid }) as Uint8Array)
      kept.set(oid, bytes)
      return bytes
    },
    digest: (oid, algorithm) => ask({ oid, algorithm }) as string,
  }
}
