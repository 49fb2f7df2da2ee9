import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineIssues, fail } from '../../base/issue.ts'
import { hintAboutAbsent } from '../../code/environments/absent-environment.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { openDirectoryEnvironments } from '../../code/environments/directory-environments.ts'
import { environmentOfBranch, isEnvironmentName } from '../../code/environments/environment-name.ts'
import {
  type OpenedEnvironment,
  openCommit,
  openDirectory,
  openParts,
} from '../../code/environments/open-environment.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { type OpenRepositoryOptions, openRepository } from '../../code/git/open-repository.ts'
import { loadSettings, type RunMode, type Settings } from '../../machine/settings/settings.ts'
import type { Invocation, Io } from '../command/command.ts'
import type { MayHave, Option } from '../command/options.ts'
import { say } from '../command/say.ts'
import { deployHere } from './deploy-here.ts'

const issues = defineIssues({
  NO_REPOSITORY_NAMED: {
    text: (_: object) => 'No Git repository is named',
    hint: () => 'Give one with --repo PATH, or set code_repo.',
  },
  UNKNOWN_ENVIRONMENT: {
    text: (a: { name: string; path: readonly string[]; hint: string }) =>
      `Could not find a directory environment named '${a.name}' anywhere in the path` +
      (a.path.length > 0 ? `: ${a.path.join(':')}. Does the directory exist?` : ''),
    hint: (a) => a.hint,
  },
})

const nothingThere = 'Name a Git repository with --repo or the setting code_repo, or a folder with --environmentpath.'

/** The repository of a command that works on commits only. */
export const repositoryOption = {
  flags: '--repo <path>',
  doc: 'The Git repository; code_repo by default.',
} as const satisfies Option

/** The repository of a command that takes code. */
export const repoOption = {
  flags: '--repo <path>',
  doc: 'The Git repository with the code; by default code_repo, else the folders of environmentpath.',
} as const satisfies Option

/** The commit of a repository, or the environment of a folder. */
export const atOption = {
  flags: '--at <ref>',
  doc: 'The branch, tag or commit; where code is in folders, the environment. By default the branch of the environment.',
} as const satisfies Option

/** The part of a command line that decides which code it works on. */
type Asked = Pick<Invocation, 'settings' | 'io'> & {
  readonly options: MayHave<readonly [typeof repoOption, typeof atOption]>
}

/**
 * Settings for commands that read code; `--repo` replaces the repository. `runMode` is the mode of Puppet's command of the
 * same name. The repository is always that of the server.
 */
export function codeSettings(
  { options: { repo }, settings: given }: Pick<Asked, 'options' | 'settings'>,
  runMode: RunMode = 'server',
): Settings {
  const own = repo !== undefined ? { ...given, code_repo: resolve(repo) } : given
  const settings = loadSettings({ given: own, runMode: 'server' })
  return runMode === 'server' ? settings : loadSettings({ given: { ...own, code_repo: settings.code_repo }, runMode })
}

/** The repository of `--repo`, or of code_repo. Throws NO_REPOSITORY_NAMED. */
export async function openCodeRepository(
  { code_repo: path }: Settings,
  options?: OpenRepositoryOptions,
): Promise<GitObjectSource> {
  return openRepository(path === '' ? fail(issues.NO_REPOSITORY_NAMED, {}) : path, options)
}

/** An environment as it is found; nothing of it is loaded. */
export interface EnvironmentSource {
  readonly name: string
  /** The branch, or the folder. */
  readonly ref: string
  readonly commit: string | undefined
}

/** Environments as a server would find them. */
export async function sourcesOf(settings: Settings): Promise<readonly EnvironmentSource[]> {
  if (settings.code_repo === '') {
    const names = await openDirectoryEnvironments(settings).list()
    return names.map((name) => ({ name, ref: folderOf(name, settings) ?? name, commit: undefined }))
  }
  const source = await openRepository(settings.code_repo)
  const { commits } = await source.listRefs('refs/heads/').finally(() => source.close())
  return [...commits].map(([ref, commit]) => ({
    name: environmentOfBranch(ref.replace('refs/heads/', '')),
    ref,
    commit,
  }))
}

/** A choice of code, with the name of the environment that this code is compiled as. */
export interface WhichCode {
  /** A branch, tag or commit; where code is in folders, an environment. By default the environment of the settings. */
  readonly at?: string | undefined
  /** The environment that the code is compiled as; by default the code's own name. */
  readonly name?: string | undefined
}

/**
 * The code of a repository, `--repo` or code_repo, or of the folders of environmentpath, all of it at hand; warnings are
 * said. Throws UNKNOWN_ENVIRONMENT, NO_SUCH_COMMIT, GIT_….
 */
