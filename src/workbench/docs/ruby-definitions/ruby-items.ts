import { sortByName } from '../by-name.ts'
import type { DataTypeItem, DocItem, FunctionItem, ProviderItem, ResourceTypeItem } from '../model.ts'
import { createRubyCode } from '../ruby-source/ruby-code.ts'
import { type RubyParser, toRubyCall } from '../ruby-source/ruby-tree.ts'
import { readDataType } from './data-types.ts'
import { type Definition, UnsupportedDefinition } from './definition.ts'
import { readFunction } from './functions.ts'
import { readProvider } from './providers.ts'
import { readResourceApiType } from './resource-api.ts'
import { readType, readTypeAddition } from './resource-types.ts'
import { TypeBuilder } from './type-builder.ts'

/** Methods that define an item. A file without these words is not parsed. */
const definingWord =
  /\b(?:create_type|create_function|newfunction|newtype|newparam|newproperty|ensurable|provide|register_type)\b/

/** The documented items of the Ruby files of a module. */
export class RubyItems {
  readonly #openParser: () => RubyParser
  #parser: RubyParser | undefined
  readonly #functions = new Map<string, FunctionItem>()
  readonly #types = new Map<string, TypeBuilder>()
  readonly #providers = new Map<string, ProviderItem>()
  readonly #dataTypes = new Map<string, DataTypeItem>()

  constructor(openParser: () => RubyParser) {
    this.#openParser = openParser
  }

  /** Reads the items of a file. Throws the first syntax error. */
  readFile(text: string, file: string): void {
    if (!definingWord.test(text)) return
    this.#parser ??= this.#openParser()
    const code = createRubyCode(file, text)
    for (const node of this.#parser(text, file)) {
      const call = toRubyCall(node)
      if (call) this.#readDefinition({ call, code })
    }
  }

  #readDefinition(definition: Definition): void {
    try {
      this.#readSupported(definition)
    } catch (error) {
      if (!(error instanceof UnsupportedDefinition)) throw error
    }
  }

  #readSupported(definition: Definition): void {
    const openType = (name: string, by: Definition) => this.#openType(name, by)
    switch (definition.call.name) {
      case 'create_function':
      case 'newfunction': {
        const item = readFunction(definition)
        if (item) addItem(this.#functions, `${item.api} ${item.name}`, item)
        break
      }
      case 'newtype':
        readType(definition, openType)
        break
      case 'register_type':
        readResourceApiType(definition, openType)
        break
      case 'provide': {
        const item = readProvider(definition)
        if (item) addItem(this.#providers, `${item.typeName} ${item.name}`, item)
        break
      }
      case 'create_type': {
        const item = readDataType(definition)
        if (item) addItem(this.#dataTypes, item.name, item)
        break
      }
      default:
        readTypeAddition(definition, openType)
    }
  }

  #openType(name: string, { call, code }: Definition): TypeBuilder {
    const known = this.#types.get(name)
    if (known) return known
    const type = new TypeBuilder(name, { file: code.file, line: call.node.line })
    type.setComment(call.node.comment ?? '')
    this.#types.set(name, type)
    return type
  }

  list(): RubyItemList {
    const providers = [...this.#providers.values()]
    return {
      functions: [...this.#functions.values()],
      dataTypes: [...this.#dataTypes.values()],
      providers,
      resourceTypes: [...this.#types].map(([name, type]) =>
        type.build(sortByName(providers.filter(({ typeName }) => typeName === name))),
      ),
    }
  }
}

/** Items of all files, each list in the order of the files. */
interface RubyItemList {
  readonly functions: readonly FunctionItem[]
  readonly dataTypes: readonly DataTypeItem[]
  readonly providers: readonly ProviderItem[]
  readonly resourceTypes: readonly ResourceTypeItem[]
}

/** Adds an item. A second definition of a name replaces the first one, but not its place. */
function addItem<Item extends DocItem>(items: Map<string, Item>, key: string, item: Item): void {
  const known = items.get(key)
  items.set(key, known ? { ...item, file: known.file, line: known.line } : item)
}
