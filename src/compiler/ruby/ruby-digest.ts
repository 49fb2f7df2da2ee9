import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { filesBelow } from '../../code/environments/walk-tree.ts'
import type { ModuleFiles } from '../code/module-files.ts'

interface Digests {
  readonly all: string
  readonly shared: string
  readonly types: string
}

/** By the code as a whole. */
const digests = new LRUCache<string, Digests>({ max: 32 })

/** Digests of Ruby code by environment, for environments that are in memory. */
const byEnvironment = new WeakMap<CompileEnvironment, Digests>()

/** No type runs what is here, below a `lib` folder. */
const notForTypes = /^\/(?:hiera|puppet\/(?:functions|parser))\//

/** Code of nodes, which no compilation loads: where some Ruby does read it, it is a file like others. */
const ofNodes = /^\/(?:facter|puppet\/(?:application|face|provider|reports))\//

/** Files that define one function each. */
const ofFunctions = /^\/puppet\/(?:functions|parser\/functions)\//

/** True for a path, from a `lib` folder with a slash, where Ruby looks for code; and for what is below such a path. */
export function isCode(path: string): boolean {
  return /\.(?:rb|so|o|bundle|dll)(?:\/|$)/.test(path) && !ofNodes.test(path)
}

/** True for such a path where Ruby looks for the code of a function. */
export function isFunctionCode(path: string): boolean {
  return ofFunctions.test(path)
}

/** Names all Ruby code that modules bring: which files there are, and what is in them. */
export function rubyDigest(environment: CompileEnvironment, files: ModuleFiles): string {
  return digestsOf(environment, files).all
}

/** Names the Ruby code that any function and any type may need: all of it but for functions, each of which is a file. */
export function sharedRubyDigest(environment: CompileEnvironment, files: ModuleFiles): string {
  return digestsOf(environment, files).shared
}

/** Names the Ruby code that types may need: mixins, parents, other types. */
export function typeDigest(environment: CompileEnvironment, files: ModuleFiles): string {
  return digestsOf(environment, files).types
}

function digestsOf(environment: CompileEnvironment, files: ModuleFiles): Digests {
  const made = byEnvironment.get(environment) ?? digestsOfCode(environment, files)
  byEnvironment.set(environment, made)
  return made
}

function digestsOfCode({ tree, modulepath }: CompileEnvironment, files: ModuleFiles): Digests {
  const places = [{ tree, path: '' }, ...modulepath]
  const code = places.flatMap((each) => [each.tree.id, each.tree.root, each.path]).join('\0')
  const known = digests.get(code)
  if (known !== undefined) return known
  const [all, shared, types] = [createHash('sha256'), createHash('sha256'), createHash('sha256')]
  const folders = files.names().map((name) => {
    const module = files.module(name)!
    return { tree: module.tree, path: `${module.path}/lib` }
  })
  for (const each of [...folders, { tree, path: 'lib' }])
    for (const [file, oid] of rubyFiles(each.tree, each.path)) {
      const line = `${each.tree.root}/${each.path}${file}\0${oid}\0`
      all.update(line)
      if (!isFunctionCode(file)) shared.update(line)
      if (!notForTypes.test(file)) types.update(line)
    }
  const made = { all: all.digest('hex'), shared: shared.digest('hex'), types: types.digest('hex') }
  digests.set(code, made)
  return made
}

/** Code below a `lib` folder; paths from there, with a slash. */
function* rubyFiles(tree: CodeTree, folder: string): Generator<[string, string]> {
  for (const { path, entry } of filesBelow(tree, folder)) {
    const file = path.slice(folder.length)
    if (isCode(file)) yield [file, entry.oid]
  }
}
