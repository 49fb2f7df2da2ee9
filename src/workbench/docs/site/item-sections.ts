import { groupTags, listTags } from '../docstring/docstring.ts'
import type {
  AttributeItem,
  Docstring,
  FunctionSignature,
  ModuleDocs,
  ProviderItem,
  ResourceTypeItem,
} from '../model.ts'
import { formatRubyText } from '../ruby-text.ts'

/** A part of the documentation of an item: a heading, and a text in Markdown, code or a list of names. */
export interface Section {
  readonly title?: string
  readonly text?: string
  readonly code?: string
  readonly entries?: readonly SectionEntry[]
}

/** A described name, such as a parameter. */
interface SectionEntry {
  readonly name: string
  readonly type: string | undefined
  readonly text: string
  readonly value?: string | undefined
}

/** Lists the parts of the documentation of an item, in their order on the page. */
export function listSections(item: ModuleDocs[keyof ModuleDocs][number]): readonly Section[] {
  const common = listCommonSections(item.docstring)
  switch (item.kind) {
    case 'class':
    case 'defined type':
    case 'plan':
      return [...common, listParameters(item.docstring, item.defaults)]
    case 'function':
      return [...common, ...item.signatures.flatMap((each) => listSignature(each, item.signatures.length > 1))]
    case 'type alias':
      return [...common, { title: 'Alias of', code: item.aliasOf }]
    case 'data type':
      return [
        ...common,
        listParameters(
          item.docstring,
          new Map([...item.defaults].map(([name, value]) => [name, formatRubyText(value)])),
        ),
        ...item.functions.flatMap(({ signature = '', docstring }) =>
          listSignature({ signature, docstring, defaults: new Map() }, true),
        ),
      ]
    case 'resource type':
      return [...common, ...listTypeSections(item)]
    case 'provider':
      return [...common, ...listProviderSections(item)]
    case 'task':
      return [
        ...common,
        {
          title: 'Parameters',
          entries: item.parameters.map(({ name, type, description = '' }) => ({ name, type, text: description })),
        },
        { text: `**Supports noop?** ${item.supportsNoop}` },
      ].filter(isShown)
  }
}

const remarks = [
  ['deprecated', 'Deprecated'],
  ['todo', 'To do'],
  ['note', 'Note'],
  ['since', 'Since'],
  ['author', 'Author'],
] as const

function listCommonSections(docstring: Docstring): readonly Section[] {
  const summary = docstring.text === '' ? listTags(docstring, 'summary')[0]?.text : docstring.text
  const marked = remarks.flatMap(([word, title]) =>
    listTags(docstring, word).map(({ text = '' }) => ({ text: `**${title}:** ${text}` })),
  )
  const links = listTags(docstring, 'see').map(({ name = '', text = '' }) => ({
    text: `**See also:** ${name} ${text}`,
  }))
  return [summary === undefined ? {} : { text: summary }, ...marked, ...links, ...listExamples(docstring)].filter(
    isShown,
  )
}

function listExamples(docstring: Docstring): readonly Section[] {
  return listTags(docstring, 'example').map(({ name = '', text = '' }) => ({
    title: name === '' ? 'Example' : `Example: ${name}`,
    code: text,
  }))
}

function listSignature({ signature, docstring, defaults }: FunctionSignature, isOwn: boolean): readonly Section[] {
  const result = listTags(docstring, 'return')[0]
  const returned = result && { text: `**Returns:** \`${result.types?.[0] ?? 'Any'}\` ${result.text ?? ''}` }
  const raised = listTags(docstring, 'raise').map(({ text = '', types }) => ({
    text: `**Raises:** ${types?.join(', ') ?? ''} ${text}`,
  }))
  return [
    { title: 'Signature', code: signature },
    ...(isOwn ? [{ text: docstring.text }, ...listExamples(docstring)] : []),
    listParameters(docstring, defaults),
    ...(returned ? [returned] : []),
    ...raised,
  ].filter(isShown)
}

/** The parameters, each with the values that `@option` and `@enum` describe. */
function listParameters(docstring: Docstring, defaults: ReadonlyMap<string, string>): Section {
  const entriesByParameter = groupTags(docstring, 'option', 'enum')
  const entries = listTags(docstring, 'param').map(({ name = '', types, text = '' }): SectionEntry => {
    const described = entriesByParameter.get(name) ?? []
    const list = described.map(({ entry }) => `* **${entry?.name ?? ''}**: ${entry?.text ?? ''}`)
    return {
      name,
      type: types?.join(', '),
      text: list.length === 0 ? text : `${text}\n\n${list.join('\n')}`,
      value: defaults.get(name),
    }
  })
  return entries.length === 0 ? {} : { title: 'Parameters', entries }
}

function listTypeSections({
  properties,
  parameters,
  checks,
  features,
  providers,
}: ResourceTypeItem): readonly Section[] {
  return [
    { title: 'Properties', entries: [...properties, ...checks].map(toEntry) },
    { title: 'Parameters', entries: parameters.map(toEntry) },
    {
      title: 'Features',
      entries: features.map(({ name, description }) => ({ name, type: undefined, text: description })),
    },
    {
      title: 'Providers',
      entries: providers.map(({ name, docstring }) => ({ name, type: undefined, text: docstring.text })),
    },
  ].filter(isShown)
}

function toEntry({ name, description, values, dataType, isNamevar, default: standard }: AttributeItem): SectionEntry {
  const facts = [
    isNamevar ? 'This is the namevar.' : '',
    values.length > 0 ? `Valid values: ${values.map((value) => `\`${value}\``).join(', ')}.` : '',
  ].filter((fact) => fact !== '')
  return {
    name,
    type: dataType,
    text: [description, ...facts].filter((part) => part !== '').join('\n\n'),
    value: standard === undefined || standard === false ? undefined : String(standard),
  }
}

function listProviderSections({ typeName, confines, commands, features }: ProviderItem): readonly Section[] {
  const listPairs = (title: string, pairs: ReadonlyMap<string, string>): Section => ({
    title,
    entries: [...pairs].map(([name, text]) => ({ name, type: undefined, text: `\`${text}\`` })),
  })
  return [
    { text: `**Resource type:** \`${typeName}\`` },
    listPairs('Confines', confines),
    listPairs('Commands', commands),
    { title: 'Features', entries: features.map((name) => ({ name, type: undefined, text: '' })) },
  ].filter(isShown)
}

/** False for a section without content. */
function isShown({ text, code, entries }: Section): boolean {
  return (text !== undefined && text !== '') || code !== undefined || (entries !== undefined && entries.length > 0)
}
