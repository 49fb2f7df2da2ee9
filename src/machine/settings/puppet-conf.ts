import { defineIssues, throwIssue } from '../../base/issue.ts'
import { getOwnValue } from '../../base/own-property.ts'
import type { Source } from '../../base/source.ts'
import { parseIniLines } from '../../base/text/ini.ts'

/** The content of puppet.conf: the text of each value, by section and name. */
export type Sections = ReadonlyMap<string, ReadonlyMap<string, string>>

const issues = defineIssues({
  CONFIG_LINE: {
    text: (a: { line: string }) => `Could not match line ${a.line}`,
    hint: () => 'A line is [section], name = value, or a comment that begins with #.',
  },
})

const syntax = {
  blank: /^\s*(?:#|$)/,
  header: /^\s*\[(?<section>\w+)\]\s*$/,
  setting: /^\s*(?<name>[\w-]+)\s*=(?<value>.*)$/s,
}

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
  for (const line of parseIniLines(source.text, syntax)) {
    const { text, start } = line
    if (line.kind === 'header') section = openSection(getOwnValue(renamed, line.section) ?? line.section)
    else if (line.kind === 'setting') section.set(line.name, removeQuotes(line.value))
    else if (line.kind === 'other')
      throwIssue(issues.CONFIG_LINE, { line: text.trim() }, { source, start, end: start + text.length })
  }
  return sections
}

/** A value without its quotes; `#` inside the quotes is kept. Puppet: settings/value_translator.rb. */
const removeQuotes = (value: string): string => value.replace(/^["']/, '').replace(/["']$/, '').trimEnd()
