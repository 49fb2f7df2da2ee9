import { resolveScriptPath } from '../../base/program/script-path.ts'
import { NoAnswerError, WorkerThread } from '../../base/threads/worker-thread.ts'
import type { TreeFile } from './impact-request.ts'
import type { NodeChange } from './node-change.ts'

/** Two catalogs or two files to compare. */
export type CompareQuestion =
  | { readonly kind: 'catalogs'; readonly from: Uint8Array; readonly to: Uint8Array }
  | { readonly kind: 'files'; readonly from: TreeFile; readonly to: TreeFile }

/** The difference between two catalogs or files. */
export type CompareAnswer =
  | { readonly kind: 'catalogs'; readonly change: NodeChange | undefined }
  | { readonly kind: 'files'; readonly patch: string }

/** Time limit of a comparison in milliseconds. The largest catalogs take half a second. */
const timeMs = 60_000

/** Compares catalogs on a separate thread, since parsing them would block a server. */
export class Comparer {
  readonly #thread = new WorkerThread<CompareQuestion, CompareAnswer>({
    script: resolveScriptPath(new URL('./compare-thread.js', import.meta.url)),
    stackSizeMb: 16,
    heapMb: 1024,
    timeMs,
  })

  /**
   * Compares two catalogs of a node. `change` is undefined for equal catalogs. Returns `undefined`
   * if the catalogs are too large to compare.
   */
  async catalogs(from: Uint8Array, to: Uint8Array): Promise<{ readonly change: NodeChange | undefined } | undefined> {
    const answer = await this.#ask({ kind: 'catalogs', from, to })
    return answer?.kind === 'catalogs' ? answer : undefined
  }

  /** Returns the line difference of two files; `undefined` if they are too large to compare. */
  async files(from: TreeFile, to: TreeFile): Promise<string | undefined> {
    const answer = await this.#ask({ kind: 'files', from, to })
    return answer?.kind === 'files' ? answer.patch : undefined
  }

  async #ask(question: CompareQuestion): Promise<CompareAnswer | undefined> {
    try {
      return await this.#thread.ask(question)
    } catch (error) {
      if (error instanceof NoAnswerError) return undefined
      throw error
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
