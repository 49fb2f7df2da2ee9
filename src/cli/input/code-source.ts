import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { openDirectoryEnvironments } from '../../code/environments/directory-environments.ts'
import { isEnvironmentName, toEnvironmentName } from '../../code/environments/environment-name.ts'
import {
  type OpenedEnvironment,
  openCommandLineCode,
  openCommit,
  openEnvironmentDirectory,
} from '../../code/environments/environment-opener.ts'
import { suggestEnvironments } from '../../code/environments/environment-suggestions.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { type OpenRepositoryOptions, openRepository } from '../../code/git/repository-opener.ts'
import { loadSettings, type RunMode, type Settings } from '../../machine/settings/settings.ts'
import type { CommandInvocation, Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import type { MayHave, Option } from '../command/options.ts'
import { deployLocally } from './local-deployment.ts'

const issues = defineIssues({
  NO_REPOSITORY_NAMED: {
    text: (_: object) => 'No Git repository given',
    hint: () => 'Use --repo PATH, or set code_repo.',
  },
  UNKNOWN_ENVIRONMENT: {
    text: (a: { name: string; path: readonly string[]; hint: string }) =>
      `Could not find a directory environment named '${a.name}' anywhere in the path` +
      (a.path.length > 0 ? `: ${a.path.join(':')}. Does the directory exist?` : ''),
    hint: (a) => a.hint,
  },
})

const nothingThere = 'Name a Git repository with --repo or code_repo, or a directory with --environmentpath.'

/** Option for the repository, for commands that work on commits only. */
export const repositoryOption = {
  flags: '--repo <path>',
  doc: 'Path of the Git repository. Default: code_repo.',
} as const satisfies Option

/** Option for the repository, for commands that also read code from directories. */
export const repoOption = {
  flags: '--repo <path>',
  doc: 'Path of the Git repository with the code. Default: code_repo, or the directories of environmentpath.',
} as const satisfies Option

/** Option for a commit in a repository, or an environment in environmentpath. */
export const atOption = {
  flags: '--at <ref>',
  doc: 'Branch, tag or commit; for code in directories, an environment. Default: the branch of the environment.',
} as const satisfies Option

/** Option for a global hiera.yaml. */
export const hieraOption = {
  flags: '--hiera <file>',
  doc: 'Path of a global hiera.yaml. Default: hiera_config.',
} as const satisfies Option

/** The part of a command line that selects code. */
type Asked = Pick<CommandInvocation, 'settings' | 'io'> & {
  readonly options: MayHave<readonly [typeof repoOption, typeof atOption]>
}

/**
 * Loads settings for commands that read code; `--repo` overrides `code_repo`. `runMode` is the run mode of Puppet's command of
 * the same name; `code_repo` is always read from the server section.
 */
export function loadCodeSettings(
  { options: { repo }, settings: given }: Pick<Asked, 'options' | 'settings'>,
  runMode: RunMode = 'server',
): Settings {
  const own = repo !== undefined ? { ...given, code_repo: resolve(repo) } : given
  const settings = loadSettings({ given: own, runMode: 'server' })
  return runMode === 'server' ? settings : loadSettings({ given: { ...own, code_repo: settings.code_repo }, runMode })
}

/** Opens the repository that `code_repo` names. Throws NO_REPOSITORY_NAMED. */
export async function openCodeRepository(
  { code_repo: path }: Settings,
  options?: OpenRepositoryOptions,
): Promise<GitObjectSource> {
  return openRepository(path === '' ? throwIssue(issues.NO_REPOSITORY_NAMED, {}) : path, options)
}

/** The name and location of an environment whose files are not read yet. */
export interface EnvironmentSource {
  readonly name: string
  /** The branch or the directory of the environment. */
  readonly ref: string
  readonly commit: string | undefined
}

/** Lists the environments that a server with these settings finds. */
export async function listEnvironmentSources(settings: Settings): Promise<readonly EnvironmentSource[]> {
  if (settings.code_repo === '') {
    const names = await openDirectoryEnvironments(settings).list()
    return names.map((name) => ({ name, ref: findEnvironmentFolder(name, settings) ?? name, commit: undefined }))
  }
  const source = await openRepository(settings.code_repo)
  const { commits } = await source.listRefs('refs/heads/').finally(() => source.close())
  return [...commits].map(([ref, commit]) => ({
    name: toEnvironmentName(ref.replace('refs/heads/', '')),
    ref,
    commit,
  }))
}

/** Selects code, and the name of the environment for the compilation. */
export interface CodeSelection {
  /** A branch, tag or commit; for code in directories, an environment. By default the environment of the settings. */
  readonly at?: string | undefined
  /** The name of the environment for the compilation; by default the name of the selected environment. */
  readonly name?: string | undefined
}

/**
 * Opens code in a repository (`--repo` or code_repo) or in the directories of environmentpath, and prints its warnings.
 * Throws UNKNOWN_ENVIRONMENT, NO_SUCH_COMMIT, GIT_….
 */
export async function openCode(
  { options, settings: given, io }: Asked,
  settings: Settings,
  { at = options.at, name = given.environment }: CodeSelection = {},
): Promise<OpenedEnvironment> {
  const which = { at, name }
  const opened = await (settings.code_repo === '' ? openFolder(settings, which) : openBranch(settings, which, io))
  for (const warning of opened.warnings) printMessage('Warning', warning, io)
  return opened
}

async function openFolder(settings: Settings, { at = settings.environment, name = at }: CodeSelection) {
  const directory = findEnvironmentFolder(at, settings)
  if (directory !== undefined) return openEnvironmentDirectory({ directory, name }, settings)
  return throwUnknownEnvironment(at, await listEnvironmentSources(settings), settings.environmentpath)
}

async function openBranch(settings: Settings, { at, name }: CodeSelection, io: Io): Promise<OpenedEnvironment> {
  const openDeployer = (source: GitObjectSource) => deployLocally(source, settings, io)
  const { code_repo: repository, environment } = settings
  const branches = await listEnvironmentSources(settings)
  if (at !== undefined) {
    const branch = toEnvironmentName(at.replace(/^refs\/heads\/|[~^].*$/gs, ''))
    const own = branches.some((each) => each.name === branch) ? branch : environment
    return openCommit({ repository, ref: at, name: name ?? own }, settings, openDeployer)
  }
  const found =
    branches.find((each) => each.name === environment) ?? throwUnknownEnvironment(environment, branches, [], repository)
  return openCommit({ repository, ref: found.ref, name: environment }, settings, openDeployer)
}

function throwUnknownEnvironment(
  name: string,
  sources: readonly EnvironmentSource[],
  path: readonly string[],
  repository?: string,
): never {
  const isEmpty = sources.length === 0 && repository === undefined
  return throwIssue(issues.UNKNOWN_ENVIRONMENT, {
    name,
    path,
    hint: isEmpty ? nothingThere : suggestEnvironments(name, sources, repository),
  })
}

/** The first directory of an environment on the environmentpath. */
export function findEnvironmentFolder(name: string, { environmentpath }: Settings): string | undefined {
  if (!isEnvironmentName(name)) return undefined
  return environmentpath
    .map((path) => join(path, name))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory())
}

