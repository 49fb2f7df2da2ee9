import { AskedThread, NoAnswer } from '../../base/threads/asked-thread.ts'
import { builtScript } from '../../base/threads/built-script.ts'
import type { NodeChange } from './node-change.ts'
import type { TreeFile } from './order.ts'

/** Two catalogs, or two files. */
export type CompareQuestion =
  | { readonly kind: 'catalogs'; readonly from: Uint8Array; readonly to: Uint8Array }
  | { readonly kind: 'files'; readonly from: TreeFile; readonly to: TreeFile }

/** The difference between them. */
export type CompareAnswer =
  | { readonly kind: 'catalogs'; readonly change: NodeChange | undefined }
  | { readonly kind: 'files'; readonly patch: string }

/** The largest catalogs take half a second. */
const timeMs = 60_000

/** Compares catalogs on a thread of its own: reading them would hold up a server. */
export class Comparer {
  readonly #thread = new AskedThread<CompareQuestion, CompareAnswer>({
    script: builtScript(new URL('./compare-thread.js', import.meta.url)),
    stackSizeMb: 16,
    heapMb: 1024,
    timeMs,
  })

  /** The change of a node; none in catalogs that are alike. `undefined` where they are too much to compare. */
  async catalogs(from: Uint8Array, to: Uint8Array): Promise<{ readonly change: NodeChange | undefined } | undefined> {
    const answer = await this.#ask({ kind: 'catalogs', from, to })
    return answer?.kind === 'catalogs' ? answer : undefined
  }

  /** The difference of two files, in lines; `undefined` where they are too much to compare. */
  async files(from: TreeFile, to: TreeFile): Promise<string | undefined> {
    const answer = await this.#ask({ kind: 'files', from, to })
    return answer?.kind === 'files' ? answer.patch : undefined
  }

  async #ask(question: CompareQuestion): Promise<CompareAnswer | undefined> {
    try {
      return await this.#thread.ask(question)
    } catch (error) {
      if (error instanceof NoAnswer) return undefined
      throw error
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
