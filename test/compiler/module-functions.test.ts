import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../src/base/issue.ts'
import type { Json } from '../../src/base/wire.ts'
import { compile } from '../../src/compiler/compile.ts'
import { openParts } from '../../src/environments/open-environment.ts'
import { trustedFacts } from '../../src/facts/trusted.ts'
import { type Case, manifestOf, readCases } from '../language/cases/read-cases.js'

const modulepath = '/usr/share/puppet/modules'
const without =
  process.env.CI || existsSync(`${modulepath}/stdlib`)
    ? ''
    : ' (left out: puppet-module-puppetlabs-stdlib is not installed)'
const folder = join(import.meta.dirname, '../language/functions/modules')
const facts = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')) as Record<string, Json>
const node = 'test.example.com'

/** What an expression is worth where Debian's stdlib is, or why it is worth nothing. */
function worthOf(one: Case): string {
  try {
    const { logs } = compile({
      node: { name: node, environment: 'production', parameters: {}, classes: [] },
      facts,
      trusted: trustedFacts({ authenticated: 'local', certname: undefined }),
      serverFacts: {},
      environment: openParts({ name: 'production', modulepath: [modulepath], manifest: { text: manifestOf(one) } }),
      staticChecksum: undefined,
      settings: { environment: 'production' },
      strict: one.strict,
      strictVariables: one.strictVariables,
    })
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

describe.skipIf(without !== '')(`functions of stdlib that ask the catalog${without}`, () => {
  it.each(cases.map((one) => [one.line, one] as const))('line %i', (_, one) => {
    expect(worthOf(one).replaceAll('\n', '⏎'), one.code).toBe(one.expected.replaceAll('file: unknown, ', ''))
  })
})
