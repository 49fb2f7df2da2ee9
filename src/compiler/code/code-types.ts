import type { CallContext } from '../../language/host.ts'
import { throwArgumentError } from '../../language/ruby-semantics/argument-error.ts'
import { findNamedType } from '../../language/types/find-named-type.ts'
import { createDefinedType, resolveType } from '../../language/types/from-code/define-type.ts'
import type { ResolveType } from '../../language/types/from-code/type-expressions.ts'
import { findOwnType } from '../../language/types/objects/make-type-set.ts'
import type { Type, TypeSetType } from '../../language/values/type.ts'
import { issues } from '../request/issues.ts'
import { normalizeName } from './code-definition.ts'
import type { KnownTypes } from './definition-lookup.ts'

/**
 * Types defined in code: aliases, Object types, type sets, and the members of type sets. Each type is created on first
 * use.
 */
export class CodeTypes {
  readonly #definitions: KnownTypes
  readonly #resolve: ResolveType
  readonly #known = new Map<string, Type | undefined>()

  /** `top` is the context of the top scope, which resolves the names of types that are not built in. */
  constructor(definitions: KnownTypes, top: CallContext) {
    this.#definitions = definitions
    this.#resolve = (name) => findNamedType(name, top)
  }

  /**
   * Finds a type by its full, case-insensitive name. Also finds a type that is being evaluated, because a type can
   * refer to itself.
   */
  find(name: string): Type | undefined {
    const key = normalizeName(name)
    if (this.#known.has(key)) return this.#known.get(key)
    const type = this.#defined(key)
    this.#known.set(key, type)
    if (type?.kind === 'TypeSet') this.#checkNames(type)
    if (type) resolveType(type)
    return type
  }

  #defined(key: string): Type | undefined {
    const alias = this.#definitions.alias(key)
    if (!alias) return this.#inTypeSet(key)
    return createDefinedType(alias.name, alias.type, this.#resolve)
  }

  /** Finds a member of a type set: `Car::Wheel` is the member `Wheel` of the type set `Car`. */
  #inTypeSet(key: string): Type | undefined {
    const names = key.split('::')
    for (let count = names.length - 1; count > 0; count--) {
      const set = this.find(names.slice(0, count).join('::'))
      const type = set?.kind === 'TypeSet' ? findOwnType(set, names.slice(count).join('::')) : undefined
      if (type) return type
    }
    return undefined
  }

  /** Throws RUNTIME_ERROR if a type in the type set is also defined outside of it. */
  #checkNames({ name, types }: TypeSetType): void {
    for (const each of types.keys()) {
      const full = normalizeName(`${name}::${each}`)
      const origin = this.#definitions.getAliasLocation(full)
      if (origin !== undefined)
        throwArgumentError(issues.REDEFINED_TYPE.text({ name: full, origin: `Originally set at ${origin}.` }))
    }
  }
}
