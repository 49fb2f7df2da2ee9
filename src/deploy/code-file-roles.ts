import { posix } from 'node:path'
import { PuppetError } from '../base/issue.ts'
import { type EnvironmentSettings, readEnvironmentConf } from '../code/environments/environment-conf.ts'
import { createFolderMatcher } from '../code/environments/glob.ts'
import { isModuleName } from '../code/environments/modules.ts'
import { defaultConfig, type HieraConfig, type HierarchyEntry, parseHieraConfig } from '../compiler/hiera/config.ts'
import { isPolicyFile } from '../compiler/policy/read-policies.ts'
import type { Settings } from '../machine/settings/settings.ts'
import { approvalsFile } from './approvals/approval-rules.ts'
import { rolloutFile } from './rollout/rollout-file.ts'

/** The role of a file: its format, and its use by a compilation. */
export type Role =
  | 'environment.conf'
  | 'hiera.yaml'
  | 'metadata.json'
  | 'manifest'
  | 'plan'
  | 'template'
  | 'erb'
  | 'ruby'
  | 'yaml'
  | 'json'
  | 'hocon'
  | 'sops'
  | 'policies'
  | 'approvals'
  | 'rollout'
  | 'attributes'

/** Classifies the files of an environment's folder. Paths are relative to that folder. */
export interface CodePaths {
  /** The path of a file relative to the modulepath, such as `ntp/manifests/init.pp`; `undefined` outside of modules. */
  moduleFile(path: string): string | undefined
  /** The role of a file; `undefined` if a compilation never reads the file, or only sends it to nodes. */
  getRole(path: string): Role | undefined
}

/**
 * Creates the classifier from environment.conf and the hiera.yaml files, which `hieras` contains by folder: `''` is the
 * environment's own folder. An invalid file counts as missing.
 */
export function createPathClassifier(
  conf: string | undefined,
  hieras: ReadonlyMap<string, string>,
  settings: Settings,
): CodePaths {
  const { manifest, modulepath } = parseConfOrDefault(conf, settings)
  const moduleFile = createModulePathFinder(modulepath)
  const data = new Map<string, readonly DataFiles[]>()
  const findDataRole = (folder: string, path: string): Role | undefined => {
    const known = data.get(folder) ?? listDataFiles(hieras.get(folder), folder === '' ? 'environment' : 'module')
    data.set(folder, known)
    return known.find(({ matches }) => matches(path))?.role
  }
  return {
    moduleFile,
    getRole(path) {
      if (posix.basename(path) === '.gitattributes') return 'attributes'
      const inModules = moduleFile(path)
      if (inModules === undefined) return findEnvironmentRole(path, posix.normalize(manifest)) ?? findDataRole('', path)
      const [module, inModule] = splitModuleName(inModules)
      const folder = path.slice(0, path.length - inModule.length - 1)
      return isModuleName(module) ? (findModuleRole(inModule) ?? findDataRole(folder, inModule)) : undefined
    },
  }
}

/** True for the hiera.yaml of the environment or of a module. */
export function isHieraYaml(path: string, { moduleFile }: Pick<CodePaths, 'moduleFile'>): boolean {
  if (!path.endsWith('hiera.yaml')) return false
  return path === 'hiera.yaml' || /^[^/]+\/hiera\.yaml$/.test(moduleFile(path) ?? '')
}

function parseConfOrDefault(
  text: string | undefined,
  settings: Settings,
): Pick<EnvironmentSettings, 'manifest' | 'modulepath'> {
  try {
    return readEnvironmentConf({ file: 'environment.conf', text }, settings.environment, settings).settings
  } catch (error) {
    if (error instanceof PuppetError) return { manifest: 'manifests', modulepath: ['modules'] }
    throw error
  }
}

function createModulePathFinder(modulepath: readonly string[]): CodePaths['moduleFile'] {
  const folders = modulepath
    .filter((folder) => !folder.startsWith('/'))
    .map((folder) =>
      createFolderMatcher(
        folder
          .split('/')
          .filter((name) => name !== '' && name !== '.')
          .join('/'),
      ),
    )
  // All files in one folder are at the same depth below a folder of the modulepath, so the depth is
  // cached by folder.
  const known = new Map<string, number | undefined>()
  const getModuleDepth = (parent: string): number | undefined => {
    if (!known.has(parent)) known.set(parent, findFirstDepth(folders, parent === '' ? [] : parent.split('/')))
    return known.get(parent)
  }
  return (path) => {
    const depth = getModuleDepth(posix.dirname(`/${path}`).slice(1))
    return depth === undefined ? undefined : path.split('/').slice(depth).join('/')
  }
}

function findFirstDepth(
  folders: readonly ReturnType<typeof createFolderMatcher>[],
  names: readonly string[],
): number | undefined {
  for (const folder of folders) {
    const depth = folder(names)
    if (depth !== undefined) return depth
  }
  return undefined
}

