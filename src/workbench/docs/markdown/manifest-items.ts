import type { ManifestItem } from '../model.ts'
import {
  createAnchor,
  formatCode,
  formatExamples,
  formatOrigins,
  formatParameters,
  formatRemarks,
  formatText,
} from './sections.ts'

/** Formats a class, a defined type or a plan. puppet-strings: classes_and_defines.erb. */
export function formatManifestItem(item: ManifestItem): string {
  const { name, kind, docstring, defaults } = item
  return [
    `### <a name="${createAnchor(name)}"></a>\`${name}\`\n\n`,
    `${formatText(docstring, `The ${name} class.`)}\n\n`,
    formatRemarks(docstring),
    formatOrigins(docstring, '  '),
    formatExamples(docstring, 4),
    formatParameters(item, kind, (parameter) => {
      const value = defaults.get(parameter)
      return value === undefined ? '' : `Default value:${formatCode(value)}\n\n`
    }),
  ].join('')
}
