import { defineIssues, throwIssue } from '../../base/issue.ts'
import { getOwnValue } from '../../base/own-property.ts'
import type { Source } from '../../base/source.ts'

/** The content of puppet.conf: the text of each value, by section and name. */
export type Sections = ReadonlyMap<string, ReadonlyMap<string, string>>

const issues = defineIssues({
  CONFIG_LINE: {
    text: (a: { line: string }) => `Could not match line ${a.line}`,
    hint: () => 'A line is [section], name = value, or a comment that begins with #.',
  },
})

/** Former names of sections in Puppet. */
const renamed: Readonly<Record<string, string>> = { master: 'server' }

/**
 * Parses an INI text as Puppet does. Lines before the first section belong to `main`. Throws
 * CONFIG_LINE with the position of the line.
 */
export function parsePuppetConf(source: Source): Sections {
  const sections = new Map<string, Map<string, string>>()
  const openSection = (name: string) => {
    const section = sections.get(name) ?? new Map<string, string>()
    sections.set(name, section)
    return section
  }
  let section = openSection('main')
  let start = 0
  for (const line of source.text.split('\n')) {
    const given = line.trim()
    const header = /^\[(\w+)\]$/.exec(given)
    const setting = /^([\w-]+)\s*=/.exec(given)
    if (header) section = openSection(getOwnValue(renamed, header[1]!) ?? header[1]!)
    else if (setting) section.set(setting[1]!, removeQuotes(given.slice(setting[0].length).trim()))
    else if (given !== '' && !given.startsWith('#'))
      throwIssue(issues.CONFIG_LINE, { line: given }, { source, start, end: start + line.length })
    start += line.length + 1
  }
  return sections
}

/** A value without its quotes; `#` inside the quotes is kept. Puppet: settings/value_translator.rb. */
const removeQuotes = (value: string): string => value.replace(/^["']/, '').replace(/["']$/, '').trimEnd()
