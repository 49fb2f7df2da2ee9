import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CodeTree } from '../../environments/code-tree.ts'
import type { CompileEnvironment } from '../../environments/compile-environment.ts'
import { filesBelow } from '../../environments/walk-tree.ts'
import type { ModuleFiles } from '../code/module-files.ts'

interface Digests {
  readonly all: string
  readonly types: string
}

/** By the code as a whole. */
const digests = new LRUCache<string, Digests>({ max: 32 })

/** Digests of Ruby code by environment, for environments that are in memory. */
const byEnvironment = new WeakMap<CompileEnvironment, Digests>()

/** No type runs what is here, below its module. */
const notForTypes = /^lib\/(facter|hiera|puppet\/(functions|parser|face|reports|application))\//

/** True for a path, from a `lib` folder, where Ruby looks for code; and for what is below such a path. */
export function isCode(path: string): boolean {
  return /\.(?:rb|so|o|bundle|dll)(?:\/|$)/.test(path)
}

/** Names all Ruby code that modules bring: which files there are, and what is in them. */
export function rubyDigest(environment: CompileEnvironment, files: ModuleFiles): string {
  return digestsOf(environment, files).all
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
  const [all, types] = [createHash('sha256'), createHash('sha256')]
  for (const name of files.names()) {
    const module = files.module(name)!
    all.update(`${module.tree.root}/${module.path}\0`)
    for (const [file, oid] of rubyFiles(module.tree, module.path, 'lib')) {
      all.update(`${file}\0${oid}\0`)
      if (!notForTypes.test(file)) types.update(`${name}/${file}\0${oid}\0`)
    }
  }
  for (const [file, oid] of rubyFiles(tree, '', 'lib')) {
    all.update(`${file}\0${oid}\0`)
    types.update(`${file}\0${oid}\0`)
  }
  const made = { all: all.digest('hex'), types: types.digest('hex') }
  digests.set(code, made)
  return made
}

/** Paths from the module. */
function* rubyFiles(tree: CodeTree, module: string, folder: string): Generator<[string, string]> {
  const above = module === '' ? '' : `${module}/`
  for (const { path, entry } of filesBelow(tree, `${above}${folder}`))
    if (isCode(path.slice(above.length))) yield [path.slice(above.length), entry.oid]
}
