import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { describeEnvironment } from './environment-description.ts'
import { isEnvironmentName } from './environment-name.ts'
import { createSnapshotOpener } from './environment-snapshot.ts'
import { suggestEnvironments } from './environment-suggestions.ts'
import type { Environment, EnvironmentStatus, Environments } from './environments.ts'
import { openBlobBridge } from './git/blob-bridge.ts'
import { createModuleFolderMatchers } from './module-folders.ts'
import { serveEnvironment } from './served-environment.ts'
import type { ModuleFolders } from './static-catalog-files.ts'

/**
 * Opens the folders of an environmentpath as environments; each is read again after its
 * environment_timeout.
 */
export function openDirectoryEnvironments(settings: Settings): Environments {
  return new DirectoryEnvironments(settings)
}

interface Kept {
  readonly environment: Environment
  readonly since: number
}

class DirectoryEnvironments implements Environments {
  readonly #settings: Settings
  #kept = new Map<string, Kept>()

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** Always undefined: folders are read on each request, so no error is stored. */
  get trouble(): undefined {
    return undefined
  }

  async list(): Promise<readonly string[]> {
    const folders = await Promise.all(this.#settings.environmentpath.map((path) => readdir(path).catch(() => [])))
    const names = [...new Set(folders.flat())].filter((name) => this.#findDirectory(name) !== undefined)
    const directories = await Promise.all(
      names.map(async (name) => (await stat(this.#findDirectory(name)!)).isDirectory()),
    )
    return names.filter((_, index) => directories[index]).sort()
  }

  getForNode(name: string): Promise<Environment | undefined> {
    return this.get(name)
  }

  async get(name: string): Promise<Environment | undefined> {
    const kept = this.#kept.get(name)
    if (kept && Date.now() - kept.since < kept.environment.settings.environmentTimeout * 1000) return kept.environment
    const directory = this.#findDirectory(name)
    if (directory === undefined || !(await stat(directory)).isDirectory()) {
      this.#kept.delete(name)
      return undefined
    }
    const opener = createSnapshotOpener()
    const tree = { kind: 'folder', directory, root: directory, ofModules: false } as const
    const environment = serveEnvironment(await describeEnvironment(name, tree, this.#settings, opener), opener)
    this.#kept.set(name, { environment, since: Date.now() })
    return environment
  }

  async hintAbout(name: string): Promise<string> {
    const known = (await this.list()).map((each) => ({ name: each, ref: each }))
    return suggestEnvironments(name, known)
  }

  /** Always undefined, since a folder has no commits. */
  async openFile(): Promise<undefined> {
    return undefined
  }

  /**
   * Returns the current module folders of the environment; the module folders of other versions of the code are
   * unknown.
   */
  async moduleFolders(name: string): Promise<ModuleFolders> {
    const environment = await this.get(name)
    return environment ? createModuleFolderMatchers(environment.settings.modulepath, environment.code.tree.root) : []
  }

  async status(): Promise<readonly EnvironmentStatus[]> {
    return Promise.all((await this.list()).map((name) => this.#readStatus(name)))
  }

  async refresh(): Promise<void> {
    this.#kept = new Map()
  }

  /** Does nothing, since folders are read on each request. */
  async look(): Promise<void> {}

  bridge(): ThreadBridge {
    const rejectBlobRead = async (oid: string) => Promise.reject(new Error(`a directory has no blob ${oid}`))
    return openBlobBridge({ readBlob: rejectBlobRead, digestBlob: rejectBlobRead })
  }

  async close(): Promise<void> {
    this.#kept = new Map()
  }

  async #readStatus(name: string): Promise<EnvironmentStatus> {
    const ref = this.#findDirectory(name) ?? name
    try {
      const environment = await this.get(name)
      const since = this.#kept.get(name)?.since
      return { name, ref, commit: undefined, since, refused: undefined, warnings: environment?.warnings ?? [] }
    } catch (error) {
      const reason = formatError(error)
      return { name, ref, commit: undefined, since: undefined, refused: { commit: undefined, reason }, warnings: [] }
    }
  }

  /** Returns the first folder on the environmentpath that has this name. */
  #findDirectory(name: string): string | undefined {
    if (!isEnvironmentName(name)) return undefined
    return this.#settings.environmentpath.map((path) => join(path, name)).find((directory) => existsSync(directory))
  }
}
