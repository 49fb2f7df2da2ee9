import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { describeType, type TypeDescription, toTypeShape } from '../../ruby/resource-types.ts'
import type { RubySession } from '../../ruby/session/session.ts'
import type { TypeDescriptions } from '../../ruby/worker-share.ts'
import type { ModuleFiles } from '../code/module-files.ts'
import type { ModuleTypes, NativeType } from '../code/native-types.ts'
import { computeRubyTypeDigest } from './ruby-digest.ts'

/** Native types by description; each description has only one object in a thread. */
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

  /**
   * Returns the description of a type. Ruby runs once for each environment, for each state of the types in its modules,
   * and for each state of the files that they read.
   */
  find(name: string): NativeType | undefined {
    const known = this.#remembered(name)
    const description = known === undefined ? this.#described(name) : known
    return description === null ? undefined : toNativeType(name, description)
  }

  #remembered(name: string): TypeDescription | null | undefined {
    const key = this.#key(name)
    return key === undefined ? undefined : this.#known.get(key)
  }

  #described(name: string): TypeDescription | null {
    const description = this.#session.calls.loading.loadType(() => describeType(this.#session, name)) ?? null
    // The cache key is computed again, because the files that the type reads are known only now.
    const key = this.#key(name)
    if (key !== undefined) this.#known.set(key, description)
    return description
  }

  /**
   * Returns the cache key. The key contains the environment, since Ruby code that previously ran in the same machine
   * may change the description of a type.
   */
  #key(name: string): string | undefined {
    const { besideCode } = this.#session.calls.loading
    if (besideCode === undefined) return undefined
    return [this.#environment.name, computeRubyTypeDigest(this.#environment, this.#files), besideCode, name].join('\0')
  }
}

function toNativeType(name: string, description: TypeDescription): NativeType {
  const known = natives.get(description)
  if (known) return known
  const type: NativeType = { kind: 'native', name, ...toTypeShape(description) }
  natives.set(description, type)
  return type
}
