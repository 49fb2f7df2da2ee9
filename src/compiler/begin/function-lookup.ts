import { PuppetFunction } from '../../language/evaluator/closure.ts'
import { makeContext } from '../../language/evaluator/evaluation.ts'
import { puppetDbQuery, puppetDbQueryName } from '../../language/functions/puppetdb-query.ts'
import { builtinFunctions } from '../../language/functions/table.ts'
import { findProvenFunction } from '../../language/module-functions/table.ts'
import type { Callable } from '../../language/values/callable.ts'
import { createTemplateFunctions } from '../../ruby/erb-templates.ts'
import { LegacyRubyFunction, RubyFunction } from '../../ruby/session/ruby-functions.ts'
import type { Compilation, FunctionsByName } from '../catalog/compilation.ts'
import { dataFunctions } from '../hiera/data-functions.ts'

/** Finds functions by name: built-in functions, functions of Hiera, and functions in the environment's code. */
export class KnownFunctions implements FunctionsByName {
  readonly #compilation: Compilation
  readonly #templates: ReadonlyMap<string, Callable>
  readonly #known = new Map<string, Callable | undefined>()

  constructor(compilation: Compilation) {
    this.#compilation = compilation
    this.#templates = createTemplateFunctions(compilation.ruby)
  }

  find(name: string): Callable | undefined {
    if (!this.#known.has(name)) this.#known.set(name, this.#find(name))
    return this.#known.get(name) ?? this.#otherFunction(name)
  }

  names(): string[] {
    const given = this.#compilation.request.functions?.keys() ?? []
    return [...builtinFunctions.keys(), ...dataFunctions.keys(), ...this.#templates.keys(), ...given]
  }

  #find(name: string): Callable | undefined {
    return (
      builtinFunctions.get(name) ??
      this.#compilation.request.functions?.get(name) ??
      dataFunctions.get(name) ??
      this.#templates.get(name) ??
      this.#storeFunction(name) ??
      this.#puppetFunction(name) ??
      this.#moduleFunction(name)
    )
  }

  /**
   * Returns `puppetdb_query`; without a store, the function does not exist, as in Puppet without PuppetDB's package.
   */
  #storeFunction(name: string): Callable | undefined {
    return name === puppetDbQueryName && this.#compilation.host.askStore ? puppetDbQuery : undefined
  }

  #puppetFunction(name: string): Callable | undefined {
    const { types, host, top } = this.#compilation
    const definition = types.function(name)
    return definition && new PuppetFunction(definition.name, definition, makeContext(host, top))
  }

  /** Finds a Puppet 3 function that a loaded file defines, although the file is named after another function. */
  #otherFunction(name: string): Callable | undefined {
    const { ruby } = this.#compilation
    const path = ruby.otherFunctions.get(name)
    if (path !== undefined) this.#known.set(name, new LegacyRubyFunction(ruby, name, path))
    return this.#known.get(name)
  }

  /** Finds a module function written in Ruby. Returns our own implementation if it is proven equivalent to the file. */
  #moduleFunction(name: string): Callable | undefined {
    const { types, host, ruby } = this.#compilation
    const path = types.rubyFunction(name)
    const found = path ?? types.legacyRubyFunction(name)
    if (found === undefined) return undefined
    const code = host.files.readBytes(found)
    const native = code && findProvenFunction(name, code)
    if (native) return native
    return path === undefined ? new LegacyRubyFunction(ruby, name) : new RubyFunction(ruby, name, path)
  }
}
