import type { TaskItem } from '../model.ts'
import { createAnchor, formatCode, formatText } from './sections.ts'

/** Formats a task. puppet-strings: puppet_task.erb. */
export function formatTask({ name, docstring, supportsNoop, parameters }: TaskItem): string {
  const sections = parameters.map(
    (each) => `##### \`${each.name}\`\n\nData type:${formatCode(each.type ?? '')}\n\n${each.description ?? ''}\n\n`,
  )
  return [
    `### <a name="${createAnchor(name)}"></a>\`${name}\`\n\n${formatText(docstring, `The ${name} task.`)}\n\n`,
    `**Supports noop?** ${supportsNoop}\n\n`,
    sections.length === 0 ? '' : `#### Parameters\n\n${sections.join('')}`,
  ].join('')
}
