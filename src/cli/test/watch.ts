import { type FSWatcher, watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds without a change after which a run starts. */
const quietMs = 150
/** Longest time that a run waits for the end of changes, in milliseconds. */
const longestWaitMs = 2_000
/** Largest number of changed paths that are kept; more count as a change of everything. */
const mostPaths = 1_000

/** Folders whose changes have no effect on tests. */
const ignored =
  /(?:^|\/)(?:\.git|node_modules|coverage|pkg)(?:\/|$)|\.tmp$|^\.fixtures\.lock$|^spec\/fixtures\/modules\//

/** Changes of files below a folder. */
export class FileChanges {
  readonly #watcher: FSWatcher
  readonly #paths = new Set<string>()
  readonly #signal: AbortSignal
  #last = 0
  #wake = () => {}

  /** Watches until `signal` is aborted. */
  constructor(folder: string, signal: AbortSignal) {
    this.#signal = signal
    this.#watcher = watch(folder, { recursive: true, signal }, (_, name) => this.#add(name ?? ''))
    this.#watcher.on('error', () => this.#add(''))
    signal.addEventListener('abort', () => this.#wake())
  }

  /**
   * Waits for changes and for their end. Returns the changed paths; undefined if they are unknown or too many; an empty
   * list after the end of the watch.
   */
  async next(): Promise<readonly string[] | undefined> {
    while (this.#paths.size === 0 && !this.#signal.aborted)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    const began = performance.now()
    while (
      !this.#signal.aborted &&
      performance.now() - this.#last < quietMs &&
      performance.now() - began < longestWaitMs
    )
      await sleep(quietMs / 3)
    if (this.#signal.aborted) return []
    const paths = [...this.#paths]
    this.#paths.clear()
    return paths.includes('') || paths.length > mostPaths ? undefined : paths
  }

  #add(path: string): void {
    if (ignored.test(path)) return
    if (this.#paths.size <= mostPaths) this.#paths.add(path)
    this.#last = performance.now()
    this.#wake()
  }
}
