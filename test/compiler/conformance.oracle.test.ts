import { beforeAll, describe, expect, it } from 'vitest'
import type { ExactJson } from '../../src/base/json/exact-json.ts'
import { openCommandLineCode } from '../../src/code/environments/environment-opener.ts'
import { compile } from '../../src/compiler/compile.ts'
import { catalogToWire } from '../../src/model/catalog-wire.ts'
import { createPlainNode } from '../../src/model/node.ts'
import { buildTrustedFacts } from '../../src/node/facts/trusted.ts'
import { debianModules } from '../support/debian-modules.ts'
import { without } from '../support/needs.ts'
import { plainRequest } from '../support/plain-request.js'
import { canonical, readCases } from './case.ts'
import { type Answer, puppetAnswers } from './puppet-answers.ts'

const modulepath = [debianModules]
const node = 'node.example.com'
const facts: Record<string, ExactJson> = {
  is_virtual: false,
  os: { family: 'Debian', name: 'Debian', release: { full: '12.11', major: '12', minor: '11' } },
}

const lacking = without('real Puppet 7.23', "Debian's modules", 'puppet-terminus-puppetdb')

describe.skipIf(lacking)(`the compiler, beside real Puppet${lacking}`, () => {
  const cases = readCases()
  let answers: readonly Answer[] = []
  let ntp: Answer = {}

  beforeAll(async () => {
    const ofNtp = { modulepath, facts, node, classes: ['ntp'] }
    ;[ntp = {}, ...answers] = await puppetAnswers(
      cases.map(([, each]) => each),
      [ofNtp],
    )
  })

  it.each(cases.map(([name, each], index) => [name, each, index] as const))('%s', (_, { expected }, index) => {
    const { catalog, error = '', logs = [] } = answers[index]!
    const said = logs.map(([level, message]) => `${level}: ${message}`)
    expect({ catalog: catalog ? canonical(catalog) : '', error, logs: comparable(said.join('\n')) }).toEqual({
      ...expected,
      logs: comparable(expected.logs),
    })
  })

  it('makes the catalog of the class ntp, of the module that Debian has', () => {
    const trusted = buildTrustedFacts({ authenticated: 'local', certname: node })
    const classified = { ...createPlainNode(node, 'production'), classes: ['ntp'] }
    const environment = openCommandLineCode({ name: 'production', modulepath, manifest: undefined })
    const { catalog } = compile(plainRequest(environment, { node: classified, facts, trusted }))
    expect(canonical(catalogToWire(catalog, { richData: true }))).toBe(canonical(ntp.catalog!))
  })
})

/**
 * Without places, which Puppet keeps beside the message; errors, which it says twice; deprecations, which it says once for
 * all cases; and what only we say: circles.
 */
function comparable(logs: string): string {
  return logs
    .replace(/^warning: Found \d+ dependency cycles?:(\n\(.*\))+/m, '')
    .replace(/^err: .*(\n {2}.*)*$/gm, '')
    .replace(/^warning: .* is deprecated.*(\n {3}\(.*\))?$/gm, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/ \(file: [^()]*\)$/, ''))
    .join('\n')
}
