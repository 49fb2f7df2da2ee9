import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../../base/budgets/budgets.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { findBlob, isPlainPath } from '../../git/blob-path.ts'
import type { GitObjectSource } from '../../git/git-object-source.ts'
import { isOid } from '../../git/ref-names.ts'
import { readEnvironmentConf } from '../environment-conf.ts'
import { isEnvironmentName } from '../environment-name.ts'
import type { OpenFile } from '../environments.ts'
import { createModuleFolderMatchers } from '../module-folders.ts'
import type { ModuleFolders } from '../static-catalog-files.ts'
import type { GitEnvironmentsOptions } from './git-environments-options.ts'

/** Number of commits whose modulepath is cached. */
const mostCommits = 1000

type CommitFilesOptions = Pick<GitEnvironmentsOptions, 'source' | 'settings' | 'lacking'>

/** Reads files of any commit in a repository, even if no environment serves the commit. */
export class CommitFiles {
  readonly #source: GitObjectSource
  readonly #settings: Settings
  readonly #folders = new LRUCache<string, ModuleFolders>({ max: mostCommits })

  readonly #lacking: CommitFilesOptions['lacking']

  constructor({ source, settings, lacking }: CommitFilesOptions) {
    this.#source = source
    this.#settings = settings
    this.#lacking = lacking
  }

  /** Opens a file of a commit; `undefined` if the file is missing or its name is invalid. */
  async openFile(codeId: string, path: string): Promise<OpenFile | undefined> {
    if (!isPlainPath(path) || !(await this.#isCommit(codeId))) return undefined
    const oid = await findBlob(this.#source, codeId, path)
    return oid === undefined ? undefined : { ...(await this.#source.openBlob(oid)), identity: oid }
  }

  /** Returns the module folders configured in the environment.conf of a commit; empty if the commit is missing. */
  async moduleFolders(name: string, codeId: string): Promise<ModuleFolders> {
    if (!isEnvironmentName(name)) return []
    const key = `${codeId} ${name}`
    const known = this.#folders.get(key)
    if (known) return known
    if (!(await this.#isCommit(codeId))) return []
    const folders = await this.#read(name, codeId)
    this.#folders.set(key, folders)
    return folders
  }

  async #read(name: string, codeId: string): Promise<ModuleFolders> {
    const root = join(this.#settings.environmentpath[0]!, name)
    const oid = await findBlob(this.#source, codeId, 'environment.conf')
    const text = oid && (await this.#source.readBlob(oid, { maxBytes: budgets.push.codeFile.bound })).toString()
    const { settings } = readEnvironmentConf({ file: join(root, 'environment.conf'), text }, name, this.#settings)
    return createModuleFolderMatchers(settings.modulepath, root)
  }

  async #isCommit(codeId: string): Promise<boolean> {
    if (!isOid(codeId)) return false
    const isCommitPresent = async () => (await this.#source.resolveRef(codeId)) === codeId
    if (await isCommitPresent()) return true
    await this.#lacking?.(codeId)
    return this.#lacking !== undefined && isCommitPresent()
  }
}
