import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../src/base/issue.ts'
import type { Json } from '../../src/base/json/json-checks.ts'
import { openCommandLineCode } from '../../src/code/environments/environment-opener.ts'
import { compile } from '../../src/compiler/compile.ts'
import { createPlainNode } from '../../src/model/node.ts'
import { buildTrustedFacts } from '../../src/node/facts/trusted.ts'
import { type Case, manifestOf, readCases } from '../language/cases/read-cases.js'
import { debianModules } from '../support/debian-modules.ts'
import { without } from '../support/needs.ts'
import { plainRequest } from '../support/plain-request.js'

const withoutModules = without("Debian's modules")
const withoutPuppet = without('real Puppet 7.23', "Debian's modules")
const folder = join(import.meta.dirname, '../language/module-functions/cases')
const facts = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')) as Record<string, Json>
const node = 'test.example.com'

/** What an expression is worth where Debian's stdlib is, or why it is worth nothing. */
function worthOf(one: Case): string {
  try {
    const manifest = { text: manifestOf(one) }
    const { logs } = compile(
      plainRequest(openCommandLineCode({ name: 'production', modulepath: [debianModules], manifest }), {
        node: createPlainNode(node, 'production'),
        facts,
        trusted: buildTrustedFacts({ authenticated: 'local', certname: undefined }),
        settings: { environment: 'production' },
        strict: one.strict,
        strictVariables: one.strictVariables,
      }),
    )
    return logs.findLast(({ level }) => level === 'notice')!.message
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return `! ${error.message.replace(/ on node test\.example\.com$/, '')}`
  }
}

const asksTheCatalog = /^(assert_private|defined_with_params|ensure_\w+|get\w+|load_module_metadata)$/

const cases = readCases(folder).filter(
  ({ file, group }) => basename(file) === 'stdlib-8.cases' && asksTheCatalog.test(group),
)

describe.skipIf(withoutModules)(`functions of stdlib that ask the catalog${withoutModules}`, () => {
  it.each(cases.map((one) => [one.line, one] as const))('line %i', (_, one) => {
    expect(worthOf(one).replaceAll('\n', '⏎'), one.code).toBe(one.expected.replaceAll('file: unknown, ', ''))
  })
})

/** What real Puppet says with Debian's modules, as the case files write it. */
function askPuppet(asked: readonly Case[]): string[] {
  const questions = asked.map((one) =>
    JSON.stringify({
      manifest: manifestOf(one),
      strict: one.strict,
      strict_variables: one.strictVariables,
      modulepath: [debianModules],
      facts,
    }),
  )
  const oracle = join(import.meta.dirname, '../oracle/evaluate.rb')
  const output = execFileSync('ruby', [oracle], { input: questions.join('\n'), encoding: 'utf8', maxBuffer: 1 << 28 })
  const answers = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { error?: string; logs: [string, string][] })
  return answers.map(({ error, logs }) => (error === undefined ? logs.at(-1)![1] : `! ${error}`).replaceAll('\n', '⏎'))
}

describe.skipIf(withoutPuppet)(`real Puppet, with the Ruby of Debian's modules${withoutPuppet}`, () => {
  it('answers one case in ten as it is written', () => {
    const ofDebian = readCases(folder).filter(({ file }) => basename(file) !== 'stdlib-9.cases')
    const sample = ofDebian.filter((_, index) => index % 10 === 0)
    const answers = askPuppet(sample)
    const differing = sample.filter((one, index) => answers[index] !== one.expected)
    expect(differing).toEqual([])
  })
})
