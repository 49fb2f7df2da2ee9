import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import { type ModuleConstraint, resolveDependencies } from '../../deploy/modules/dependency-resolution.ts'
import { type ListedRelease, listForgeReleases } from '../../deploy/modules/forge-listing.ts'
import { exportTree } from '../../deploy/modules/tree-export.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import { type CliCommand, type CommandInvocation, defineCommand, type Io } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { type ForgeSession, withForge } from './forge-session.ts'
import {
  type InstalledModule,
  listInstalledModules,
  listLocalChanges,
  listReleases,
  type ModuleInventory,
} from './installed-modules.ts'
import { getStagedPath, recoverModules, replaceModule } from './module-directory.ts'
import { moduleCommandIssues as issues } from './module-issues.ts'
import { parseModuleSlug } from './module-slug.ts'
import { printNotice } from './notice.ts'
import { type Branch, formatTree } from './tree-lines.ts'

const commonOptions = [
  { flags: '--version <requirement>', doc: "Version of the module, or bounds: '>= 1.0.0 < 2.0.0', 4.x." },
  { flags: '-f, --force', doc: 'Replace what is there; implies --ignore-dependencies.' },
  { flags: '--ignore-dependencies', doc: 'Do not install the modules that the module requires.' },
] as const
const installOptions = [
  ...commonOptions,
  { flags: '-i, --target-dir <dir>', doc: 'Directory of modules; default: the first of the modulepath.' },
  renderAs,
] as const
const upgradeOptions = [
  ...commonOptions,
  { flags: '-c, --ignore-changes', doc: 'Replace the module even if its files were changed locally.' },
  renderAs,
] as const

/** The command `plumb module install`. */
export const installCommand: CliCommand = defineCommand({
  name: 'install',
  summary: 'Install a module from the Forge, with the modules that it requires.',
  description: `Installs the newest release of a module that fits, and the modules that it requires. Installed modules are kept if they
fit, and otherwise upgraded within their major version. Checksums are verified; a module appears as a whole or not at all.
The Forge is that of module_repository; releases that were downloaded before come from $vardir.

Code of nodes belongs into a Puppetfile or into the control repository. This command is for the modules of a workstation.

  plumb module install puppetlabs-apache
  plumb module install puppetlabs-stdlib --version '>= 9.0.0 < 10.0.0' --target-dir modules

Exits with 0, or with 1 if the module was not installed.`,
  usage: '<name>',
  options: installOptions,
  run: runInstall,
})

/** The command `plumb module upgrade`. */
export const upgradeCommand: CliCommand = defineCommand({
  name: 'upgrade',
  summary: 'Upgrade an installed module, and the modules that it requires.',
  description: `Replaces an installed module with the newest release, or with that of --version, where it is.

  plumb module upgrade puppetlabs-apache --modulepath modules

Exits with 0, also if the newest release is installed already, or with 1 if the module was not upgraded.`,
  usage: '<name>',
  options: upgradeOptions,
  run: runUpgrade,
})

type Common = Pick<CommandInvocation<typeof commonOptions>, 'options'>

async function runInstall(invocation: CommandInvocation<typeof installOptions>): Promise<number> {
  const { args, options, io } = invocation
  const slug = parseModuleSlug('install', args[0])
  const inventory = await listInstalledModules(invocation)
  const directory = resolve(options.targetDir ?? inventory.directories[0] ?? 'modules')
  const range = parseRequirement(options.version)
  const installed = inventory.modules.find((each) => each.slug === slug)
  if (installed && options.force !== true) {
    const version = SemVer.parse(installed.version ?? '')
    if (!version || (options.version !== undefined && !SemVerRange.parse(range)?.includes(version)))
      throwIssue(issues.MODULE_ALREADY_INSTALLED, {
        slug,
        wanted: formatWanted(options.version),
        installed: formatInstalled(installed),
      })
    printNotice(`Module ${slug} ${version} is already installed.`, io)
    return 0
  }
  const request = { action: 'install', slug, range, directory, inventory, ...describeOptions({ options }) } as const
  return printInstallation(request, options.renderAs === 'json', io)
}

