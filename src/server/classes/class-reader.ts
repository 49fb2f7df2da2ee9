import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { resolveScriptPath } from '../../base/program/script-path.ts'
import { type NoAnswerError, WorkerThread } from '../../base/threads/worker-thread.ts'
import type { ClassQuestion } from './class-thread.ts'
import { formatManifestError } from './manifest-classes.ts'

/** Maximum size of the cache, in characters. */
const mostKept = 64 * 1024 * 1024

/**
 * Parses the classes of manifests on a thread, one at a time. A manifest that exceeds the time
 * limit ends the thread. Results are cached by object id and path.
 */
export class ClassReader {
  readonly #known = new LRUCache<string, string>({ maxSize: mostKept, sizeCalculation: (said) => said.length + 100 })
  readonly #under = new Map<string, Promise<string>>()
  readonly #thread = new WorkerThread<ClassQuestion, string>({
    script: resolveScriptPath(new URL('./class-thread.js', import.meta.url)),
    stackSizeMb: 48,
    heapMb: 512,
    timeMs: budgets.environment.classesTime.bound,
  })

  /** Entry of a manifest in `environment_classes`, as JSON. */
  read(path: string, oid: string | undefined, text: () => string): Promise<string> {
    const key = `${oid}:${path}`
    const known = this.#known.get(key) ?? this.#under.get(key)
    if (known !== undefined) return Promise.resolve(known)
    const said = this.#ask(path, text()).then((said) => {
      this.#known.set(key, said)
      this.#under.delete(key)
      return said
    })
    this.#under.set(key, said)
    return said
  }

  /** Ends the thread; a pending read gets no result. */
  close(): Promise<void> {
    return this.#thread.close()
  }

  #ask(path: string, text: string): Promise<string> {
    return this.#thread
      .ask({ path, text })
      .catch((why: NoAnswerError) => formatManifestError(path, formatReadFailure(why)))
  }
}

function formatReadFailure({ reason, message }: NoAnswerError): string {
  return reason === 'time' ? `Reading it ${message}` : message
}
