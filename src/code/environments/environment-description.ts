import { existsSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { createGlobMeter, type Meter } from '../../base/text/glob.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localCommands } from '../../machine/system/commands.ts'
import type { CodeTree } from './code-tree.ts'
import { type EnvironmentSettings, readEnvironmentConf, standardManifest } from './environment-conf.ts'
import type { EnvironmentSnapshot, SnapshotOpener, TreePlace, TreeSnapshot } from './environment-snapshot.ts'
import { findMatchingPaths, isGlobPattern } from './glob.ts'
import { listGlobalDataFolders } from './global-hiera-file.ts'
import { getPathInTree } from './module-folders.ts'
import { joinPath } from './modules.ts'
import { isServedByCommit, resolveStaticScope } from './static-catalog-files.ts'

/** An environment with its snapshot for workers, and the settings from its environment.conf. */
export interface DescribedEnvironment {
  readonly snapshot: EnvironmentSnapshot
  readonly settings: EnvironmentSettings
  readonly warnings: readonly string[]
}

const issues = defineIssues({
  MANIFEST_OUTSIDE: {
    text: (a: { manifest: string; root: string }) =>
      `The manifest setting '${a.manifest}' points outside the environment located at ${a.root}`,
    hint: () => 'Move the main manifest into the environment; files outside of it are not versioned.',
  },
  TOO_MANY_MODULE_FOLDERS: {
    text: (a: { root: string; bound: number }) =>
      `The modulepath of the environment located at ${a.root} resolves to more than ${a.bound} directories`,
    hint: () => 'List the directories that contain modules, without wildcards for single modules.',
  },
  CONFIG_VERSION_FAILED: {
    // Puppet: resource/type_collection.rb
    text: (a: { command: string; why: string }) =>
      `Execution of config_version command \`${a.command}\` failed: ${a.why}`,
  },
})

/** Largest number of folders to list in a warning. */
const maxNamed = 10

/** Reads an environment.conf and resolves its settings: modulepath, manifest, hiera.yaml and version. */
export async function describeEnvironment(
  name: string,
  own: TreeSnapshot,
  settings: Settings,
  opener: SnapshotOpener,
): Promise<DescribedEnvironment> {
  const tree = opener.openTree(own)
  const conf = readEnvironmentConf(
    { file: `${tree.root}/environment.conf`, text: tree.readText('environment.conf') },
    name,
    settings,
  )
  const trees: TreeSnapshot[] = [own]
  const addFolderTree = (directory: string, ofModules: boolean): number =>
    trees.push({ kind: 'folder', directory, root: directory, ofModules }) - 1
  const meter = createGlobMeter(`the modulepath of the environment located at ${tree.root}`)
  const modulepath: TreePlace[] = []
  const { bound } = budgets.environment.moduleFolders
  const notRead: string[] = []
  for (const entry of conf.settings.modulepath) {
    if (!isReadAllowed(entry, tree, settings)) {
      notRead.push(
        `The modules in ${resolve(tree.root, entry)} are not loaded for ${tree.root}: code from a repository can use only directories that are listed in the setting basemodulepath`,
      )
      continue
    }
    modulepath.push(...expandModulepathEntry(entry, tree, own, meter, addFolderTree))
    if (modulepath.length > bound) throwIssue(issues.TOO_MANY_MODULE_FOLDERS, { root: tree.root, bound })
  }
  const hiera = settings.hiera_config
  const globalHiera = existsSync(hiera)
    ? {
        tree: addFolderTree(dirname(hiera), false),
        path: basename(hiera),
        data: listGlobalDataFolders(hiera).map((folder) => addFolderTree(folder, false)),
      }
    : undefined
  const command = conf.settings.configVersion
  const { version, warnings } = await getConfigVersion(command, command === settings.config_version, tree)
  const manifest = findManifest(conf.settings.manifest, tree)
  return {
    snapshot: { name, trees, modulepath, manifest, version, globalHiera },
    settings: conf.settings,
    warnings: [
      ...conf.warnings,
      ...warnings,
      ...notRead,
      ...(getStaticScope(settings, tree) === 'puppet' ? listUncommittedModuleWarnings(modulepath, tree) : []),
      ...(manifest ? [] : listMissingManifestWarnings(conf.settings.manifest, tree)),
    ],
  }
}

function getStaticScope({ static_catalogs_scope: setting }: Settings, { codeId }: CodeTree) {
  return resolveStaticScope(setting, codeId)
}

/**
 * Returns a warning if module folders lie outside of the commit: agents get the current files of
 * such folders, not the files from the time of the catalog.
 */
function listUncommittedModuleWarnings(modulepath: readonly TreePlace[], { codeId, root }: CodeTree): string[] {
  if (codeId === undefined) return []
  const others = modulepath
    .filter(({ tree, path }) => tree === 0 && !isServedByCommit(joinPath(path, 'module/files')))
    .map(({ path }) => path || '.')
  if (others.length === 0) return []
  const more = others.length > maxNamed ? ` and ${others.length - maxNamed} more` : ''
  return [
    `Static catalogs do not include files of the modules in ${others.slice(0, maxNamed).join(', ')}${more} of ${root}: only modules two directories below the environment are included`,
  ]
}

/**
 * Returns true if the server may read an entry of a modulepath. For code that a user pushed, it
 * must not read paths outside of the commit: the server's rights cover private keys, too.
 */
function isReadAllowed(entry: string, tree: CodeTree, { basemodulepath }: Settings): boolean {
  if (tree.codeId === undefined || getPathInTree(entry, tree.root) !== undefined) return true
  const directory = resolve(tree.root, entry)
  return basemodulepath.some((allowed) => resolve(allowed) === directory)
}

/** Returns the folders of a modulepath entry: several for a glob, none if the folder is missing. */
function expandModulepathEntry(
  entry: string,
  tree: CodeTree,
  own: TreeSnapshot,
  meter: Meter,
  outside: (directory: string, ofModules: boolean) => number,
): TreePlace[] {
  const path = getPathInTree(entry, tree.root)
  if (path === undefined) {
    const directory = resolve(tree.root, entry)
    return statSync(directory, { throwIfNoEntry: false })?.isDirectory()
      ? [{ tree: outside(directory, true), path: '' }]
      : []
  }
  const paths = (isGlobPattern(path) ? findMatchingPaths(tree, path, meter) : [path]).filter(
    (each) => tree.entry(each)?.kind === 'directory',
  )
  // Modules in a folder may be links to targets outside of it, which the environment's own tree
  // does not follow.
  if (own.kind === 'folder')
    return paths.map((each) => ({ tree: outside(joinPath(own.directory, each), true), path: '' }))
  return paths.map((each) => ({ tree: 0, path: each }))
}

function findManifest(manifest: string, tree: CodeTree): { readonly path: string } | undefined {
  const path = getPathInTree(manifest, tree.root) ?? throwIssue(issues.MANIFEST_OUTSIDE, { manifest, root: tree.root })
  return tree.entry(path) ? { path } : undefined
}

/** Returns a warning about a configured manifest that is missing; Puppet silently compiles without it. */
function listMissingManifestWarnings(manifest: string, tree: CodeTree): string[] {
  if (manifest === standardManifest) return []
  const path = resolve(tree.root, manifest)
  return [`The manifest ${path} set in ${tree.root}/environment.conf does not exist: catalogs contain no code from it`]
}

/**
 * Returns the output of config_version. The environment.conf of a commit cannot run a program:
 * there is no working tree, and a user who may push code may not run programs on this machine. The
 * commit id, which such programs usually print, is used instead.
 */
async function getConfigVersion(
  command: string | undefined,
  isOurs: boolean,
  tree: CodeTree,
): Promise<{ readonly version: string | undefined; readonly warnings: readonly string[] }> {
  if (command === undefined) return { version: undefined, warnings: [] }
  const [program = '', ...args] = command.split(/\s+/)
  if (tree.codeId !== undefined && (!isOurs || getPathInTree(program, tree.root) !== undefined)) {
    const warning = `The config_version command '${command}' of ${tree.root} does not run: the code comes from a repository, and its version is the commit`
    return { version: tree.codeId, warnings: [warning] }
  }
  const result = await localCommands.run([resolve(tree.root, program), ...args], { timeout: 60, maxOutput: 64 * 1024 })
  if (result.status !== 0) {
    const why = `Execution of '${command}' returned ${result.status}: ${result.output.trim()}`
    throwIssue(issues.CONFIG_VERSION_FAILED, { command, why })
  }
  return { version: result.stdout.trim(), warnings: [] }
}
