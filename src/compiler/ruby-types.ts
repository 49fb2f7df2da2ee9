import type { CompileEnvironment } from '../environments/compile-environment.ts'
import type { TypeDescriptions } from '../ruby/ruby-share.ts'
import type { RubySession } from '../ruby/session.ts'
import { describeType, type TypeDescription, typeShape } from '../ruby/types.ts'
import type { ModuleFiles } from './module-files.ts'
import type { NativeType } from './native-types.ts'
import { typeDigest } from './ruby-digest.ts'

/** What was made of descriptions; they are the same objects for as long as their thread keeps them. */
const natives = new WeakMap<TypeDescription, NativeType>()

/** Where types come from. */
export interface TypeSources {
  readonly session: RubySession
  readonly types: TypeDescriptions
  readonly environment: CompileEnvironment
  readonly files: ModuleFiles
}

/** A type that a module defines in Ruby: asked of Ruby once for each environment and state of its modules' types. */
export function rubyType({ session, types, environment, files }: TypeSources, name: string): NativeType | undefined {
  // Of each environment: other Ruby of another one, which ran before in its machine, may have it say anything.
  const key = `${environment.name}\0${typeDigest(environment, files)}\0${name}`
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
