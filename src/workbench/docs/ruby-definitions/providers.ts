import { parseDocstring } from '../docstring/docstring.ts'
import type { ProviderItem } from '../model.ts'
import { getLiteralOrSource, getLiteralText } from '../ruby-source/ruby-code.ts'
import { toRubyCall } from '../ruby-source/ruby-tree.ts'
import { type Definition, findDescription, getDefinedName, listPairs, UnsupportedDefinition } from './definition.ts'

/** Reads `Puppet::Type.type(:name).provide`; undefined if another object provides. */
export function readProvider(definition: Definition): ProviderItem | undefined {
  const { call, code } = definition
  const inner = toRubyCall(call.receiver)
  const receiver = inner?.receiver && code.getSource(inner.receiver)
  if (inner?.name !== 'type' || receiver !== 'Puppet::Type' || inner.arguments.length === 0) return undefined
  const typeName = getLiteralText(code, inner.arguments[0])
  if (typeName === undefined) throw new UnsupportedDefinition()
  const name = getDefinedName(definition)
  const { text, tags } = parseDocstring(findDescription(call.node, code) ?? call.node.comment ?? '')
  const place = { file: code.file, line: call.node.line }
  return { kind: 'provider', name, typeName, ...place, docstring: { text, tags }, ...readTraits(definition) }
}

type Traits = Pick<ProviderItem, 'confines' | 'features' | 'defaults' | 'commands'>

function readTraits({ call, code }: Definition): Traits {
  const confines = new Map<string, string>()
  const commands = new Map<string, string>()
  const features: string[] = []
  const defaults: (readonly (readonly [string, string])[])[] = []
  const listTexts = (node: Parameters<typeof listPairs>[0]) =>
    listPairs(node).map(([key, value]) => [getLiteralOrSource(code, key), getLiteralOrSource(code, value)] as const)
  for (const node of call.block ?? []) {
    const setter = toRubyCall(node)
    const given = setter?.arguments ?? []
    switch (setter?.name) {
      case 'confine':
        for (const [fact, value] of listTexts(given[0])) confines.set(fact, value)
        break
      case 'commands':
        for (const [command, path] of listTexts(given[0])) commands.set(command, path)
        break
      case 'has_feature':
      case 'has_features':
        features.push(...given.map((each) => getLiteralOrSource(code, each)))
        break
      case 'defaultfor':
        defaults.push(...given.map(listTexts).filter((pairs) => pairs.length > 0))
        break
      default:
    }
  }
  return { confines, features, defaults, commands }
}
