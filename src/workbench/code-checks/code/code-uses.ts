import { join } from 'node:path'
import { normalizeName } from '../../../compiler/code/code-definition.ts'
import { getChildren } from '../../../language/syntax/tree/children.ts'
import type { AnyNode, CallNamedFunction, Expression } from '../../../language/syntax/tree/nodes.ts'
import type { CodeFile } from '../../code-index/code-file.ts'
import type { CodeWorkspace } from '../../code-index/code-workspace.ts'
import { isDataFile } from '../../code-index/data-keys.ts'

/** A call that renders a template with a literal name. */
export interface TemplateCall {
  readonly file: CodeFile
  readonly call: CallNamedFunction
}

/** The names that the code of a workspace uses. Read once. */
export interface UsedNames {
  /** Full names of variables that code reads by a qualified name, by inheritance, or by a name in a string. */
  readonly variables: ReadonlySet<string>
  /** Names that templates, Ruby code, data and strings of a module contain, by the name of the module. */
  readonly words: ReadonlyMap<string, ReadonlySet<string>>
  /** Resource types whose parameters defaults, overrides or collectors may set. */
  readonly adjustedTypes: ReadonlySet<string>
  /** Literal strings in manifests, with the number of their occurrences. */
  readonly strings: ReadonlyMap<string, number>
  /** Calls of `template` and `epp` by the name of the template. */
  readonly templates: ReadonlyMap<string, readonly TemplateCall[]>
  /** Literal keys of lookups, and patterns of interpolated ones. */
  readonly lookupKeys: ReadonlySet<string>
  readonly lookupPatterns: readonly KeyPattern[]
  /** Names of modules, or an empty name, with a lookup whose key is not known at all. */
  readonly dynamicLookups: ReadonlySet<string>
  /** The classes that inherit a class. */
  readonly subclasses: ReadonlyMap<string, readonly string[]>
  /** Keys, or patterns of keys, whose `lookup_options` convert or merge values. */
  readonly lookupOptions: readonly KeyPattern[]
}

/** The literal beginning and end of an interpolated string. */
export interface KeyPattern {
  readonly start: string
  readonly end: string
}

const lookupFunctions: ReadonlySet<string> = new Set([
  ...['lookup', 'hiera', 'hiera_array', 'hiera_hash', 'hiera_include'],
])
const variableFunctions: ReadonlySet<string> = new Set(['getvar', 'defined'])
const templateFunctions: ReadonlySet<string> = new Set(['template', 'epp'])

/** Finds the uses of names in all manifests, templates, Ruby functions and data of a workspace. */
export class CodeUses {
  readonly #workspace: CodeWorkspace
  #names: UsedNames | undefined

  constructor(workspace: CodeWorkspace) {
    this.#workspace = workspace
  }

  get names(): UsedNames {
    this.#names ??= new UseSearch(this.#workspace).run()
    return this.#names
  }
}

class UseSearch implements UsedNames {
  readonly variables = new Set<string>()
  readonly words = new Map<string, Set<string>>()
  readonly adjustedTypes = new Set<string>()
  readonly strings = new Map<string, number>()
  readonly templates = new Map<string, TemplateCall[]>()
  readonly lookupKeys = new Set<string>()
  readonly lookupPatterns: KeyPattern[] = []
  readonly dynamicLookups = new Set<string>()
  readonly subclasses = new Map<string, string[]>()
  readonly lookupOptions: KeyPattern[] = []
  readonly #workspace: CodeWorkspace

  constructor(workspace: CodeWorkspace) {
    this.#workspace = workspace
  }

  run(): UsedNames {
    const workspace = this.#workspace
    const templates = this.#listFiles('templates')
    for (const path of [...workspace.manifests, ...templates.filter((each) => each.endsWith('.epp'))]) {
      const file = workspace.file(path)
      if (file?.program) this.#addFile(file)
    }
    for (const path of templates) this.#addText(path, workspace.text(path))
    for (const path of this.#listFiles('lib')) if (path.endsWith('.rb')) this.#addText(path, workspace.text(path))
    for (const path of ['data', 'hieradata', 'hiera'].flatMap((each) => this.#listFiles(each)))
      if (isDataFile(path)) this.#addData(path, workspace.text(path) ?? '')
    return this
  }

  #listFiles(name: string): readonly string[] {
    const { root, modules } = this.#workspace
    const folders = new Set([root, ...[...modules.values()].map(({ folder }) => folder)])
    return [...folders].flatMap((folder) => this.#workspace.files.listBelow(join(folder, name)))
  }

  #addFile(file: CodeFile): void {
    for (const { kind, name, isDefinition, parentClass } of file.occurrences) {
      if (kind !== 'variable' || isDefinition) continue
      this.variables.add(name)
      if (parentClass !== undefined) this.variables.add(`${parentClass}::${name}`)
    }
    for (const each of file.program!.definitions)
      if (each.kind === 'HostClassDefinition' && each.parentClass !== undefined) {
        const parent = normalizeName(each.parentClass)
        const known = this.subclasses.get(parent)
        if (known) known.push(each.name.toLowerCase())
        else this.subclasses.set(parent, [each.name.toLowerCase()])
      }
    const pending: AnyNode[] = [file.program!]
    for (let node = pending.pop(); node; node = pending.pop()) {
      this.#addNode(node, file)
      pending.push(...getChildren(node))
    }
  }

  #addNode(node: AnyNode, file: CodeFile): void {
    if (node.kind === 'LiteralString') {
      this.strings.set(node.value, (this.strings.get(node.value) ?? 0) + 1)
      this.#addText(file.path, node.value)
      if (node.value.includes('::')) this.variables.add(node.value.replace(/^\$?(?:::)?/, ''))
    } else if (node.kind === 'ResourceDefaults') this.#addAdjusted(node.typeRef)
    else if (node.kind === 'ResourceOverride') this.#addAdjusted(node.resources)
    else if (node.kind === 'Collect' && node.operations.length > 0) this.#addAdjusted(node.type)
    else if (node.kind === 'CallNamedFunction') this.#addCall(node, file)
  }

  #addAdjusted(node: Expression): void {
    const left = node.kind === 'Access' ? node.left : node
    if (left.kind === 'QualifiedReference') this.adjustedTypes.add(normalizeName(left.casedValue))
    else this.adjustedTypes.add('*')
  }