export async function openCode(
  { options, settings: given, io }: Asked,
  settings: Settings,
  { at = options.at, name = given.environment }: WhichCode = {},
): Promise<OpenedEnvironment> {
  const which = { at, name }
  const opened = await (settings.code_repo === '' ? openFolder(settings, which) : openBranch(settings, which, io))
  for (const warning of opened.warnings) say('Warning', warning, io)
  return opened
}

async function openFolder(settings: Settings, { at = settings.environment, name = at }: WhichCode) {
  const directory = folderOf(at, settings)
  if (directory !== undefined) return openDirectory({ directory, name }, settings)
  return refuse(at, await sourcesOf(settings), settings.environmentpath)
}

async function openBranch(settings: Settings, { at, name }: WhichCode, io: Io): Promise<OpenedEnvironment> {
  const openDeployer = (source: GitObjectSource) => deployHere(source, settings, io)
  const { code_repo: repository, environment } = settings
  const branches = await sourcesOf(settings)
  if (at !== undefined) {
    const branch = environmentOfBranch(at.replace(/^refs\/heads\/|[~^].*$/gs, ''))
    const own = branches.some((each) => each.name === branch) ? branch : environment
    return openCommit({ repository, ref: at, name: name ?? own }, settings, openDeployer)
  }
  const found = branches.find((each) => each.name === environment) ?? refuse(environment, branches, [], repository)
  return openCommit({ repository, ref: found.ref, name: environment }, settings, openDeployer)
}

function refuse(
  name: string,
  sources: readonly EnvironmentSource[],
  path: readonly string[],
  repository?: string,
): never {
  const isEmpty = sources.length === 0 && repository === undefined
  return fail(issues.UNKNOWN_ENVIRONMENT, {
    name,
    path,
    hint: isEmpty ? nothingThere : hintAboutAbsent(name, sources, repository),
  })
}

/** The first folder of that name on the environmentpath. */
export function folderOf(name: string, { environmentpath }: Settings): string | undefined {
  if (!isEnvironmentName(name)) return undefined
  return environmentpath
    .map((path) => join(path, name))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory())
}

/** The only environment that may be missing. */
const standardEnvironment = 'production'

/** Code given by hand. */
export interface CodeByHand {
  readonly manifest?: { readonly file: string } | { readonly text: string } | undefined
  /** A hiera.yaml above all environments. */
  readonly hiera?: string | undefined
  /** Accepts a standard environment without a folder: it then has no code of its own. */
  readonly mayBeAbsent?: boolean
}

/**
 * The code that is found, with a manifest and a hiera.yaml given by hand and the modulepath of the settings in place of
 * its own. With a manifest or a modulepath, the standard environment may be missing (Puppet: `Puppet.base_context`).
 */
export async function openCodeWith(
  asked: Asked,
  settings: Settings,
  { manifest, hiera, mayBeAbsent = false }: CodeByHand,
): Promise<CompileEnvironment> {
  const { environment: name, modulepath, basemodulepath, code_repo: repository, hiera_config: hieraConfig } = settings
  const isEnough = name === standardEnvironment && (mayBeAbsent || manifest !== undefined || modulepath.length > 0)
  const isThere = repository !== '' || asked.options.at !== undefined || folderOf(name, settings) !== undefined
  const found = isEnough && !isThere ? undefined : (await openCode(asked, settings)).environment
  const global = hiera ?? (existsSync(hieraConfig) ? hieraConfig : undefined)
  const modules = modulepath.length > 0 ? modulepath : basemodulepath
  const parts = openParts({ name, modulepath: modules, manifest, hiera: global })
  return found ? withParts(found, parts, modulepath.length > 0) : parts
}

/** Code with parts of other code in place of its own: a manifest and a global hiera.yaml where there are any, and modules. */
function withParts(found: CompileEnvironment, parts: CompileEnvironment, modules: boolean): CompileEnvironment {
  const { manifest = found.manifest } = parts
  return {
    name: found.name,
    tree: found.tree,
    revision: found.revision,
    modulepath: modules ? parts.modulepath : found.modulepath,
    manifest: parts.manifest && manifest && 'path' in manifest ? { ...manifest, tree: parts.tree } : manifest,
    globalHiera: parts.globalHiera ?? found.globalHiera,
    // On demand: for the version of a folder, everything in the folder is looked at.
    get version() {
      return found.version
    },
  }
}

/** The modules of the code that is found, or of the modulepath; for commands that evaluate no manifest. */
export async function openModules(asked: Asked, settings: Settings): Promise<CompileEnvironment> {
  return withoutManifest(await openCodeWith(asked, settings, { manifest: { text: '' } }))
}

/** Code of which no manifest is evaluated. */
export function withoutManifest(environment: CompileEnvironment): CompileEnvironment {
  const { name, tree, revision, modulepath, globalHiera } = environment
  return { name, tree, revision, modulepath, globalHiera, manifest: undefined, version: 0 }
}
