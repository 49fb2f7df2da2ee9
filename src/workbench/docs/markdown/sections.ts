import { groupTags, listTags } from '../docstring/docstring.ts'
import type { Docstring, DocTag } from '../model.ts'

/** Anchor of a name: each character that ids must not have becomes `-`. */
export function createAnchor(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/gu, '-')
}

/** Text of the first tag with this word that has a text. */
export function findText(docstring: Docstring, word: string): string | undefined {
  return docstring.tags.find(({ tag, text }) => tag === word && text !== undefined && text !== '')?.text
}

/** True for an item with `@api private`. */
export function isPrivate({ tags }: Docstring): boolean {
  return tags.some(({ tag, text }) => tag === 'api' && text === 'private')
}

/** Code in a line, or as a block if it has several lines. */
export function formatCode(code: string, language = 'puppet'): string {
  return code.includes('\n') ? `\n\n\`\`\`${language}\n${code}\n\`\`\`` : ` \`${code}\``
}

/** The text of an item, or its summary, or a standard text. */
export function formatText(docstring: Docstring, standard: string): string {
  return docstring.text !== '' ? docstring.text : (findText(docstring, 'summary') ?? standard)
}

/** Lines for `@deprecated`, `@todo`, `@note`. */
export function formatRemarks(docstring: Docstring): string {
  const remarks = [
    ['**DEPRECATED**', 'deprecated'],
    ['**TODO**', 'todo'],
    ['**Note**', 'note'],
  ] as const
  return remarks
    .map(([label, word]) => [label, findText(docstring, word)] as const)
    .map(([label, text]) => (text === undefined ? '' : `* ${label} ${text}\n\n`))
    .join('')
}

/** Lines for `@since` and `@see`; `indent` is the additional indentation of texts. */
export function formatOrigins(docstring: Docstring, indent = ''): string {
  const since = listTags(docstring, 'since')[0]
  const see = listTags(docstring, 'see')
  const links = see.map(
    ({ name, text }) =>
      `${name === undefined ? '' : `  * ${name}\n`}${text === undefined ? '' : `${indent}  * ${text}\n`}`,
  )
  return [
    since === undefined ? '' : `* **Since** ${since.text ?? ''}\n\n`,
    see.length === 0 ? '' : `* **See also**\n${links.join('')}\n`,
  ].join('')
}

/** The examples, below a heading of this level. */
export function formatExamples(docstring: Docstring, level: number): string {
  const examples = listTags(docstring, 'example')
  if (examples.length === 0) return ''
  const marks = '#'.repeat(level)
  const blocks = examples.map(({ name, text }) => `${marks}# ${name ?? ''}\n\n\`\`\`puppet\n${text ?? ''}\n\`\`\`\n\n`)
  return `${marks} Examples\n\n${blocks.join('')}`
}

/** Formats the described values of a parameter: its `@option` and `@enum` tags. */
export function createEntryFormatter(docstring: Docstring): (parameter: string) => string {
  const [options, enums] = [groupTags(docstring, 'option'), groupTags(docstring, 'enum')]
  return (parameter) => formatEntryList(options.get(parameter), true) + formatEntryList(enums.get(parameter), false)
}

function formatEntryList(entries: readonly DocTag[] | undefined, hasTypes: boolean): string {
  if (entries === undefined) return ''
  const lines = entries.map(({ entry }) => {
    const types = hasTypes && entry?.types ? ` \`${entry.types[0] ?? ''}\`` : ''
    return `* **${entry?.name ?? ''}**${types}: ${entry?.text ?? ''}\n`
  })
  return `Options:\n\n${lines.join('')}\n`
}

/** The list of parameters and a section for each; `suffix` is the text after the entries of a parameter. */
export function formatParameters(
  { name, docstring }: { readonly name: string; readonly docstring: Docstring },
  label: string,
  formatDefault: (parameter: string) => string,
): string {
  const parameters = listTags(docstring, 'param')
  const formatEntries = createEntryFormatter(docstring)
  if (parameters.length === 0) return ''
  const list = parameters.map((each) => `* [\`${each.name ?? ''}\`](#${createParameterAnchor(name, each)})\n`)
  const sections = parameters.map(
    (each) =>
      `##### <a name="${createParameterAnchor(name, each)}"></a>\`${each.name ?? ''}\`\n\n` +
      `${each.types ? `Data type:${formatCode(each.types.join(', '))}\n\n` : ''}${each.text ?? ''}\n\n` +
      formatEntries(each.name ?? '') +
      formatDefault(each.name ?? ''),
  )
  return (
    `#### Parameters\n\nThe following parameters are available in the \`${name}\` ${label}:\n\n` +
    `${list.join('')}\n${sections.join('')}`
  )
}

function createParameterAnchor(item: string, { name }: DocTag): string {
  return createAnchor(`$${item}::${name ?? ''}`)
}
