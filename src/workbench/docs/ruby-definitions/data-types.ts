import { parseDocstring } from '../docstring/docstring.ts'
import type { DataTypeFunction, DataTypeItem, Docstring, DocTag } from '../model.ts'
import { type CallableSignature, type Interface, readInterface } from './data-type-interface.ts'
import { type Definition, getDefinedName, getReceiverText } from './definition.ts'

/** The tags that puppet-strings shows of a data type and its functions. */
const shownTags = new Set(['param', 'option', 'enum', 'return', 'example'])

/** Reads `Puppet::DataTypes.create_type`; undefined if another object creates the type. */
export function readDataType(definition: Definition): DataTypeItem | undefined {
  const receiver = getReceiverText(definition)
  if (receiver !== 'Puppet::DataTypes' && receiver !== 'DataTypes') return undefined
  const { call, code } = definition
  const name = getDefinedName(definition)
  const { text, tags, directives } = parseDocstring(call.node.comment ?? '')
  const { attributes, functions } = readInterface(definition)
  const documented = new Map(
    directives.filter(({ tag }) => tag === 'method').map((directive) => readMethod(directive, { text, tags })),
  )
  const names = [...documented.keys(), ...functions.keys()].filter((each) => functions.has(each))
  const defaults = [...attributes].flatMap(([each, { value }]) => (value === undefined ? [] : [[each, value] as const]))
  return {
    kind: 'data type',
    name,
    file: code.file,
    line: call.node.line,
    docstring: selectTags({ text, tags: typeParameters(tags, attributes) }),
    defaults: new Map(defaults),
    functions: [...new Set(names)].map((each) =>
      createFunction(name, each, documented.get(each), functions.get(each)!),
    ),
  }
}

function selectTags({ text, tags }: Docstring): Docstring {
  return { text, tags: tags.filter(({ tag }) => shownTags.has(tag)) }
}

/** The tags, with the attributes of the interface as parameters. Parameters that are no attributes are omitted. */
function typeParameters(tags: readonly DocTag[], attributes: Interface['attributes']): readonly DocTag[] {
  const kept = tags.filter(({ tag, name }) => tag !== 'param' || attributes.has(name ?? ''))
  const typed = kept.map((tag) => (tag.tag === 'param' ? { ...tag, types: getTypes(attributes, tag.name) } : tag))
  const missing = [...attributes.keys()].filter((name) => !tags.some((tag) => tag.tag === 'param' && tag.name === name))
  return [...typed, ...missing.map((name) => ({ tag: 'param', text: '', types: getTypes(attributes, name), name }))]
}

function getTypes(attributes: Interface['attributes'], name = ''): readonly string[] {
  return [attributes.get(name)?.type ?? 'Any']
}

/** The name and the docstring of a documented function: `@!method name(parameters)`. */
function readMethod({ name = '', text = '' }: DocTag, outer: Docstring): readonly [string, Docstring] {
  const own = name
    .trimStart()
    .replace(/^self\s*\./, '')
    .trimStart()
  return [/^[^(; \t]+/.exec(own)?.[0] ?? '', text === '' ? outer : parseDocstring(text)]
}

function createFunction(
  type: string,
  name: string,
  documented: Docstring | undefined,
  { parameters, returns }: CallableSignature,
): DataTypeFunction {
  const tags = documented?.tags ?? []
  const own = tags.filter(({ tag }) => tag === 'param')
  const typed = parameters.map((each, index): DocTag => {
    const tag = own[index]
    return tag ? { ...tag, types: [each] } : { tag: 'param', text: '', types: [each], name: `param${index + 1}` }
  })
  const types = returns === undefined ? undefined : [returns]
  const returned = tags
    .filter(({ tag }) => tag === 'return')
    .map((tag, index) => (index === 0 ? { ...tag, types } : tag))
  const others = tags.filter(({ tag }) => tag !== 'param' && tag !== 'return')
  const docstring = {
    text: documented?.text ?? '',
    tags: [...others, ...typed, ...(returned.length > 0 ? returned : [{ tag: 'return', text: '', types }])],
  }
  const names = typed.map((tag) => tag.name ?? '')
  const signature = `${type}.${name}${names.length === 0 ? '' : `(${names.join(', ')})`}`
  return { name, signature, docstring: selectTags(docstring) }
}
