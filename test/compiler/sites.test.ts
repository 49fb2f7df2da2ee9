import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execaSync } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../../src/compiler/compile.ts'
import { openDirectory } from '../../src/environments/open-environment.ts'
import { trustedFacts } from '../../src/facts/trusted.ts'
import type { CatalogWire } from '../../src/model/catalog.ts'
import { catalogToWire } from '../../src/model/catalog-wire.ts'
import { loadSettings } from '../../src/settings/settings.ts'
import { hasPuppet, withoutPuppet } from '../support/real-puppet.ts'
import { canonical } from './case.ts'

/** Control repositories of the size of a site, and nodes of theirs; their modules are Debian's. */
const nodes: readonly (readonly [site: string, node: string])[] = [
  ['web', 'web1.example.test'],
  ['web', 'web2.example.test'],
  ['web', 'lb1.example.test'],
  ['web', 'db7.example.test'],
  ['cloud', 'controller1.example.test'],
  ['cloud', 'compute1.example.test'],
  ['ops', 'ops1.example.test'],
]
const sites = resolve(import.meta.dirname, '../fixtures/sites')
const oracle = resolve(import.meta.dirname, '../oracle')

describe.skipIf(!hasPuppet)(`control repositories, beside real Puppet${withoutPuppet}`, () => {
  const answers: { catalog?: CatalogWire; error?: string }[] = []

  beforeAll(() => {
    const questions = nodes.map(([site, node]) =>
      JSON.stringify({ environment: join(sites, site), node, facts: factsOf(node), lenient: true }),
    )
    const options = { input: questions.join('\n'), maxBuffer: 1e9 }
    const { stdout } = execaSync('ruby', [join(oracle, 'compile.rb')], options)
    answers.push(...stdout.split('\n').map((line) => JSON.parse(line)))
  }, 180_000)

  it.each(nodes.map((each, index) => [...each, index] as const))('%s: %s', async (site, node, index) => {
    const settings = loadSettings({ given: { confdir: '/nonexistent/etc', basemodulepath: '' } })
    const { environment } = await openDirectory({ directory: join(sites, site), name: site }, settings)
    const { catalog } = compile({
      node: { name: node, environment: site, parameters: {}, classes: [] },
      facts: factsOf(node),
      trusted: trustedFacts({ authenticated: 'local', certname: node }),
      serverFacts: {},
      environment,
      staticChecksum: undefined,
      settings: {},
      strict: 'warning',
      strictVariables: false,
    })
    const real = answers[index]!
    expect(real.error).toBeUndefined()
    expect(canonical(catalogToWire(catalog, { richData: true }))).toBe(canonical(real.catalog!))
  })
})

/** The facts of a Debian 12 machine, by another name. */
function factsOf(node: string) {
  const facts = JSON.parse(readFileSync(join(oracle, 'facts.json'), 'utf8'))
  const hostname = node.split('.')[0]!
  const domain = 'example.test'
  const networking = { ...facts.networking, fqdn: node, hostname, domain }
  return { ...facts, networking, fqdn: node, hostname, domain, sites: ['north'] }
}