  #addCall(call: CallNamedFunction, file: CodeFile): void {
    const name = call.functor.kind === 'QualifiedName' ? call.functor.value : ''
    const [first] = call.arguments
    if (templateFunctions.has(name))
      for (const each of name === 'epp' ? call.arguments.slice(0, 1) : call.arguments)
        if (each.kind === 'LiteralString') {
          const known = this.templates.get(each.value)
          const found = { file, call }
          if (known) known.push(found)
          else this.templates.set(each.value, [found])
        }
    if (variableFunctions.has(name) && first?.kind === 'LiteralString')
      this.#getWords(file.path).add(first.value.replace(/^\$/, '').split('.')[0]!)
    if (!lookupFunctions.has(name) || !first) return
    if (first.kind === 'LiteralString' || first.kind === 'QualifiedName')
      this.lookupKeys.add(first.value.split('.')[0]!)
    else if (first.kind === 'LiteralList') for (const each of first.values) this.#addKey(each, file)
    else this.#addKey(first, file)
  }

  #addKey(node: Expression, file: CodeFile): void {
    if (node.kind === 'LiteralString') this.lookupKeys.add(node.value.split('.')[0]!)
    else if (node.kind === 'ConcatenatedString') {
      const [first] = node.segments
      const last = node.segments.at(-1)
      const getText = (each: Expression | undefined) => (each?.kind === 'LiteralString' ? each.value : '')
      this.lookupPatterns.push({ start: getText(first), end: getText(last) })
    } else this.dynamicLookups.add(this.#workspace.moduleOf(file.path)?.name ?? '')
  }

  #getWords(path: string): Set<string> {
    const module = this.#workspace.moduleOf(path)?.name ?? ''
    const known = this.words.get(module)
    if (known) return known
    const words = new Set<string>()
    this.words.set(module, words)
    return words
  }

  /** Adds the names in a template or in Ruby code: `@name`, `$name` and quoted names. */
  #addText(path: string, text = ''): void {
    const words = this.#getWords(path)
    // Code that reads all variables of a scope may read each one that it names.
    if (text.includes('to_hash') || text.includes('instance_variable'))
      for (const [name] of text.matchAll(/\w+/g)) words.add(name)
    for (const [, name] of text.matchAll(/@(\w+)/g)) words.add(name!)
    for (const [, name] of text.matchAll(/['":]{1,2}(\w+)['"]/g)) words.add(name!)
    for (const [, name] of text.matchAll(/\$\{?(\w+)/g)) words.add(name!)
    for (const [, name] of text.matchAll(/['"](?:::)?(\w+(?:::\w+)+)['"]/g)) this.variables.add(name!)
  }

  /** Adds a key, or the literal beginning of a pattern in Ruby's syntax. */
  #addOptions(key: string): void {
    const start = key.startsWith('^') ? (/^\^[\w:]*/.exec(key)?.[0] ?? '').slice(1) : key
    this.lookupOptions.push({ start, end: key.startsWith('^') ? '' : key })
  }

  #addData(path: string, text: string): void {
    const words = this.#getWords(path)
    const options = /^lookup_options:.*\n((?:[ \t#].*\n|\n)*)/m.exec(text)?.[1] ?? ''
    for (const [, key] of options.matchAll(/^[ \t]+["']?([^\s"':]+(?:::[^\s"':]+)*)["']?:/gm)) this.#addOptions(key!)
    for (const [, key] of text.matchAll(/%\{ ?(?:lookup|hiera|alias|scope)\(["']([\w:.-]+)["']\)/g))
      this.lookupKeys.add(key!.replace(/^::/, '').split('.')[0]!)
    for (const [, name] of text.matchAll(/%\{(?:::)?(\w+(?:::\w+)*)/g)) {
      this.variables.add(name!)
      words.add(name!.split('::').at(-1)!)
    }
  }
}
