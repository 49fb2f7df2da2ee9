import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lintText, toRows } from './lint-text.ts'

type Row = readonly [check: string, kind: string, line: number, column: number, message: string, reason: string | null]

/** Answers of puppet-lint 4.3.0 with its plug-ins; `npm run lint:equality -- --record FILE` writes them. */
const answers = JSON.parse(
  readFileSync(join(import.meta.dirname, 'answers/puppet-lint-4.3.0.json'), 'utf8'),
) as Readonly<Record<string, readonly [rows: readonly Row[], fixed: string]>>

const cases = Object.keys(answers).map((name) => {
  const text = readFileSync(join(import.meta.dirname, 'recent-cases', name), 'utf8')
  return [name, text] as const
})

/** Corrections of puppet-lint that are wrong, or that it reports without correcting, with ours. */
const better: Readonly<Record<string, readonly (readonly [wrong: string, right: string])[]>> = {
  'facts.pp': [["$facts['facts'][", '$facts[']],
  'space-before-arrow.pp': [["file { 'b':  ensure=> file }", "file { 'b': ensure => file }"]],
}
const uncorrected = "legacy fact 'memorysize_mb'"

describe('checks of later versions and of plug-ins are those of puppet-lint', () => {
  it.each(cases)('finds the problems in %s', (name, text) => {
    const rows = answers[name]![0].map(([check, kind, line, column, message]) => [
      check,
      kind === 'fixed' && message === uncorrected ? 'warning' : kind,
      line,
      column,
      message,
    ])
    // The check resource_reference_without_whitespace reports each problem once for each resource of the file.
    const once = new Map(rows.map((row) => [JSON.stringify(row), row]))
    expect(toRows(lintText(text, { path: join('/m', name), fix: true }))).toEqual([...once.values()])
  })

  it.each(cases)('corrects %s', (name, text) => {
    const wanted = (better[name] ?? []).reduce((all, [wrong, right]) => all.replaceAll(wrong, right), answers[name]![1])
    const { fixed = text } = lintText(text, { path: join('/m', name), fix: true })
    // The line breaks of the file stay, which puppet-lint replaces by line feeds.
    expect(fixed.replaceAll('\r\n', '\n')).toBe(wanted)
    expect(fixed.includes('\r')).toBe(text.includes('\r'))
  })
})
