import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CodeTree } from '../environments/code-tree.ts'
import type { CompileEnvironment } from '../environments/compile-environment.ts'
import type { RubySession } from '../ruby/session.ts'
import { reflectType, type TypeShape } from '../ruby/types.ts'
import type { ModuleFiles } from './module-files.ts'
import type { NativeType } from './native-types.ts'
import { codeKey } from './ruby-code.ts'

/** What Ruby said of types, by the Ruby code of all modules that it may have run; shared by all that a thread compiles. */
const shapes = new LRUCache<string, { readonly shape: TypeShape | undefined }>({ max: 2000 })

/** The digests of that code, by the code as a whole. */
const digests = new LRUCache<string, string>({ max: 16 })

/** No type runs what is here. */
const neverRun = /^lib\/(facter|hiera|puppet\/(functions|parser|face|reports|application))$/

/** A type that a module defines in Ruby: asked of Ruby once for each state of the modules' Ruby code. */
export function rubyType(
  session: RubySession,
  environment: CompileEnvironment,
  files: ModuleFiles,
  name: string,
): NativeType | undefined {
  const key = `${libraryDigest(environment, files)}\0${name}`
  const known = shapes.get(key) ?? { shape: reflectType(session, name) }
  shapes.set(key, known)
  return known.shape && { kind: 'native', name, ...known.shape }
}

/** Names and contents of the Ruby files that the code of a type may need: mixins, parents, other types. */
function libraryDigest(environment: CompileEnvironment, files: ModuleFiles): string {
  const code = codeKey(environment)
  const known = digests.get(code)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  for (const name of files.names()) {
    const { tree, path } = files.module(name)!
    for (const [file, oid] of rubyFiles(tree, path, 'lib')) hash.update(`${name}/${file}\0${oid}\0`)
  }
  for (const [file, oid] of rubyFiles(environment.tree, '', 'lib')) hash.update(`${file}\0${oid}\0`)
  const digest = hash.digest('hex')
  digests.set(code, digest)
  return digest
}

function* rubyFiles(tree: CodeTree, module: string, folder: string): Generator<[string, string]> {
  for (const name of tree.list(module === '' ? folder : `${module}/${folder}`)) {
    const path = `${folder}/${name}`
    const entry = tree.entry(module === '' ? path : `${module}/${path}`)
    if (entry?.kind === 'directory' && !neverRun.test(path)) yield* rubyFiles(tree, module, path)
    else if (entry?.kind === 'file' && name.endsWith('.rb')) yield [path, entry.oid]
  }
}
