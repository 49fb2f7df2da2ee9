import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { isMissingFileError } from '../../base/system-error.ts'
import { readBoundedFile } from '../../machine/system/bounded-file.ts'
import { FileLock } from '../../machine/system/file-lock.ts'
import { formatFullName } from './compact-index.ts'
import { type GemDependency, isGemName, normalizeRequirement } from './gem-requirement.ts'
import { compareGemVersions, parseGemVersion } from './gem-version.ts'
import { gemIssues as issues } from './issues.ts'

/** A gem in a directory. */
export interface InstalledGem {
  readonly name: string
  readonly version: string
  readonly platform: string
  readonly dependencies: readonly GemDependency[]
}

/** Parts of a gem that is complete, but not yet installed. */
export interface StagedGem extends InstalledGem {
  /** The unpacked files. */
  readonly folder: string
  /** The gem's own file. */
  readonly file: string
  readonly gemspec: string
}

/** Prefixes of temporary names. A killed process leaves them; the next process removes or restores them. */
const [staging, unfinished] = ['.staging-', '.unfinished-']

/**
 * A directory of gems in the layout of RubyGems: gems/NAME-VERSION, specifications/NAME-VERSION.gemspec, cache/NAME-VERSION.gem.
 * A gem is installed if it has a gemspec. While a gem changes, the folder `.unfinished-NAME-VERSION` marks it and contains
 * the parts of the version that is replaced.
 */
export class GemDirectory {
  readonly path: string
  readonly #lock: FileLock

  constructor(path: string) {
    this.path = path
    this.#lock = new FileLock(join(path, '.lock'))
  }

  /** Lists the gems by name, the newest version of each first. Throws GEM_TOO_MANY. */
  async list(): Promise<readonly InstalledGem[]> {
    const files = (await readFolder(join(this.path, 'specifications'))).filter((name) => name.endsWith('.gemspec'))
    const most = budgets.gem.installed.bound
    if (files.length > most) throwIssue(issues.GEM_TOO_MANY, { folder: this.path, most })
    const gems: InstalledGem[] = []
    for (const file of files) {
      const gem = await readGemspec(join(this.path, 'specifications', file))
      if (gem) gems.push(gem)
    }
    return gems.sort((one, other) => compareNames(one, other) || comparePreference(one, other))
  }

  /**
   * Runs `work` with a scratch folder that is removed afterwards. Other processes can change the directory meanwhile, so
   * that slow downloads do not block them; see `lock`.
   */
  async stage<Result>(work: (scratch: string) => Promise<Result>): Promise<Result> {
    await mkdir(this.path, { recursive: true, mode: 0o755 })
    const scratch = join(this.path, `${staging}${randomBytes(8).toString('hex')}`)
    const owner = new FileLock(`${scratch}.lock`)
    await this.lock(() => owner.tryAcquire())
    try {
      await mkdir(scratch)
      return await work(scratch)
    } finally {
      await rm(scratch, { recursive: true, force: true })
      await owner.release()
    }
  }

