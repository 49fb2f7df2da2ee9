import type { Json } from '../../base/json/json-checks.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { Value } from '../../language/values/value.ts'
import type { InputRead } from '../vm/ruby-engine.ts'

/** The environment and catalog, as seen by Ruby code. */
export interface Surroundings {
  readonly environment: string
  /** True to log debug messages. */
  readonly debug: boolean
  readonly modulepath: readonly string[]
  /** The `lib` folders of all modules, for `require`. */
  readonly loadPath: readonly string[]
  readonly moduleNames: readonly string[]
  /** Replies to a query in tagged form in place of the session; undefined for a query that the session answers. */
  answer?(name: string, args: readonly Json[]): Json | undefined
  /** Digest of all Ruby code in modules. */
  readonly rubyDigest: string
  /** Returns the file that defines a function of the Puppet 3 API. */
  legacyFunction(name: string): string | undefined
  /** Returns the file that defines a resource type. */
  typeFile(name: string): string | undefined
  /** Returns true if a module has providers for the resource type. */
  hasProviders(type: string): boolean
  /** Returns a built-in type of Puppet. */
  builtinType(name: string): BuiltinType | undefined
  /** Returns the current contents of the catalog: class names, tags, and resource references. */
  catalogContents(): {
    readonly classes: readonly string[]
    readonly tags: readonly string[]
    readonly resources: readonly string[]
  }
  /** The resource defaults of a type in a scope. */
  resourceDefaults(scope: Scope, type: string): Iterable<readonly [string, Value]>
  resourceParameters(type: string, title: string): Iterable<readonly [string, Value]> | undefined
  /** Returns the identity of a path's content in the trees that Ruby sees: a blob, `directory` or `nothing`. */
  pathAnswer(path: string): string
  /** Returns the names in a folder as a single text. */
  folderAnswer(path: string): string
  /**
   * Returns `function` for code of a function, and `other` for other Ruby code in modules; `undefined` for other
   * paths. `computeRubyDigest` covers this code.
   */
  codeAt(path: string): 'function' | 'other' | undefined
  /** Called for each input that Ruby reads; `isKept` is true if the code may cache the result. */
  saw(sight: InputRead, isKept: boolean): void
  /** Time of Ruby's clock in seconds since 1970. */
  readonly time: number
  /** Replaces a value, compared by identity, in all parameters of the catalog. */
  replaceValue(old: Value, value: Value): void
}

/** The properties of a built-in type that Ruby may read. */
export interface BuiltinType {
  readonly parameters: ReadonlySet<string>
  readonly properties: ReadonlySet<string>
  readonly namevars: readonly string[]
  readonly isomorphic: boolean
}
