import { normalizeName } from '../../compiler/code/code-definition.ts'
import { getChildren } from '../../language/syntax/tree/children.ts'
import type { AnyNode, CallNamedFunction, Expression } from '../../language/syntax/tree/nodes.ts'
import type { CodeFile } from './code-file.ts'
import type { CountedName, CountedNames } from './counted-names.ts'
import { formatKeyPattern, type UsedNames } from './used-names.ts'

const lookupFunctions: ReadonlySet<string> = new Set([
  ...['lookup', 'hiera', 'hiera_array', 'hiera_hash', 'hiera_include'],
])
const variableFunctions: ReadonlySet<string> = new Set(['getvar', 'defined'])
const templateFunctions: ReadonlySet<string> = new Set(['template', 'epp'])

/** Collects the names that one file uses. */
export class FileUses {
  readonly #names: UsedNames
  readonly #path: string
  readonly #module: string
  readonly #once = new Set<CountedName>()
  readonly #repeated: CountedName[] = []
  readonly #templates = new Set<string>()

  /** `module`: the name of the file's module; empty outside of modules. */
  constructor(names: UsedNames, path: string, module: string) {
    this.#names = names
    this.#path = path
    this.#module = module
  }

  /** The counted names. */
  get counted(): readonly CountedName[] {
    return [...this.#once, ...this.#repeated]
  }

  /** Names of templates that the file renders. */
  get templates(): readonly string[] {
    return [...this.#templates]
  }

  /** Adds a name, once for the file. */
  add(set: CountedNames, name: string): void {
    const known = set.find(name)
    if (!known || !this.#once.has(known)) this.#once.add(set.add(name))
  }

  /** Adds the uses of a manifest or an EPP template. `isSite`: true for a manifest outside of modules. */
  addCode(file: CodeFile, isSite: boolean): void {
    const names = this.#names
    for (const { kind, name, isDefinition, parentClass } of file.occurrences) {
      if (kind !== 'variable') continue
      if (isDefinition) {
        if (isSite && !name.includes('::')) this.add(names.siteVariables, name.replace(/@\d+$/, ''))
        continue
      }
      this.add(names.variables, name)
      if (parentClass !== undefined) this.add(names.variables, `${parentClass}::${name}`)
    }
    for (const each of file.program!.definitions)
      if (each.kind === 'HostClassDefinition' && each.parentClass !== undefined)
        this.add(names.getSubclasses(normalizeName(each.parentClass)), each.name.toLowerCase())
    const pending: AnyNode[] = [file.program!]
    for (let node = pending.pop(); node; node = pending.pop()) {
      this.#addNode(node)
      pending.push(...getChildren(node))
    }
  }

  #addNode(node: AnyNode): void {
    if (node.kind === 'LiteralString') {
      this.#repeated.push(this.#names.strings.add(node.value))
      this.addText(node.value)
      if (node.value.includes('::')) this.add(this.#names.variables, node.value.replace(/^\$?(?:::)?/, ''))
    } else if (node.kind === 'ResourceDefaults') this.#addAdjusted(node.typeRef)
    else if (node.kind === 'ResourceOverride') this.#addAdjusted(node.resources)
    else if (node.kind === 'Collect' && node.operations.length > 0) this.#addAdjusted(node.type)
    else if (node.kind === 'CallNamedFunction') this.#addCall(node)
  }

  #addAdjusted(node: Expression): void {
    const left = node.kind === 'Access' ? node.left : node
    const name = left.kind === 'QualifiedReference' ? normalizeName(left.casedValue) : '*'
    this.add(this.#names.adjustedTypes, name)
  }

  #addCall(call: CallNamedFunction): void {
    const name = call.functor.kind === 'QualifiedName' ? call.functor.value : ''
    const [first] = call.arguments
    if (templateFunctions.has(name))
      for (const each of name === 'epp' ? call.arguments.slice(0, 1) : call.arguments)
        if (each.kind === 'LiteralString') {
          this.#templates.add(each.value)
          this.#names.addCall(each.value, { path: this.#path, start: call.span.start })
        }
    if (variableFunctions.has(name) && first?.kind === 'LiteralString')
      this.#addWord(first.value.replace(/^\$/, '').split('.')[0]!)
    if (!lookupFunctions.has(name) || !first) return
    if (first.kind === 'QualifiedName') this.#addKey(first.value)
    else for (const each of first.kind === 'LiteralList' ? first.values : [first]) this.#addLookup(each)
  }

  #addLookup(node: Expression): void {
    if (node.kind === 'LiteralString') this.#addKey(node.value)
    else if (node.kind === 'ConcatenatedString') {
      const getText = (each: Expression | undefined) => (each?.kind === 'LiteralString' ? each.value : '')
      const [start, end] = [getText(node.segments[0]), getText(node.segments.at(-1))]
      this.add(this.#names.lookupPatterns, formatKeyPattern({ start, end }))
    } else this.add(this.#names.dynamicLookups, this.#module)
  }

  #addKey(key: string): void {
    this.add(this.#names.lookupKeys, key.split('.')[0]!)
  }

  #addWord(word: string): void {
    this.add(this.#names.getWords(this.#module), word)
  }

  /** Adds the names in a template or in Ruby code: `@name`, `$name` and quoted names. */
  addText(text: string): void {
    // Code that reads all variables of a scope may read each variable whose name it contains.
    if (text.includes('to_hash') || text.includes('instance_variable'))
      for (const [name] of text.matchAll(/\w+/g)) this.#addWord(name)
    for (const [, name] of text.matchAll(/@(\w+)/g)) this.#addWord(name!)
    for (const [, name] of text.matchAll(/['":]{1,2}(\w+)['"]/g)) this.#addWord(name!)
    for (const [, name] of text.matchAll(/\$\{?(\w+)/g)) this.#addWord(name!)
    for (const [, name] of text.matchAll(/['"](?:::)?(\w+(?:::\w+)+)['"]/g)) this.add(this.#names.variables, name!)
  }

  /** Adds a Ruby file of a module: its words, the name that its path defines, and the facts in it. */
  addRuby(inner: string, text: string): void {
    this.addText(text)
    const names = this.#names
    const sets = [
      ['lib/puppet/functions/', names.rubyFunctions],
      ['lib/puppet/parser/functions/', names.rubyFunctions],
      ['lib/puppet/type/', names.rubyTypes],
      ['lib/puppet/datatypes/', names.rubyDataTypes],
    ] as const
    for (const [folder, set] of sets)
      if (inner.startsWith(folder)) this.add(set, inner.slice(folder.length, -3).replaceAll('/', '::').toLowerCase())
    if (!inner.startsWith('lib/facter/')) return
    this.add(names.facts, getFileStem(inner))
    for (const [, name] of text.matchAll(/Facter\.add\(?[ \t]*[:"']{1,2}(\w+)/g)) this.add(names.facts, name!)
  }

  /** Adds a file of external facts. */
  addFacts(text: string): void {
    this.add(this.#names.facts, getFileStem(this.#path))
    for (const [, name] of text.matchAll(/^[ \t"'{]*(\w+)["']?[ \t]*[=:]/gm)) this.add(this.#names.facts, name!)
  }

  /** Adds a file of Hiera data: its interpolations, and its `lookup_options`. */
  addData(text: string): void {
    const options = /^lookup_options:.*\n((?:[ \t#].*\n|\n)*)/m.exec(text)?.[1] ?? ''
    for (const [, key] of options.matchAll(/^[ \t]+["']?([^\s"':]+(?:::[^\s"':]+)*)["']?:/gm)) this.#addOptions(key!)
    for (const [, key] of text.matchAll(/%\{ ?(?:lookup|hiera|alias|scope)\(["']([\w:.-]+)["']\)/g))
      this.#addKey(key!.replace(/^::/, ''))
    for (const [, name] of text.matchAll(/%\{(?:::)?(\w+(?:::\w+)*)/g)) {
      this.add(this.#names.variables, name!)
      this.#addWord(name!.split('::').at(-1)!)
    }
  }

  /** Adds a key, or the literal beginning of a pattern in Ruby's syntax. */
  #addOptions(key: string): void {
    const isPattern = key.startsWith('^')
    const start = isPattern ? (/^\^[\w:]*/.exec(key)?.[0] ?? '').slice(1) : key
    this.add(this.#names.lookupOptions, formatKeyPattern({ start, end: isPattern ? '' : key }))
  }
}

/** The name of a file without its folder and endings. */
function getFileStem(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).split('.', 1)[0]!
}
