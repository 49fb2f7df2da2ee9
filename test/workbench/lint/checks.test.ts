import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { lintText, toRows } from './lint-text.ts'
import { sharedChecks } from './shared-checks.ts'

const real = recordedAnswers(import.meta.filename, 'puppet-lint 3.0.1')
const cases = join(import.meta.dirname, 'cases')
const folder = scratchFolder('lint-cases')
const texts = Object.fromEntries(readdirSync(cases).map((name) => [name, readFileSync(join(cases, name), 'utf8')]))

/** Corrections of puppet-lint that change the meaning of the code, with ours. */
const better: Readonly<Record<string, readonly [wrong: string, right: string]>> = {
  'strings.pp': ['first${\n$name_of}', 'first\n${name_of}'],
}

interface Answer {
  readonly problems: readonly unknown[]
  readonly fixed: string
}

interface Row {
  readonly path: string
  readonly check: string
  readonly kind: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** The problems of puppet-lint in every case, and the corrected files. */
function askPuppetLint(): Readonly<Record<string, Answer>> {
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
  const words = ['--no-config', '--show-ignored', '--json', '--only-checks', sharedChecks.join(',')]
  const files = Object.keys(texts).map((name) => join(folder, name))
  const rows = files.map((file): Row[][] => {
    const { stdout } = spawnSync('puppet-lint', [...words, file], { encoding: 'utf8' })
    return JSON.parse(stdout) as Row[][]
  })
  for (const file of files) spawnSync('puppet-lint', [...words, '--fix', file])
  return Object.fromEntries(
    files.map((file, index) => {
      const problems = rows[index]!.flat().map((row) => [row.check, row.kind, row.line, row.column, row.message])
      return [basename(file), { problems, fixed: readFileSync(file, 'utf8') }]
    }),
  )
}

describe('checks are those of puppet-lint', () => {
  const answers = real.all(texts, askPuppetLint)

  it.each(Object.keys(texts))('finds the problems in %s', (name) => {
    const own = lintText(texts[name]!, { path: join(folder, name), checks: sharedChecks })
    expect(toRows(own)).toEqual(answers[name]!.problems)
  })

  it.each(Object.keys(texts))('corrects %s', (name) => {
    const { fixed = texts[name]! } = lintText(texts[name]!, {
      path: join(folder, name),
      checks: sharedChecks,
      fix: true,
    })
    const [wrong, right] = better[name] ?? ['', '']
    expect(fixed).toBe(answers[name]!.fixed.replace(wrong, right))
  })
})
