import { listTags } from '../docstring/docstring.ts'
import type { Docstring, FunctionItem, FunctionSignature } from '../model.ts'
import { splitFirstWord } from '../ruby-text.ts'
import {
  createAnchor,
  createEntryFormatter,
  findText,
  formatCode,
  formatExamples,
  formatRemarks,
  formatText,
} from './sections.ts'

const apis = { puppet: 'Puppet Language', ruby3x: 'Ruby 3.x API', ruby4x: 'Ruby 4.x API' } as const

/** Formats a function. puppet-strings: function.erb. */
export function formatFunction(item: FunctionItem): string {
  const { name, api, docstring, signatures } = item
  return [
    `### <a name="${createAnchor(name)}"></a>\`${name}\`\n\nType: ${apis[api]}\n\n`,
    `${formatText(docstring, `The ${name} function.`)}\n\n`,
    formatRemarks(docstring),
    formatExamples(docstring, 4),
    ...signatures.map((signature) => formatFunctionSignature(signature, item)),
  ].join('')
}

/** The tags that a signature shows; the others belong to the function. */
const signatureTags = new Set(['param', 'option', 'enum', 'return', 'example'])

function formatFunctionSignature({ signature, docstring: whole }: FunctionSignature, item: FunctionItem): string {
  const docstring = { text: whole.text, tags: whole.tags.filter(({ tag }) => signatureTags.has(tag)) }
  const returned = listTags(docstring, 'return')[0]
  const result = findText(docstring, 'return')
  const formatEntries = createEntryFormatter(docstring)
  const parameters = listTags(docstring, 'param').map(
    (each) =>
      `##### \`${each.name ?? ''}\`\n\nData type:${formatCode(each.types?.[0] ?? '')}\n\n${each.text ?? ''}\n\n` +
      formatEntries(each.name ?? ''),
  )
  return [
    `#### \`${signature}\`\n\n`,
    `${formatText(docstring, `The ${item.name} function.`)}\n\n`,
    returned === undefined
      ? ''
      : `Returns: \`${returned.types?.[0] ?? ''}\`${result === undefined ? '' : ` ${result}`}\n\n`,
    formatRaises(item.docstring, '\n'),
    formatExamples(docstring, 5),
    ...parameters,
  ].join('')
}

/** The errors that a function raises, each with its first word as code; `gap` follows the heading. */
export function formatRaises(docstring: Docstring, gap: string): string {
  const raises = listTags(docstring, 'raise')
  if (raises.length === 0) return ''
  const lines = raises.map(({ text = '' }) => {
    const [error = '', rest = ''] = splitFirstWord(text)
    return `* \`${error}\` ${rest.split(/[ \t\n\v\f\r]+/).join(' ')}\n`
  })
  return `Raises:\n${gap}${lines.join('')}\n`
}