function splitModuleName(path: string): readonly [module: string, inModule: string] {
  const slash = path.indexOf('/')
  return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)]
}

const environmentRoles: readonly (readonly [path: RegExp, role: Role])[] = [
  [/^environment\.conf$/, 'environment.conf'],
  [/^hiera\.yaml$/, 'hiera.yaml'],
  [/^(?:functions|types)\/.*\.pp$/, 'manifest'],
  [/^policies\/.*\.pp$/, 'manifest'],
  [/^plans\/.*\.pp$/, 'plan'],
]

const moduleRoles: readonly (readonly [path: RegExp, role: Role])[] = [
  [/^hiera\.yaml$/, 'hiera.yaml'],
  [/^metadata\.json$/, 'metadata.json'],
  [/^(?:manifests|functions|types)\/.*\.pp$/, 'manifest'],
  [/^plans\/.*\.pp$/, 'plan'],
  [/^templates\/.*\.epp$/, 'template'],
  [/^templates\/.*\.erb$/, 'erb'],
  [/^lib\/.*\.rb$/, 'ruby'],
]

function findEnvironmentRole(path: string, manifest: string): Role | undefined {
  const folder = manifest === './' || manifest === '.' ? '' : `${manifest.replace(/\/$/, '')}/`
  if (path === manifest || (path.startsWith(folder) && path.endsWith('.pp'))) return 'manifest'
  if (isPolicyFile(path)) return 'policies'
  if (path === approvalsFile) return 'approvals'
  if (path === rolloutFile) return 'rollout'
  return environmentRoles.find(([pattern]) => pattern.test(path))?.[1]
}

function findModuleRole(path: string): Role | undefined {
  return moduleRoles.find(([pattern]) => pattern.test(path))?.[1]
}

interface DataFiles {
  /** Tests a path relative to the folder of the hiera.yaml. */
  readonly matches: (path: string) => boolean
  readonly role: Role
}

/** File roles by Hiera data function. Files read by other functions have no role. */
const readers: Readonly<Record<string, Role>> = {
  yaml_data: 'yaml',
  eyaml_lookup_key: 'yaml',
  json_data: 'json',
  hocon_data: 'hocon',
  sops_lookup_key: 'sops',
}

function listDataFiles(text: string | undefined, layer: 'environment' | 'module'): readonly DataFiles[] {
  const { hierarchy, defaultHierarchy = [] } = parseHieraOrDefault(text, layer)
  return [...hierarchy, ...defaultHierarchy].flatMap(toDataFiles)
}

function parseHieraOrDefault(text: string | undefined, layer: 'environment' | 'module'): HieraConfig {
  try {
    return text === undefined ? defaultConfig : parseHieraConfig(text, 'hiera.yaml', layer)
  } catch (error) {
    if (error instanceof PuppetError) return defaultConfig
    throw error
  }
}

function toDataFiles({ functionName, datadir, locations }: HierarchyEntry): readonly DataFiles[] {
  const role = Object.hasOwn(readers, functionName) ? readers[functionName] : undefined
  if (role === undefined || locations.kind === 'none' || locations.kind === 'uris') return []
  const { ending = '' } = locations.kind === 'paths' ? locations : {}
  const values = locations.kind === 'mapped' ? [locations.template] : locations.values
  const paths = values.map((path) => (path.endsWith(ending) ? path : `${path}${ending}`))
  return paths.map((path) => ({ matches: createPathTest(posix.join(datadir, path), locations.kind === 'globs'), role }))
}

/** Returns a test for the paths that match a path of a hierarchy. An interpolation or a wildcard matches any text. */
function createPathTest(path: string, isGlob: boolean): DataFiles['matches'] {
  const [start = '', ...others] = splitFixedParts(path, isGlob)
  const end = others.pop()
  if (end === undefined) return (each) => each === start
  return (each) => {
    if (!each.startsWith(start) || !each.endsWith(end)) return false
    let at = start.length
    for (const part of others) {
      const found = each.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at + end.length <= each.length
  }
}

/** Closing character of an interpolation or a wildcard, by the opening character. */
const closing: Readonly<Record<string, string>> = { '%': '}', '[': ']', '{': '}' }

/** The constant parts of a path, without interpolations and wildcards. */
function splitFixedParts(path: string, isGlob: boolean): string[] {
  const parts = ['']
  // If a closing character was not found once, the rest of the path does not contain it either.
  const unclosed = new Set<string>()
  for (let at = 0; at < path.length; at++) {
    const character = path[at]!
    const opens = path.startsWith('%{', at) || (isGlob && (character === '[' || character === '{'))
    const end = opens && !unclosed.has(character) ? path.indexOf(closing[character]!, at + 1) : -1
    if (end >= 0) {
      parts.push('')
      at = end
    } else if (isGlob && (character === '*' || character === '?')) parts.push('')
    else {
      if (opens) unclosed.add(character)
      parts[parts.length - 1] += character
    }
  }
  return parts
}