/** The only environment whose directory may be missing. */
const standardEnvironment = 'production'

/** Code given on the command line. */
export interface ManualCode {
  readonly manifest?: { readonly file: string } | { readonly text: string } | undefined
  /** Path of a global hiera.yaml. */
  readonly hiera?: string | undefined
  /** True to accept a missing directory of the environment `production`, which then contains no code. */
  readonly mayBeAbsent?: boolean
}

/**
 * Opens code, and replaces its manifest and hiera.yaml by those of the command line and its modulepath by that of the settings.
 * With a manifest or a modulepath, the environment `production` may be missing (Puppet: `Puppet.base_context`).
 */
export async function openCodeWithOverrides(
  asked: Asked,
  settings: Settings,
  { manifest, hiera, mayBeAbsent = false }: ManualCode,
): Promise<CompileEnvironment> {
  const { environment: name, modulepath, basemodulepath, code_repo: repository, hiera_config: hieraConfig } = settings
  const isEnough = name === standardEnvironment && (mayBeAbsent || manifest !== undefined || modulepath.length > 0)
  const isThere =
    repository !== '' || asked.options.at !== undefined || findEnvironmentFolder(name, settings) !== undefined
  const found = isEnough && !isThere ? undefined : (await openCode(asked, settings)).environment
  const global = hiera ?? (existsSync(hieraConfig) ? hieraConfig : undefined)
  const modules = modulepath.length > 0 ? modulepath : basemodulepath
  const parts = openCommandLineCode({ name, modulepath: modules, manifest, hiera: global })
  return found ? replaceParts(found, parts, modulepath.length > 0) : parts
}

/** Code with parts replaced: the manifest and global hiera.yaml of `parts` if present, and its modules if `modules` is true. */
function replaceParts(found: CompileEnvironment, parts: CompileEnvironment, modules: boolean): CompileEnvironment {
  const { manifest = found.manifest } = parts
  return {
    name: found.name,
    tree: found.tree,
    revision: found.revision,
    modulepath: modules ? parts.modulepath : found.modulepath,
    manifest: parts.manifest && manifest && 'path' in manifest ? { ...manifest, tree: parts.tree } : manifest,
    globalHiera: parts.globalHiera ?? found.globalHiera,
    // Computed on demand, because the version of a directory depends on all of its files.
    get version() {
      return found.version
    },
  }
}

/** Opens modules of the code or of the modulepath, for commands that evaluate no manifest. */
export async function openModules(asked: Asked, settings: Settings): Promise<CompileEnvironment> {
  return removeManifest(await openCodeWithOverrides(asked, settings, { manifest: { text: '' } }))
}

/** The code without its main manifest. */
export function removeManifest(environment: CompileEnvironment): CompileEnvironment {
  const { name, tree, revision, modulepath, globalHiera } = environment
  return { name, tree, revision, modulepath, globalHiera, manifest: undefined, version: 0 }
}