async function runUpgrade(invocation: CommandInvocation<typeof upgradeOptions>): Promise<number> {
  const { args, options, io } = invocation
  const slug = parseModuleSlug('upgrade', args[0])
  const inventory = await listInstalledModules(invocation)
  const [installed, ...others] = inventory.modules.filter((each) => each.slug === slug)
  if (!installed)
    return throwIssue(issues.MODULE_NOT_INSTALLED, {
      ...{ action: 'upgrade', slug },
      known: inventory.modules.map((each) => each.slug),
    })
  if (others.length > 0)
    throwIssue(issues.MODULE_SEVERAL, {
      action: 'upgrade',
      slug,
      paths: [installed, ...others].map(({ path }) => path),
    })
  if (options.force !== true && options.ignoreChanges !== true) {
    const files = await listLocalChanges(installed.path)
    if (files.length > 0)
      throwIssue(issues.MODULE_CHANGED, { action: 'upgrade', slug, version: installed.version ?? '', files })
  }
  const { directory } = installed
  const range = parseRequirement(options.version)
  const request = { action: 'upgrade', slug, range, directory, inventory, ...describeOptions({ options }) } as const
  return printInstallation(request, options.renderAs === 'json', io)
}

function describeOptions({ options }: Common) {
  const { version, force = false, ignoreDependencies = false } = options
  return { wanted: formatWanted(version), isForced: force, isAlone: force || ignoreDependencies }
}

function parseRequirement(words: string | undefined): string {
  if (words === undefined) return '>= 0.0.0'
  return SemVerRange.parse(words) ? words : throwIssue(issues.MODULE_VERSION_WORDS, { words })
}

function formatWanted(version: string | undefined): string {
  return version === undefined ? 'latest' : /^\d/.test(version) ? `v${version}` : version
}

function formatInstalled({ version }: Pick<InstalledModule, 'version'>): string {
  return version === undefined ? '???' : `v${version}`
}

/** A module to be installed. */
interface InstallRequest {
  readonly action: 'install' | 'upgrade'
  readonly slug: string
  readonly range: string
  /** The version as the user named it, for messages. */
  readonly wanted: string
  readonly directory: string
  readonly inventory: ModuleInventory
  readonly isForced: boolean
  /** True to install no other modules. */
  readonly isAlone: boolean
}

async function printInstallation(request: InstallRequest, asJson: boolean, io: Io): Promise<number> {
  const { slug, directory, inventory } = request
  printNotice(`Preparing to install into ${directory} ...`, io)
  const before = listReleases(inventory.modules)
  const releases = await withForge(inventory.settings, async (session) => {
    printNotice(`Downloading from ${session.forge.url} ...`, io)
    const chosen = await chooseReleases(request, session)
    const changed = chosen.filter(
      (each) => request.isForced || String(before.get(each.slug)?.version) !== String(each.version),
    )
    if (changed.length > 0) await installReleases(changed, request, session, io)
    return chosen
  })
  const own = releases.find((each) => each.slug === slug)!
  if (request.action === 'upgrade' && String(before.get(slug)?.version) === String(own.version) && !request.isForced)
    printNotice(`The installed version of ${slug}, v${own.version}, is already the newest that fits.`, io)
  if (asJson) io.out(`${JSON.stringify({ directory, modules: toJson(releases, before) }, undefined, 2)}\n`)
  else io.out(`${directory}\n${formatTree([toBranch(own, releases, before, new Set())]).join('\n')}\n`)
  return 0
}

function toJson(releases: readonly ListedRelease[], before: ReadonlyMap<string, ListedRelease>) {
  return releases.map(({ slug, version }) => {
    const previous = before.get(slug)?.version
    return { name: slug, version: String(version), previous: previous === undefined ? null : String(previous) }
  })
}

function toBranch(
  { slug, version, dependencies }: ListedRelease,
  releases: readonly ListedRelease[],
  before: ReadonlyMap<string, ListedRelease>,
  shown: Set<string>,
): Branch {
  shown.add(slug)
  const below = dependencies.flatMap(({ name }) => {
    const found = releases.find((each) => each.slug === name.replace('/', '-'))
    return found && !shown.has(found.slug) ? [toBranch(found, releases, before, shown)] : []
  })
  const previous = before.get(slug)?.version
  const isUpgrade = previous !== undefined && String(previous) !== String(version)
  return { text: `${slug} (${isUpgrade ? `v${previous} -> ` : ''}v${version})`, below }
}

