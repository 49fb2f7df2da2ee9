import { join } from 'node:path'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import { findNativeRuby } from '../../../ruby/native/native-ruby-settings.ts'
import { RubyPreload } from '../../../ruby/node/ruby-preload.ts'
import { hasRubyFacts } from '../../facts/ruby-facts.ts'

/** Files and settings that show which threads a run needs. */
export interface ThreadPrestartOptions {
  readonly files: Files
  readonly settings: Pick<Settings, 'plugindest' | 'statedir' | 'ruby_path' | 'ruby_provider'>
}

/**
 * Starts the Ruby threads that a run will probably need, while the run waits for the server: a
 * thread for facts if the node has Ruby facts, then a thread for types if the last run recorded
 * Ruby types in a file.
 */
export class ThreadPrestart {
  readonly #files: Files
  readonly #mark: string
  readonly #hadTypes: boolean
  readonly #nativeRuby: string | undefined
  #hasTypes = false
  #facts: RubyPreload | undefined
  #types: RubyPreload | undefined
  #code: Promise<unknown> | undefined

  private constructor({ files, settings }: ThreadPrestartOptions, hasFacts: boolean, hadTypes: boolean) {
    this.#files = files
    this.#mark = getTypeMarkPath(settings)
    this.#hadTypes = hadTypes
    this.#nativeRuby = findNativeRuby(settings)
    if (hasFacts) this.#facts = new RubyPreload(this.#nativeRuby)
    else this.beginTypes()
  }

  /** Starts the thread for facts, or the thread for types if the node has no Ruby facts. */
  static async begin(options: ThreadPrestartOptions): Promise<ThreadPrestart> {
    const { files, settings } = options
    const hasFacts = await hasRubyFacts(files, { loadPath: [settings.plugindest], folders: [] })
    return new ThreadPrestart(options, hasFacts, (await files.stat(getTypeMarkPath(settings))) !== undefined)
  }

  /** True if a thread was started. */
  get areBegun(): boolean {
    return this.#facts !== undefined || this.#types !== undefined
  }

  get forFacts(): RubyPreload | undefined {
    return this.#facts
  }

  /** Starts the thread for types, if the last run needed one. */
  beginTypes(): void {
    if (!this.#hadTypes || this.#types) return
    this.#types = new RubyPreload(this.#nativeRuby)
    // Imported now, since V8 accepts the code cache only with the flags that it has while a thread loads Ruby.
    this.#code = import('./ruby-run.ts')
  }

  /** Returns the thread for types, if started, and records that the run needs one. */
  forTypes(): RubyPreload | undefined {
    this.#hasTypes = true
    return this.#types
  }

  /** Terminates unused threads. After a catalog, records for the next run whether this run had Ruby types. */
  async close(hadCatalog: boolean): Promise<void> {
    await Promise.all([this.#facts?.close(), this.#types?.close(), this.#code])
    if (!hadCatalog || this.#hasTypes === this.#hadTypes) return
    if (this.#hasTypes) await this.#files.write(this.#mark, '', 0o640)
    else await this.#files.remove(this.#mark)
  }
}

const getTypeMarkPath = ({ statedir }: ThreadPrestartOptions['settings']): string => join(statedir, 'ruby_types')
