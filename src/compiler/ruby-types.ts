import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CodeTree } from '../environments/code-tree.ts'
import type { CompileEnvironment } from '../environments/compile-environment.ts'
import type { TypeDescriptions } from '../ruby/ruby-share.ts'
import type { RubySession } from '../ruby/session.ts'
import { describeType, type TypeDescription, typeShape } from '../ruby/types.ts'
import type { ModuleFiles } from './module-files.ts'
import type { NativeType } from './native-types.ts'
import { codeKey } from './ruby-code.ts'

/** What was made of descriptions; they are the same objects for as long as their thread keeps them. */
const natives = new WeakMap<TypeDescription, NativeType>()

/** The digests of all Ruby code that types may run, by the code as a whole. */
const digests = new LRUCache<string, string>({ max: 16 })

/** No type runs what is here. */
const neverRun = /^lib\/(facter|hiera|puppet\/(functions|parser|face|reports|application))$/

/** Where types come from. */
export interface TypeSources {
  readonly session: RubySession
  readonly types: TypeDescriptions
  readonly environment: CompileEnvironment
  readonly files: ModuleFiles
}

/** A type that a module defines in Ruby: asked of Ruby once for each state of the modules' Ruby code. */
export function rubyType({ session, types, environment, files }: TypeSources, name: string): NativeType | undefined {
  const key = `${libraryDigest(environment, files)}\0${name}`
  const known = types.get(key)
  const description = known === undefined ? (describeType(session, name) ?? null) : known
  if (known === undefined) types.set(key, description)
  return description === null ? undefined : nativeType(name, description)
}

function nativeType(name: string, description: TypeDescription): NativeType {
  const known = natives.get(description)
  if (known) return known
  const type: NativeType = { kind: 'native', name, ...typeShape(description) }
  natives.set(description, type)
  return type
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
