import type { CompileEnvironment } from '../../environments/compile-environment.ts'
import type { TypeDescriptions } from '../../ruby/ruby-share.ts'
import type { RubySession } from '../../ruby/session.ts'
import { describeType, type TypeDescription, typeShape } from '../../ruby/types.ts'
import type { ModuleFiles } from '../code/module-files.ts'
import type { ModuleTypes, NativeType } from '../code/native-types.ts'
import { typeDigest } from './ruby-digest.ts'

/** Native types by description; a description is the same object for as long as its thread keeps it. */
const natives = new WeakMap<TypeDescription, NativeType>()

/** The types that an environment's modules define in Ruby. */
export class RubyTypes implements ModuleTypes {
  readonly #session: RubySession
  readonly #known: TypeDescriptions
  readonly #environment: CompileEnvironment
  readonly #files: ModuleFiles

  constructor(session: RubySession, known: TypeDescriptions, environment: CompileEnvironment, files: ModuleFiles) {
    this.#session = session
    this.#known = known
    this.#environment = environment
    this.#files = files
  }

  /** Asked of Ruby once for each environment and state of its modules' types. */
  find(name: string): NativeType | undefined {
    // The environment is part of the key: other Ruby that ran before in its machine may change a description.
    const key = `${this.#environment.name}\0${typeDigest(this.#environment, this.#files)}\0${name}`
    const known = this.#known.get(key)
    const description = known === undefined ? (describeType(this.#session, name) ?? null) : known
    if (known === undefined) this.#known.set(key, description)
    return description === null ? undefined : nativeType(name, description)
  }
}

function nativeType(name: string, description: TypeDescription): NativeType {
  const known = natives.get(description)
  if (known) return known
  const type: NativeType = { kind: 'native', name, ...typeShape(description) }
  natives.set(description, type)
  return type
}