/** Chooses the release of a module and of those that it requires. Throws MODULE_NO_CANDIDATE, MODULE_UNSATISFIED. */
async function chooseReleases(request: InstallRequest, session: ForgeSession): Promise<readonly ListedRelease[]> {
  const { action, slug, range, wanted, inventory, isForced, isAlone } = request
  const installed = new Map(isForced ? [] : listReleases(inventory.modules))
  const old = installed.get(slug)
  installed.delete(slug)
  const list = async (name: string) => {
    const found = await listForgeReleases(session.web, session.forge, name, session.limit())
    return isAlone ? found.map((each) => ({ ...each, dependencies: [] })) : found
  }
  const releases = await list(slug)
  const fits = ({ version }: ListedRelease) =>
    range === '>= 0.0.0' ? version.prerelease.length === 0 : (SemVerRange.parse(range)?.includes(version) ?? false)
  if (!releases.some(fits)) {
    const { url: forge } = session.forge
    throwIssue(issues.MODULE_NO_CANDIDATE, { action, slug, wanted, forge })
  }
  const request0: ModuleConstraint = { slug, range, parent: undefined }
  const sources = { installed, list: async (name: string) => (name === slug ? releases : list(name)) }
  const resolution = await resolveDependencies([request0], sources)
  if (resolution.kind === 'chosen') {
    const chosen = resolution.releases.find((each) => each.slug === slug)!.version
    const newer = releases.find((each) => fits(each) && SemVer.compare(each.version, chosen) > 0)
    if (action === 'upgrade' && old && newer && SemVer.compare(chosen, old.version) === 0)
      throwIssue(issues.MODULE_HELD_BACK, { slug, installed: `v${chosen}`, newer: `v${newer.version}` })
    return resolution.releases
  }
  const { slug: name, range: bounds, parent } = resolution.constraint
  const present = name === slug ? old?.version : installed.get(name)?.version
  return throwIssue(issues.MODULE_UNSATISFIED, {
    ...{ action, slug, wanted, installed: present === undefined ? undefined : `v${present}` },
    need: `'${parent ?? slug}' requires '${name}' (${bounds})`,
  })
}

/** Downloads all releases, and then puts each in its place. Throws MODULE_DIRECTORY_TAKEN, and errors of the download. */
async function installReleases(
  releases: readonly ListedRelease[],
  { inventory, directory, isForced }: InstallRequest,
  { fetcher }: ForgeSession,
  io: Io,
): Promise<void> {
  const places = releases.map(({ slug, version }) => {
    const name = slug.slice(slug.indexOf('-') + 1)
    const present = inventory.modules.find((each) => each.slug === slug)
    const folder = present && !isForced ? present.directory : directory
    const path = join(folder, name)
    const other = inventory.modules.find((each) => each.path === path && each.slug !== slug)
    if (!isForced && !present && (other || existsSync(path)))
      throwIssue(issues.MODULE_DIRECTORY_TAKEN, { slug, path, other: other ? `'${other.slug}'` : 'another module' })
    return { slug, version, name, folder }
  })
  for (const folder of new Set(places.map((each) => each.folder))) await recoverModules(folder)
  for (const [at, { slug, version, name, folder }] of places.entries()) {
    const { tree } = await fetcher.fetch(
      {
        ...{ title: slug, owner: slug.slice(0, slug.indexOf('-')), name, path: `modules/${name}`, line: 1 },
        ...{ source: { kind: 'forge', version: String(version) }, excludesSpec: false },
      },
      { branch: '' },
    )
    await exportTree(fetcher.place, tree, getStagedPath(folder, name))
    io.err(`Fetched ${slug} ${version} (${at + 1}/${places.length})\n`)
  }
  printNotice('Installing -- do not interrupt ...', io)
  for (const { name, folder } of places) await replaceModule(folder, name)
}
