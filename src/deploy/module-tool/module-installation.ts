import { existsSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import {
  acceptsVersion,
  getModuleFolderName,
  type ReleaseNode,
  type Resolution,
  resolveRelease,
} from './dependency-resolution.ts'
import {
  type ForgeModules,
  type InstallableRelease,
  isModuleSlug,
  openArchiveFile,
  parseCandidate,
} from './forge-modules.ts'
import { getVersion, type InstalledModule, type InstalledModules, toCandidate } from './installed-modules.ts'
import { moduleToolIssues as issues } from './issues.ts'
import { readMetadataFile } from './metadata-file.ts'
import { listChangedFiles } from './module-checksums.ts'
import { ModuleDirectory, unpackModule } from './module-directory.ts'

/** The environment of a change: installed modules, the Forge, and messages. */
export interface ModuleToolContext {
  readonly installed: InstalledModules
  readonly forge: ForgeModules
  /** Maximum size of an unpacked module in bytes. */
  readonly maxBytes: number
  notice(message: string): void
  warn(message: string): void
}

/** Options of an installation and of an upgrade. */
export interface InstallRequest {
  readonly name: string
  readonly version: string | undefined
  readonly force: boolean
  readonly ignoresDependencies: boolean
}

/** An installed release in a tree of dependencies. */
export interface InstalledRelease {
  readonly name: string
  readonly version: string
  readonly previous: string | undefined
  /** The directory of the modulepath. */
  readonly directory: string
  readonly action: 'install' | 'upgrade'
  readonly dependencies: readonly InstalledRelease[]
}

/** The result of an installation or upgrade. */
export type InstallResult =
  | { readonly kind: 'installed'; readonly directory: string; readonly tree: InstalledRelease }
  | { readonly kind: 'unchanged'; readonly version: string; readonly message: string }

/** A candidate: an installed module, or a release that can be downloaded. */
type Candidate = (InstallableRelease | ReturnType<typeof toCandidate>) &
  Partial<Pick<InstallableRelease, 'withArchive'>>
type Node = ReleaseNode<Candidate>

/**
 * Installs a module of the Forge, or of an archive, with its dependencies. Puppet: applications/installer.rb. Throws MODULE_…,
 * ARCHIVE_….
 */
export async function installModule(
  context: ModuleToolContext,
  request: InstallRequest,
  target: string,
): Promise<InstallResult> {
  const { force } = request
  const archive =
    existsSync(request.name) && statSync(request.name).isFile() ? await readLocal(request.name, context) : undefined
  const name = archive?.name ?? request.name.replace('/', '-')
  const requested = archive ? String(archive.version) : request.version
  if (!archive) requireSlug(name, request.name)
  const range = requested ?? '>= 0.0.0'
  requireRange(range)
  const before = context.installed.find(name)
  if (before && !force) {
    if (acceptsVersion(range, getVersion(before))) {
      const version = before.version ?? '???'
      return { kind: 'unchanged', version, message: `Module ${request.name} ${version} is already installed.` }
    }
    const isChanged = await hasChanges(before)
    throwIssue(issues.MODULE_ALREADY_INSTALLED, {
      name,
      requested: requested ?? 'latest',
      installed: before.version,
      isChanged,
    })
  }
  await prepareTarget(context, target, { name, requested: requested ?? 'latest' })
  const isAlone = force || request.ignoresDependencies
  if (!(archive && isAlone))
    context.notice(`${context.forge.isOffline ? 'Reading' : 'Downloading'} from ${context.forge.place} ...`)
  const list = async (slug: string): Promise<readonly Candidate[]> => {
    const local = archive && slug === name ? [archive] : []
    if (archive && isAlone) return local
    const own = force ? undefined : context.installed.find(slug)
    return [...local, ...(own ? [toCandidate(own)] : []), ...(await context.forge.list(slug))]
  }
  const resolution = await resolveRelease<Candidate>({
    ...{ name, range, hasUniqueNames: !force },
    constraints: force ? [] : context.installed.listConstraints(name),
    list: isAlone ? async (slug) => (await list(slug)).map(removeDependencies) : list,
  })
  const source = context.forge.url
  if (resolution.candidates.length === 0)
    throwIssue(issues.MODULE_NO_CANDIDATE, { action: 'install', name, source, requested: requested ?? 'latest' })
  const { solution } = resolution
  if (!solution) return throwNoSolution(context, resolution, name, requested)
  if (!force) checkConflicts(context, solution, name, requested ?? 'latest')
  const directories = new Map(
    solution.map(({ release }) => [
      release.name,
      (force ? undefined : context.installed.find(release.name)?.directory) ?? target,
    ]),
  )
  await changeDirectories(context, solution, directories, 'Installing')
  const tree = buildTree({ context, solution, directories, showsInstalled: true, force }, solution[0]!, new Set())
  return { kind: 'installed', directory: target, tree }
}

/** Upgrades an installed module. Puppet: applications/upgrader.rb. Throws MODULE_…, ARCHIVE_…. */
export async function upgradeModule(
  context: ModuleToolContext,
  request: InstallRequest & { readonly ignoresChanges: boolean },
): Promise<InstallResult> {
  const { force } = request
  const name = request.name.replace('/', '-')
  const requested = request.version ?? 'latest'
  const module = requireInstalled(context, name)
  const installed = module.version ?? '???'
  context.notice(
    `Found '${name}' (${module.version === undefined ? '???' : `v${installed}`}) in ${module.directory} ...`,
  )
  if (!force && !request.ignoresChanges && (await hasChanges(module)))
    throwIssue(issues.MODULE_LOCAL_CHANGES, { action: 'upgrade', name, requested, installed })
  const range = request.version ?? '>= 0.0.0'
  requireRange(range)
  const available = await context.forge.list(name)
  if (!available.some(({ version }) => request.version === undefined || acceptsVersion(range, version)))
    throwIssue(issues.MODULE_NO_CANDIDATE, { action: 'upgrade', name, source: context.forge.url, requested, installed })
  context.notice(`${context.forge.isOffline ? 'Reading' : 'Downloading'} from ${context.forge.place} ...`)
  const asked: string[] = []
  const list = async (slug: string): Promise<readonly Candidate[]> => {
    const own = context.installed.find(slug)
    if (own) asked.push(slug)
    return [
      ...(own ? [toCandidate(own, slug === name ? 0 : undefined)] : []),
      ...(slug === name ? available : await context.forge.list(slug)),
    ]
  }
  const isAlone = force || request.ignoresDependencies
  const { solution, candidates } = await resolveRelease<Candidate>({
    ...{ name, range, hasUniqueNames: !force },
    constraints: force ? [] : context.installed.listConstraints(name),
    list: isAlone ? async (slug) => (await list(slug)).map(removeDependencies) : list,
  })
  if (!solution)
    return throwIssue(issues.MODULE_NO_SOLUTION, { action: 'upgrade', name, requested, installed, reasons: [] })
  checkConflicts(context, solution, name, requested)
  const current = getVersion(module)
  const order = SemVer.compare(solution[0]!.release.version, current)
  if (!force && order < 0) throwIssue(issues.MODULE_DOWNGRADE, { name, requested, installed })
  if (!force && order === 0) {
    const newer = candidates.filter(({ release }) => SemVer.compare(release.version, current) > 0).length
    const error = issues.MODULE_NO_NEWER
    const details = { name, requested, installed, newer, possibleCulprits: asked.filter((slug) => slug !== name) }
    if (newer > 0) throwIssue(error, details)
    return { kind: 'unchanged', version: installed, message: error.text(details) }
  }
  const directories = new Map(
    solution.map(({ release }) => [release.name, context.installed.find(release.name)?.directory ?? module.directory]),
  )
  await changeDirectories(context, solution, directories, 'Upgrading')
  const tree = buildTree(
    { context, solution, directories, showsInstalled: false, force: false },
    solution[0]!,
    new Set(),
  )
  return { kind: 'installed', directory: module.directory, tree }
}

/** Throws MODULE_RANGE_INVALID for text that is not a range of versions. */
export function requireRange(range: string): void {
  if (!SemVerRange.parse(range)) throwIssue(issues.MODULE_RANGE_INVALID, { range })
}

/** True if files of an installed module differ from its checksums. */
export async function hasChanges(module: InstalledModule): Promise<boolean> {
  try {
    return (await listChangedFiles(module.path)).length > 0
  } catch (error) {
    if (error instanceof PuppetError) return false
    throw error
  }
}

/** Reads the release in a file. Its archive is checked. Throws ARCHIVE_…, MODULE_…. */
async function readLocal(file: string, { maxBytes }: ModuleToolContext): Promise<InstallableRelease> {
  const archive = await openArchiveFile(file)
  const scratch = await mkdtemp(join(tmpdir(), 'plumb-module-'))
  try {
    const folder = join(scratch, 'module')
    await unpackModule(archive, folder, maxBytes)
    const candidate = parseCandidate(await readMetadataFile(folder))
    return { ...candidate, isDeprecated: false, withArchive: (work) => work(archive) }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function requireSlug(name: string, given: string): void {
  if (!name.includes('-')) throwIssue(issues.MODULE_NAME_INVALID, { name: given, action: 'install' })
  if (!isModuleSlug(name)) throwIssue(issues.MODULE_SLUG_INVALID, { name: given })
}

function requireInstalled({ installed }: ModuleToolContext, name: string): InstalledModule {
  const found = installed.all.filter((each) => each.forgeName !== undefined && each.name === name)
  if (found.length === 0) throwIssue(issues.MODULE_NOT_INSTALLED, { name, action: 'upgrade', suggestions: [] })
  const modules = found.map((each) => ({ ...each, folder: each.directory }))
  if (found.length > 1) throwIssue(issues.MODULE_TWICE, { name, action: 'upgrade', modules })
  return found[0]!
}

/** A release alone: its dependencies are neither installed nor compared. */
function removeDependencies(candidate: Candidate): Candidate {
  return { ...candidate, dependencies: new Map() }
}

async function prepareTarget(
  { notice }: ModuleToolContext,
  target: string,
  { name, requested }: { readonly name: string; readonly requested: string },
): Promise<void> {
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory()) return
  try {
    await mkdir(target, { recursive: true })
  } catch (error) {
    const code = getSystemErrorCode(error)
    const why =
      code === 'EACCES' ? 'permission' : code === 'EEXIST' || code === 'ENOTDIR' ? 'not a directory' : undefined
    if (why === undefined) throw error
    throwIssue(issues.MODULE_TARGET_BLOCKED, { name, requested, folder: target, why })
  }
  notice(`Created target directory ${target}`)
}

/** Throws MODULE_NO_SOLUTION with the installed modules that prevent the installation. */
function throwNoSolution(
  { installed }: ModuleToolContext,
  { candidates, unsatisfied }: Resolution<Candidate>,
  name: string,
  requested: string | undefined,
): never {
  const newest = candidates.at(-1)!.release
  const reasons: string[] = []
  const versions = candidates.map(({ release }) => release.version)
  if (unsatisfied === name) {
    for (const { source, range, name: dependency } of installed.listConstraints(name))
      if (source !== undefined && dependency === name)
        if (requested === undefined || !versions.some((version) => acceptsVersion(range, version)))
          reasons.push(`${source}, expects '${name}': ${range}`)
  } else if (unsatisfied !== undefined) {
    const range = newest.dependencies.get(unsatisfied)
    const current = installed.find(unsatisfied)
    if (range !== undefined)
      reasons.push(
        current
          ? `${unsatisfied}, installed: ${current.version}, expected: ${range}`
          : `${unsatisfied}, expects '${name}': ${range}`,
      )
  }
  return throwIssue(issues.MODULE_NO_SOLUTION, {
    ...{ action: 'install', name, reasons },
    requested: requested ?? String(newest.version),
  })
}

/** Throws MODULE_CONFLICT if a release would replace the folder of another module. */
function checkConflicts(
  { installed }: ModuleToolContext,
  solution: readonly Node[],
  name: string,
  requested: string,
): void {
  for (const { release } of solution) {
    const module = installed.findFolder(getModuleFolderName(release.name))
    if (!module || (module.forgeName !== undefined && module.name === release.name)) continue
    const dependency = release.name === name ? undefined : { name: release.name, version: String(release.version) }
    const current = module.forgeName === undefined ? undefined : { name: module.name, version: module.version }
    throwIssue(issues.MODULE_CONFLICT, { name, requested, dependency, folder: module.path, current })
  }
}

/** Unpacks all releases, then puts them in place. Nothing is changed if one of them cannot be unpacked. */
async function changeDirectories(
  context: ModuleToolContext,
  solution: readonly Node[],
  directories: ReadonlyMap<string, string>,
  verb: string,
): Promise<void> {
  const missing = solution.filter(({ release }) => !release.isInstalled)
  const paths = [...new Set(missing.map(({ release }) => directories.get(release.name)!))].sort()
  const enter = async (index: number, scratches: ReadonlyMap<string, string>): Promise<void> => {
    const path = paths[index]
    if (path === undefined) return unpackAll(context, missing, { directories, scratches, verb })
    await new ModuleDirectory(path).change((scratch) => enter(index + 1, new Map([...scratches, [path, scratch]])))
  }
  await enter(0, new Map())
}

interface Placement {
  readonly directories: ReadonlyMap<string, string>
  /** Scratch folders by directory. */
  readonly scratches: ReadonlyMap<string, string>
  readonly verb: string
}

async function unpackAll(
  context: ModuleToolContext,
  releases: readonly Node[],
  { directories, scratches, verb }: Placement,
): Promise<void> {
  const staged: { readonly directory: string; readonly scratch: string; readonly name: string }[] = []
  for (const { release } of releases) {
    const directory = directories.get(release.name)!
    const scratch = scratches.get(directory)!
    if ('isDeprecated' in release && release.isDeprecated)
      context.warn(`${release.name} has been deprecated by its author! View module on Puppet Forge for more info.`)
    const name = getModuleFolderName(release.name)
    const folder = join(scratch, name)
    const links = await release.withArchive!((archive) => unpackModule(archive, folder, context.maxBytes))
    for (const link of links) context.warn(`Symlinks in modules are unsupported. Please investigate symlink ${link}.`)
    staged.push({ directory, scratch, name })
  }
  context.notice(`${verb} -- do not interrupt ...`)
  for (const { directory, scratch, name } of staged)
    new ModuleDirectory(directory).replace(name, join(scratch, name), scratch)
}

interface TreeRequest {
  readonly context: ModuleToolContext
  readonly solution: readonly Node[]
  readonly directories: ReadonlyMap<string, string>
  /** True to include modules that were installed before. */
  readonly showsInstalled: boolean
  readonly force: boolean
}

function buildTree(request: TreeRequest, node: Node, shown: Set<Node>): InstalledRelease {
  const { context, solution, directories, showsInstalled, force } = request
  shown.add(node)
  const { name, version } = node.release
  const previous = context.installed.find(name)?.version
  const dependencies = [...node.dependencies.values()].flatMap((nodes) => {
    const dependency = nodes.find((each) => solution.includes(each))
    if (!dependency || shown.has(dependency) || (!showsInstalled && dependency.release.isInstalled)) return []
    return [buildTree(request, dependency, shown)]
  })
  const isUpgrade = previous !== undefined && previous !== String(version) && !force
  return {
    ...{ name, version: String(version), previous, directory: directories.get(name)! },
    action: isUpgrade ? 'upgrade' : 'install',
    dependencies: dependencies.sort((one, other) => (one.name < other.name ? -1 : 1)),
  }
}
