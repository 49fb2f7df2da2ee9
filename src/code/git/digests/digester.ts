import { budgets } from '../../../base/budgets/budgets.ts'
import type { DigestRecipe } from '../../../base/bytes/digest.ts'
import { resolveScriptPath } from '../../../base/program/script-path.ts'
import { unpackError } from '../../../base/threads/packed-error.ts'
import { WorkerThread } from '../../../base/threads/worker-thread.ts'
import type { DigestAnswer, DigestQuestion, DigestSource } from './digest-thread.ts'

/** Milliseconds after which an unused thread ends. */
const idleMs = 10_000

/** Computes digests of large files and blobs, one at a time, in a thread that reads them in parts. */
export class Digester {
  readonly #thread = new WorkerThread<DigestQuestion, DigestAnswer>({
    script: resolveScriptPath(new URL('./digest-thread.js', import.meta.url)),
    stackSizeMb: 4,
    heapMb: 64,
    newHeapMb: 1,
    timeMs: budgets.environment.digestTime.bound,
    idleMs,
  })

  /** Returns the hex digest. Throws the reader's error, or NoAnswerError after the time limit. */
  async digest(source: DigestSource, recipe: DigestRecipe): Promise<string> {
    const answer = await this.#thread.ask({ source, recipe })
    if ('error' in answer) throw unpackError(answer.error)
    return answer.digest
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
