import { type CountedName, CountedNames } from './counted-names.ts'

/** A call that renders a template with a literal name. */
export interface TemplateCall {
  readonly path: string
  /** Offset of the call. */
  readonly start: number
}

/** The literal beginning and end of an interpolated string. */
export interface KeyPattern {
  readonly start: string
  readonly end: string
}

/** The names that the code of a workspace uses. Each file adds its names, and takes them away when it changes. */
export class UsedNames {
  /** Full names of variables that code reads by a qualified name, by inheritance, or by a name in a string. */
  readonly variables = new CountedNames()
  /** Resource types whose parameters defaults, overrides or collectors may set. */
  readonly adjustedTypes = new CountedNames()
  /** Literal strings in manifests. */
  readonly strings = new CountedNames()
  /** Literal keys of lookups. */
  readonly lookupKeys = new CountedNames()
  /** Interpolated keys of lookups, as `formatKeyPattern` writes them. */
  readonly lookupPatterns = new CountedNames()
  /** Keys whose `lookup_options` convert or merge values, as `formatKeyPattern` writes them. */
  readonly lookupOptions = new CountedNames()
  /** Names of modules, or an empty name, with a lookup whose key is not known at all. */
  readonly dynamicLookups = new CountedNames()
  /** Facts that modules define. */
  readonly facts = new CountedNames()
  /** Variables that site manifests set at top scope or in node definitions. */
  readonly siteVariables = new CountedNames()
  /** Names that Ruby files of modules define by their paths. */
  readonly rubyFunctions = new CountedNames()
  readonly rubyTypes = new CountedNames()
  readonly rubyDataTypes = new CountedNames()
  readonly #words = new Map<string, CountedNames>()
  readonly #subclasses = new Map<string, CountedNames>()
  readonly #templates = new Map<string, TemplateCall[]>()
  readonly #dependencies = new Map<string, readonly string[] | undefined>()

  /** True if templates, Ruby code, data or strings of a module contain a name. */
  hasWord(module: string, name: string): boolean {
    return this.#words.get(module)?.has(name) ?? false
  }

  /** The names of the words of a module, to add some. */
  getWords(module: string): CountedNames {
    return getOrCreate(this.#words, module, () => new CountedNames())
  }

  /** The classes that inherit a class. */
  listSubclasses(name: string): readonly string[] {
    return this.#subclasses.get(name)?.list() ?? []
  }

  /** The names of the classes that inherit a class, to add some. */
  getSubclasses(name: string): CountedNames {
    return getOrCreate(this.#subclasses, name, () => new CountedNames())
  }

  /** Calls of `template` and `epp` with the literal name of a template. */
  getCalls(template: string): readonly TemplateCall[] {
    return this.#templates.get(template) ?? []
  }

  /** The modules that a metadata.json or a Puppetfile names; undefined if the file is absent or not valid. */
  getDependencies(path: string): readonly string[] | undefined {
    return this.#dependencies.get(path)
  }

  /** True if a metadata.json or a Puppetfile exists. */
  hasDependencies(path: string): boolean {
    return this.#dependencies.has(path)
  }

  addCall(template: string, call: TemplateCall): void {
    getOrCreate(this.#templates, template, () => []).push(call)
  }

  setDependencies(path: string, names: readonly string[] | undefined): void {
    this.#dependencies.set(path, names)
  }

  /** Takes away the names of a file. */
  remove(path: string, counted: readonly CountedName[], templates: readonly string[]): void {
    for (const each of counted) each.owner.remove(each)
    for (const name of templates) {
      const left = this.getCalls(name).filter((each) => each.path !== path)
      if (left.length === 0) this.#templates.delete(name)
      else this.#templates.set(name, left)
    }
    this.#dependencies.delete(path)
  }
}

function getOrCreate<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = create()
  map.set(key, value)
  return value
}

/** A pattern as a name; no key contains the separator. */
export function formatKeyPattern({ start, end }: KeyPattern): string {
  return `${start}\n${end}`
}

const patterns = new WeakMap<CountedNames, { readonly version: number; readonly list: readonly KeyPattern[] }>()

/** The patterns among names that `formatKeyPattern` wrote. */
export function listKeyPatterns(names: CountedNames): readonly KeyPattern[] {
  const known = patterns.get(names)
  if (known?.version === names.version) return known.list
  const list = names.list().map((name) => {
    const at = name.indexOf('\n')
    return { start: name.slice(0, at), end: name.slice(at + 1) }
  })
  patterns.set(names, { version: names.version, list })
  return list
}
