import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { walkFiles } from '../../code/environments/tree-walk.ts'
import type { ModuleFiles } from '../code/module-files.ts'

interface Digests {
  readonly all: string
  readonly shared: string
  readonly types: string
}

/** Digests of Ruby code by the commits that it comes from. */
const digests = new LRUCache<string, Digests>({ max: 32 })

/** Digests of Ruby code by environment, as long as the environment object is in memory. */
const byEnvironment = new WeakMap<CompileEnvironment, Digests>()

/** Matches paths below `lib` that the code of types never loads. */
const notForTypes = /^\/(?:hiera|puppet\/(?:functions|parser))\//

/**
 * Matches paths of code for nodes, which compilations do not load. If Ruby reads such a file, the read is recorded like
 * the read of any other file.
 */
const ofNodes = /^\/(?:facter|puppet\/(?:application|face|provider|reports))\//

/** Matches paths of files that define a single function. */
const ofFunctions = /^\/puppet\/(?:functions|parser\/functions)\//

/**
 * Returns true for the path of a file with Ruby code, or a path below it. The path is relative to `lib` and has a
 * leading slash.
 */
export function isRubyCode(path: string): boolean {
  return /\.(?:rb|so|o|bundle|dll)(?:\/|$)/.test(path) && !ofNodes.test(path)
}

/** Returns true if the path, in the form of `isRubyCode`, belongs to the code of a function. */
export function isFunctionCode(path: string): boolean {
  return ofFunctions.test(path)
}

/** Returns a digest of all Ruby code in modules, including the paths of the files. */
export function computeRubyDigest(environment: CompileEnvironment, files: ModuleFiles): string {
  return getDigests(environment, files).all
}

/**
 * Returns a digest of the Ruby code that functions and types share, which is all code except the files of functions.
 */
export function computeSharedRubyDigest(environment: CompileEnvironment, files: ModuleFiles): string {
  return getDigests(environment, files).shared
}

/** Returns a digest of the Ruby code that types may load: mixins, parent types, and other types. */
export function computeRubyTypeDigest(environment: CompileEnvironment, files: ModuleFiles): string {
  return getDigests(environment, files).types
}

function getDigests(environment: CompileEnvironment, files: ModuleFiles): Digests {
  const made = byEnvironment.get(environment) ?? computeDigests(environment, files)
  byEnvironment.set(environment, made)
  return made
}

function computeDigests({ tree, modulepath }: CompileEnvironment, files: ModuleFiles): Digests {
  const places = [{ tree, path: '' }, ...modulepath]
  // Only commits identify their code; a folder may change before it is read again.
  const commits = places.every((each) => each.tree.codeId !== undefined)
    ? places.flatMap((each) => [each.tree.codeId, each.tree.root, each.path]).join('\0')
    : undefined
  const known = commits === undefined ? undefined : digests.get(commits)
  if (known !== undefined) return known
  const [all, shared, types] = [createHash('sha256'), createHash('sha256'), createHash('sha256')]
  const folders = files.names().map((name) => {
    const module = files.module(name)!
    return { tree: module.tree, path: `${module.path}/lib` }
  })
  for (const each of [...folders, { tree, path: 'lib' }])
    for (const [file, oid] of listRubyFiles(each.tree, each.path)) {
      const line = `${each.tree.root}/${each.path}${file}\0${oid}\0`
      all.update(line)
      if (!isFunctionCode(file)) shared.update(line)
      if (!notForTypes.test(file)) types.update(line)
    }
  const made = { all: all.digest('hex'), shared: shared.digest('hex'), types: types.digest('hex') }
  if (commits !== undefined) digests.set(commits, made)
  return made
}

/** Yields the code files below a `lib` folder; the paths are relative to the folder and have a leading slash. */
function* listRubyFiles(tree: CodeTree, folder: string): Generator<[string, string]> {
  for (const { path, entry } of walkFiles(tree, folder)) {
    const file = path.slice(folder.length)
    if (isRubyCode(file)) yield [file, entry.oid]
  }
}
