import { AskedThread } from '../base/asked-thread.ts'
import { builtScript } from '../base/built-script.ts'
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

  /** The change of a node. Throws NoAnswer. */
  async catalogs(from: Uint8Array, to: Uint8Array): Promise<NodeChange | undefined> {
    const answer = await this.#thread.ask({ kind: 'catalogs', from, to })
    return answer.kind === 'catalogs' ? answer.change : undefined
  }

  /** The difference of two files, in lines. Throws NoAnswer. */
  async files(from: TreeFile, to: TreeFile): Promise<string> {
    const answer = await this.#thread.ask({ kind: 'files', from, to })
    return answer.kind === 'files' ? answer.patch : ''
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
