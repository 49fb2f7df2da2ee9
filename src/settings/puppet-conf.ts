import { defineIssues, fail } from '../base/issue.ts'
import type { Source } from '../base/source.ts'

/** puppet.conf: values by section, then by name, as text. */
export type Sections = ReadonlyMap<string, ReadonlyMap<string, string>>

const issues = defineIssues({
  CONFIG_LINE: {
    text: (a: { line: string }) => `Could not match line ${a.line}`,
    hint: () => 'A line is [section], name = value, or a comment that begins with #.',
  },
})

/** Sections that Puppet once called otherwise. */
const renamed: Readonly<Record<string, string>> = { master: 'server' }

/** Reads an INI text as Puppet does; what stands before a section is in `main`. Throws CONFIG_LINE with its place. */
export function parsePuppetConf(source: Source): Sections {
  const sections = new Map<string, Map<string, string>>()
  const sectionOf = (name: string) => {
    const section = sections.get(name) ?? new Map<string, string>()
    sections.set(name, section)
    return section
  }
  let section = sectionOf('main')
  let start = 0
  for (const line of source.text.split('\n')) {
    const header = /^\s*\[(\w+)\]\s*$/.exec(line)
    const equals = line.indexOf('=')
    const name = line.slice(0, Math.max(0, equals)).trim()
    if (header) section = sectionOf(renamed[header[1]!] ?? header[1]!)
    else if (/^[\w-]+$/.test(name)) section.set(name, unquoted(line.slice(equals + 1).trim()))
    else if (!/^\s*(#.*)?$/.test(line))
      fail(issues.CONFIG_LINE, { line: line.trim() }, { source, start, end: start + line.length })
    start += line.length + 1
  }
  return sections
}

/** Puppet takes the quotes off, and a comment after white space. */
function unquoted(value: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(value)
  return quoted ? quoted[2]! : value.replace(/(?<!\s)\s+#.*$/s, '')
}
