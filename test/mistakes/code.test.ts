import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Case, parseCase, refusalOf } from '../compiler/case.ts'
import { type Answer, puppetAnswers } from '../compiler/puppet-answers.ts'
import { asksProgram, recordedAnswers } from '../support/recorded-answers.ts'
import { expectOnPage, type Mistake } from './page.ts'

/** A mistake in code, with what real Puppet says of it. */
interface MistakeInCode {
  readonly path: string
  readonly code: Case
  readonly puppet: string
  readonly because: string | undefined
}

const directory = join(import.meta.dirname, 'cases')
const parts = ['names', 'values', 'syntax', 'data', 'templates', 'catalog'] as const
const mistakesOf = new Map(parts.map((part) => [part, readMistakes(join(directory, part))]))

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

describe('mistakes in code, to real Puppet', () => {
  const all = [...mistakesOf.values()].flat()
  let answers: readonly Answer[] = []

  beforeAll(async () => {
    if (asksProgram) answers = await puppetAnswers(all.map(({ code }) => code))
  })

  it.each(all.map((each, index) => [each.path.slice(directory.length + 1), each, index] as const))(
    '%s',
    (path, mistake, index) => {
      const said = puppet.one(path, [...mistake.code.files], () => saidBy(answers[index]!))
      if (process.env.UPDATE) writePuppet(mistake, said)
      else expect(said).toBe(mistake.puppet)
    },
  )
})

describe('mistakes in code', () => {
  it.each(parts)('of the part "%s" are on the page', async (part) => {
    expectOnPage(part, await Promise.all(readMistakes(join(directory, part)).map(rowOf)))
  })
})

async function rowOf({ path, code, puppet, because }: MistakeInCode): Promise<Mistake> {
  const { error, hint, logs } = await refusalOf(code)
  expect(error || logs, path).not.toBe('')
  return { mistake: code.title, plumbline: error || logs, hint, puppet, because }
}

function saidBy({ error, logs = [] }: Answer): string {
  return (error ?? logs.map(([level, message]) => `${level}: ${message}`).join('\n')).trimEnd()
}

/** The mistakes of a part, in the order of their titles. */
function readMistakes(folder: string): MistakeInCode[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.case'))
  const mistakes = names.map((name) => {
    const path = join(folder, name)
    const { files, ...rest } = parseCase(readFileSync(path, 'utf8'))
    const { puppet = '', because, ...code } = Object.fromEntries(files)
    const codeOnly = { ...rest, files: new Map(Object.entries(code)) }
    return { path, code: codeOnly, puppet: puppet.trimEnd(), because: because?.trimEnd().replaceAll('\n', ' ') }
  })
  return mistakes.sort(({ code: one }, { code: other }) => (one.title < other.title ? -1 : 1))
}

/** Writes what real Puppet says behind the files of a case; the reason stays the last. */
function writePuppet({ path, because }: MistakeInCode, text: string): void {
  const [files] = readFileSync(path, 'utf8').split(/^-- (?:puppet|because) --\n/m, 1)
  const said = text === '' ? '' : `-- puppet --\n${text}\n`
  writeFileSync(path, `${files}${said}${because === undefined ? '' : `-- because --\n${because}\n`}`)
}
