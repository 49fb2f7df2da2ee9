import { sortByName } from '../by-name.ts'
import type { AttributeItem, ResourceTypeItem } from '../model.ts'
import { splitLines, strip } from '../ruby-text.ts'
import {
  createAnchor,
  createEntryFormatter,
  formatCode,
  formatExamples,
  formatOrigins,
  formatRemarks,
  formatText,
} from './sections.ts'

/** Length in characters at which the description of a parameter is wrapped. */
const lineLength = 120

/** Formats a resource type. puppet-strings: resource_type.erb. */
export function formatResourceType(item: ResourceTypeItem): string {
  const { name, docstring } = item
  return [
    `### <a name="${createAnchor(name)}"></a>\`${name}\`\n\n`,
    `${formatText(docstring, `The ${name} type.`)}\n\n`,
    formatRemarks(docstring),
    formatOrigins(docstring),
    formatExamples(docstring, 4),
    formatProperties(item),
    formatTypeParameters(item),
  ].join('')
}

function formatProperties({ name, docstring, properties, checks }: ResourceTypeItem): string {
  const all = sortByName([...properties, ...checks])
  if (all.length === 0) return ''
  const formatEntries = createEntryFormatter(docstring)
  const sections = all.map(
    (each) =>
      `##### \`${each.name}\`\n\n${formatFacts(each)}${each.description}\n\n` +
      formatEntries(each.name) +
      (isShown(each.default) ? `Default value:${formatCode(String(each.default), 'ruby')}\n\n` : ''),
  )
  return `#### Properties\n\nThe following properties are available in the \`${name}\` type.\n\n${sections.join('')}`
}

function formatTypeParameters({ name, docstring, parameters }: ResourceTypeItem): string {
  if (parameters.length === 0) return ''
  const list = parameters.map((each) => `* [\`${each.name}\`](#${createAnchor(`$${name}::${each.name}`)})\n`)
  const formatEntries = createEntryFormatter(docstring)
  const sections = parameters.map(
    (each) =>
      `##### <a name="${createAnchor(`$${name}::${each.name}`)}"></a>\`${each.name}\`\n\n${formatFacts(each)}` +
      `${each.description === '' ? '' : `${wrapText(each.description)}\n`}\n` +
      formatEntries(each.name) +
      (isShown(each.default) ? `Default value: \`${each.default}\`\n\n` : '') +
      (each.requiredFeatures === undefined ? '' : `Required features: ${each.requiredFeatures}.\n\n`),
  )
  return (
    `#### Parameters\n\nThe following parameters are available in the \`${name}\` type.\n\n` +
    `${list.join('')}\n${sections.join('')}`
  )
}

function isShown(value: AttributeItem['default']): boolean {
  return value !== undefined && value !== false
}

function formatFacts({ values, isNamevar, aliases, dataType }: AttributeItem): string {
  const pairs = [...aliases].map(([alias, value]) => `${JSON.stringify(alias)}=>${JSON.stringify(value)}`)
  const note = '\n_*this data type contains a regex that may not be accurately reflected in generated documentation_'
  return [
    values.length === 0 ? '' : `Valid values: \`${values.join('`, `')}\`\n\n`,
    isNamevar ? 'namevar\n\n' : '',
    pairs.length === 0 ? '' : `Aliases: \`${pairs.join(', ').replace(/[{}]/g, '')}\`\n\n`,
    dataType === undefined ? '' : `Data type: \`${dataType}\`${hasRegexp(dataType) ? note : ''}\n\n`,
  ].join('')
}

/** True for a type such as `Pattern[/a/]`. */
function hasRegexp(type: string): boolean {
  const start = /\w\[\//.exec(type)
  if (start === null) return false
  const line = type.slice(start.index + start[0].length)
  return line.includes('/]')
}

/** Breaks lines of more than 120 characters at blanks. A longer word stays on its line. */
function wrapText(text: string): string {
  return splitLines(text, /\n/)
    .map((line) => ([...line].length > lineLength ? wrapLine(line) : line))
    .join('\n')
}

/** Breaks before each run of blanks that the line length allows to be last. */
function wrapLine(line: string): string {
  const characters = [...line]
  const isBlankAt = (at: number) => ' \t\v\f\r'.includes(characters[at]!)
  let wrapped = ''
  for (let at = 0; at < characters.length; ) {
    let end = Math.min(at + lineLength, characters.length)
    while (end > at && end < characters.length && !isBlankAt(end)) end--
    if (end === at) wrapped += characters[at++]
    else {
      wrapped += `${characters.slice(at, end).join('')}\n`
      at = end
      while (at < characters.length && isBlankAt(at)) at++
    }
  }
  return strip(wrapped)
}