  /** Runs `work`, alone on this machine. Changes of a gem that a killed process left unfinished are reverted first. */
  lock<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#lock.run(async () => {
      await this.#recover()
      return work()
    })
  }

  /** Installs a staged gem, and replaces the same version. Must run within `stage` and `lock`. */
  async commit(gem: StagedGem, scratch: string): Promise<void> {
    const places = this.#places(formatFullName(gem))
    const staged = join(scratch, `${formatFullName(gem)}.gemspec`)
    for (const name of ['gems', 'specifications', 'cache'])
      await mkdir(join(this.path, name), { recursive: true, mode: 0o755 })
    await writeFile(staged, gem.gemspec, { mode: 0o644 })
    await this.#withdraw(places)
    await rename(gem.file, places.cache)
    await rename(gem.folder, places.folder)
    await rename(staged, places.gemspec)
    await discardMark(places, scratch)
  }

  /** Removes a gem. Must run within `stage` and `lock`. */
  async remove(gem: InstalledGem, scratch: string): Promise<void> {
    const places = this.#places(formatFullName(gem))
    await this.#withdraw(places)
    await discardMark(places, scratch)
  }

  /** The file from which a gem was installed; undefined if it is missing. */
  async cachedFile(gem: InstalledGem): Promise<string | undefined> {
    const { cache } = this.#places(formatFullName(gem))
    return (await exists(cache)) ? cache : undefined
  }

  /** Marks a gem as unfinished, and moves the installed version, if there is one, into the mark. */
  async #withdraw(places: Places): Promise<void> {
    await mkdir(places.mark)
    // The folder comes last: if the mark contains it, the mark contains all parts.
    for (const part of ['gemspec', 'cache', 'folder'] as const)
      if (await exists(places[part])) await rename(places[part], join(places.mark, part))
  }

  async #recover(): Promise<void> {
    const names = await readFolder(this.path)
    const scratches = names.flatMap((name) => /^\.staging-[0-9a-f]+/.exec(name)?.[0] ?? [])
    for (const scratch of new Set(scratches)) await this.#removeAbandoned(scratch, names)
    for (const name of names)
      if (name.startsWith(unfinished)) await restore(this.#places(name.slice(unfinished.length)))
  }

  /** Removes a scratch folder and the files of its lock, unless a process uses it. */
  async #removeAbandoned(scratch: string, names: readonly string[]): Promise<void> {
    const owner = new FileLock(join(this.path, `${scratch}.lock`))
    if (!(await owner.tryAcquire())) return
    for (const name of names)
      if (name.startsWith(scratch)) await rm(join(this.path, name), { recursive: true, force: true })
    await owner.release()
  }

  #places(fullName: string): Places {
    return {
      mark: join(this.path, `${unfinished}${fullName}`),
      gemspec: join(this.path, 'specifications', `${fullName}.gemspec`),
      folder: join(this.path, 'gems', fullName),
      cache: join(this.path, 'cache', `${fullName}.gem`),
    }
  }
}

interface Places {
  readonly mark: string
  readonly gemspec: string
  readonly folder: string
  readonly cache: string
}

/** Removes the mark in one step, since a part of it would be restored. */
async function discardMark({ mark }: Places, scratch: string): Promise<void> {
  await rename(mark, join(scratch, `replaced-${randomBytes(4).toString('hex')}`))
}

/** Reverts an unfinished change, so that the version from before is installed, or none. A finished change stays. */
async function restore(places: Places): Promise<void> {
  const { mark } = places
  if (!(await exists(places.gemspec))) {
    const hasReplaced = await exists(join(mark, 'gemspec'))
    const isWithdrawn = !hasReplaced || (await exists(join(mark, 'folder')))
    for (const part of ['cache', 'folder', 'gemspec'] as const) {
      const replaced = join(mark, part)
      if (isWithdrawn) await rm(places[part], { recursive: true, force: true })
      if (hasReplaced && (await exists(replaced))) await rename(replaced, places[part])
    }
  }
  await rm(mark, { recursive: true, force: true })
}

/** Negative if the first gem is newer. */
export function comparePreference(one: Pick<InstalledGem, 'version'>, other: Pick<InstalledGem, 'version'>): number {
  return compareGemVersions(parseGemVersion(other.version)!, parseGemVersion(one.version)!)
}

function compareNames(one: InstalledGem, other: InstalledGem): number {
  if (one.name === other.name) return 0
  return one.name < other.name ? -1 : 1
}

/** Reads name, version and dependencies of a gemspec that RubyGems wrote; undefined if it has another form. */
async function readGemspec(path: string): Promise<InstalledGem | undefined> {
  const text = await readBoundedFile(path, budgets.gem.gemspec.bound).then(
    (bytes) => bytes.toString('utf8'),
    () => '',
  )
  const [, name = '', version = '', platform = 'ruby'] = /^# stub: (\S+) (\S+) (\S+)/m.exec(text) ?? []
  if (!isGemName(name) || version === '' || !parseGemVersion(version)) return undefined
  return { name, version, platform, dependencies: parseDependencies(text) }
}

function parseDependencies(text: string): readonly GemDependency[] {
  const method = text.includes('add_runtime_dependency') ? 'add_runtime_dependency' : 'add_dependency'
  return text.split('\n').flatMap((line) => {
    const [, called, name = '', list = ''] =
      /^s\.(add_\w+)\(%q<([\w.-]+)>(?:\.freeze)?, \[(.*)\]\)$/.exec(line.trim()) ?? []
    if (called !== method) return []
    const bounds = Array.from(list.matchAll(/"([^"]*)"/g), ([, bound = '']) => normalizeRequirement(bound) ?? bound)
    return [{ name, requirements: bounds }]
  })
}

async function readFolder(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).sort()
  } catch (error) {
    if (isMissingFileError(error)) return []
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (isMissingFileError(error)) return false
    throw error
  }
}
