import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { normalizeName } from '../code/code-definition.ts'
import type { CodeOptions } from '../code/source-cache.ts'
import { type CodeItem, codeKinds, listCodeItems } from './code-inventory.ts'

/** The use of code by a node: the reads of its compilation, and the content of its catalog. */
export interface NodeUse {
  /** Kinds and arguments of the reads of its compilation. */
  readonly reads: Iterable<readonly [kind: string, args: readonly string[]]>
  /** Names of the classes in the catalog. */
  readonly classes: Iterable<string>
  /** Resource types in the catalog. */
  readonly types: Iterable<string>
  /** Values of the parameter `source` of the File resources in the catalog. */
  readonly sources: Iterable<string>
}

/** The number of used items, and the number of all items, of a kind or module. */
export interface CoverageShare {
  readonly used: number
  readonly all: number
}

/** The share of used items in a module; the module name is empty for the environment itself. */
export interface ModuleShare extends CoverageShare {
  readonly module: string
  readonly kinds: Readonly<Record<string, CoverageShare>>
}

/** Counts for each item of an environment's code the nodes that use the item. */
export class Coverage {
  readonly #items: readonly CodeItem[]
  readonly #nodes = new Map<CodeItem, number>()
  readonly #byPath = new Map<string, CodeItem[]>()
  readonly #byName = new Map<string, CodeItem[]>()

  constructor(environment: CompileEnvironment, options: CodeOptions) {
    this.#items = listCodeItems(environment, options).toSorted(compareCodeItems)
    for (const item of this.#items) {
      const { kind, tree, path, name } = item
      addToList(this.#byPath, `${tree} ${path}`, item)
      addToList(this.#byName, `${kind} ${name}`, item)
    }
  }

  /** Adds the usage of one node. */
  note({ reads, classes, types, sources }: NodeUse): void {
    const used = new Set<CodeItem>()
    const whole = new Set<string>()
    const asked = new Set<string>()
    for (const [kind, [tree = '', path = '', _backend = '', key = '']] of reads) {
      const place = `${tree} ${path}`
      if (kind === 'syntax' || kind === 'bytes') this.#readFile(place, used)
      else if (kind === 'definition') this.#named(`${definitionKinds.get(tree) ?? tree} ${path}`, used)
      else if (kind === 'all-data') whole.add(place)
      else if (kind === 'data') {
        asked.add(place)
        for (const item of this.#byPath.get(place) ?? [])
          if (item.kind === 'data key' && item.name === key) used.add(item)
      }
    }
    // Data files that code reads as a whole: all their keys are used.
    for (const place of whole)
      if (!asked.has(place))
        for (const item of this.#byPath.get(place) ?? []) if (item.kind === 'data key') used.add(item)
    for (const name of classes) this.#named(`class ${normalizeName(name.toLowerCase())}`, used)
    for (const type of types) this.#named(`define ${normalizeName(type.toLowerCase())}`, used)
    for (const source of sources) this.#source(source, used)
    for (const item of used) this.#nodes.set(item, (this.#nodes.get(item) ?? 0) + 1)
  }

  /** Returns the items that no node uses, ordered by module, kind and name. */
  unused(module?: string): readonly CodeItem[] {
    return this.#of(module).filter((item) => !this.#nodes.has(item))
  }

  /** Returns each item with the number of nodes that use it. */
  counts(module?: string): readonly (readonly [CodeItem, number])[] {
    return this.#of(module).map((item) => [item, this.#nodes.get(item) ?? 0])
  }

  shares(module?: string): readonly ModuleShare[] {
    const modules = new Map<string, CodeItem[]>()
    for (const item of this.#of(module)) addToList(modules, item.module, item)
    return Array.from(modules, ([name, items]) => {
      const kinds = codeKinds.map((kind) => [kind, this.#share(items.filter((each) => each.kind === kind))] as const)
      return { module: name, ...this.#share(items), kinds: Object.fromEntries(kinds.filter(([, { all }]) => all > 0)) }
    })
  }

  #of(module: string | undefined): readonly CodeItem[] {
    return module === undefined ? this.#items : this.#items.filter((item) => item.module === module)
  }

  #share(items: readonly CodeItem[]): CoverageShare {
    return { used: items.filter((item) => this.#nodes.has(item)).length, all: items.length }
  }

  /**
   * Classes and defined types count as used only if the catalog contains them, because their file may have been read
   * for another definition.
   */
  #readFile(place: string, used: Set<CodeItem>): void {
    for (const item of this.#byPath.get(place) ?? [])
      if (item.kind !== 'class' && item.kind !== 'define' && item.kind !== 'data key') used.add(item)
  }

  #named(name: string, used: Set<CodeItem>): void {
    for (const item of this.#byName.get(name) ?? []) used.add(item)
  }

  /** Marks the file with this source URL (`puppet:///modules/ntp/keys`) as used; for a folder, all files in it. */
  #source(source: string, used: Set<CodeItem>): void {
    const [scheme, , , mount, ...names] = source.split('/')
    const path = names.filter((name) => name !== '').join('/')
    if (scheme !== 'puppet:' || mount !== 'modules' || path === '') return
    for (const item of this.#items)
      if (item.kind === 'file' && (item.name === path || item.name.startsWith(`${path}/`))) used.add(item)
  }
}

/** Item kinds whose name differs from that of the definition kind in recorded reads. */
const definitionKinds: ReadonlyMap<string, CodeItem['kind']> = new Map([['alias', 'type alias']])

/** Compares items by module, kind and name. */
function compareCodeItems(one: CodeItem, other: CodeItem): number {
  const kinds = codeKinds.indexOf(one.kind) - codeKinds.indexOf(other.kind)
  return compareCodeUnits(one.module, other.module) || kinds || compareCodeUnits(one.name, other.name)
}

function addToList<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
