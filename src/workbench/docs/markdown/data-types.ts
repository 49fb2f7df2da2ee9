import { listTags } from '../docstring/docstring.ts'
import type { DataTypeFunction, DataTypeItem, TypeAliasItem } from '../model.ts'
import { formatRubyText } from '../ruby-text.ts'
import { formatRaises } from './functions.ts'
import {
  createAnchor,
  createEntryFormatter,
  findText,
  formatCode,
  formatExamples,
  formatOrigins,
  formatParameters,
  formatRemarks,
  formatText,
} from './sections.ts'

/** Formats a type alias, or a data type written in Ruby. puppet-strings: data_type.erb. */
export function formatDataType(item: DataTypeItem | TypeAliasItem): string {
  const { name, docstring } = item
  const functions = item.kind === 'data type' ? item.functions : undefined
  return [
    `### <a name="${createAnchor(name)}"></a>\`${name}\`\n\n`,
    `${formatText(docstring, `The ${name} data type.`)}\n\n`,
    formatRemarks(docstring),
    formatOrigins(docstring),
    formatExamples(docstring, 4),
    item.kind === 'type alias' ? `Alias of${formatCode(item.aliasOf)}\n\n` : '',
    formatParameters(item, 'data type', (parameter) => {
      const value = item.kind === 'data type' ? item.defaults.get(parameter) : undefined
      return value === undefined || value === false ? '' : `Default value:${formatCode(formatRubyText(value))}\n\n`
    }),
    functions === undefined
      ? ''
      : `#### Functions\n\nThe following functions are available in the \`${name}\` data type.\n\n` +
        functions.map(formatDataTypeFunction).join(''),
  ].join('')
}

/** puppet-strings: data_type_function.erb. */
function formatDataTypeFunction({ name, signature, docstring }: DataTypeFunction): string {
  const returned = listTags(docstring, 'return')[0]
  const result = findText(docstring, 'return')
  const note = findText(docstring, 'note')
  const formatEntries = createEntryFormatter(docstring)
  const parameters = listTags(docstring, 'param').map(
    (each) =>
      `##### \`${each.name ?? ''}\`\n\nData type:${formatCode(each.types?.[0] ?? '')}\n\n${each.text ?? ''}\n\n` +
      formatEntries(each.name ?? ''),
  )
  return [
    `### <a name="${createAnchor(name)}"></a>\`${name}\`\n\n#### \`${signature ?? ''}\`\n\n`,
    `${formatText(docstring, `The ${name} function.`)}\n\n`,
    note === undefined ? '' : `* **Note** ${note}\n\n`,
    returned === undefined
      ? ''
      : `Returns: \`${returned.types?.[0] ?? ''}\`${result === undefined ? '' : ` ${result}`}\n\n`,
    formatRaises(docstring, ''),
    formatExamples(docstring, 5),
    ...parameters,
  ].join('')
}
