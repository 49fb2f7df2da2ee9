import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execaSync } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseJson } from '../../src/base/json-text.ts'
import { compile } from '../../src/compiler/compile.ts'
import { openDirectory } from '../../src/environments/open-environment.ts'
import { trustedFacts } from '../../src/facts/trusted.ts'
import type { CatalogWire } from '../../src/model/catalog.ts'
import { catalogToWire } from '../../src/model/catalog-wire.ts'
import { loadSettings } from '../../src/settings/settings.ts'
import { ExportTable } from '../../src/store/exports/memory.ts'
import { hasPuppet, withoutPuppet } from '../support/real-puppet.ts'
import { canonical } from './case.ts'

/**
 * Control repositories of the size of a site, and nodes of theirs; their modules are Debian's. With storeconfigs, where
 * there are exporters: nodes that are compiled before, in this order.
 */
const nodes: readonly (readonly [site: string, node: string, exporters?: readonly string[]])[] = [
  ['web', 'web1.example.test'],
  ['web', 'web2.example.test'],
  ['web', 'lb1.example.test'],
  ['web', 'db7.example.test'],
  ['cloud', 'controller1.example.test'],
  ['cloud', 'compute1.example.test'],
  ['ops', 'ops1.example.test'],
  ['farm', 'web2.example.test', ['web1.example.test']],
  ['farm', 'lb1.example.test', ['web2.example.test', 'web1.example.test', 'lb2.example.test']],
  ['farm', 'mon1.example.test', ['web1.example.test', 'lb1.example.test', 'web2.example.test']],
  ['backends', 'backends.example.test'],
]
interface Answer {
  readonly catalog?: CatalogWire
  readonly error?: string
}

const sites = resolve(import.meta.dirname, '../fixtures/sites')
const oracle = resolve(import.meta.dirname, '../oracle')

describe.skipIf(!hasPuppet)(`control repositories, beside real Puppet${withoutPuppet}`, () => {
  const answers: Answer[] = []

  beforeAll(() => {
    const questions = nodes.map(([site, node, names]) => {
      const exporters = names?.map((name) => ({ node: name, facts: factsOf(name) }))
      return JSON.stringify({ environment: join(sites, site), node, facts: factsOf(node), lenient: true, exporters })
    })
    const options = { input: questions.join('\n'), maxBuffer: 1e9 }
    const { stdout } = execaSync('ruby', [join(oracle, 'compile.rb')], options)
    answers.push(...stdout.split('\n').map((line) => parseJson(line) as Answer))
  }, 180_000)

  const cases = nodes.map(([site, node, exporters], index) => [site, node, exporters, index] as const)
  it.each(cases)('%s: %s', async (site, node, exporters, index) => {
    const settings = loadSettings({ given: { confdir: '/nonexistent/etc', basemodulepath: '' } })
    const { environment } = await openDirectory({ directory: join(sites, site), name: site }, settings)
    const table = new ExportTable()
    const compiled = (name: string) =>
      compile({
        node: { name, environment: site, parameters: {}, classes: [] },
        facts: factsOf(name),
        trusted: trustedFacts({ authenticated: 'local', certname: name }),
        serverFacts: {},
        environment,
        staticChecksum: undefined,
        searchExports: exporters && ((search) => table.search(search)),
        settings: {},
        strict: 'warning',
        strictVariables: false,
      })
    for (const name of exporters ?? []) table.replace(name, compiled(name).exports)
    const { catalog } = compiled(node)
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
  const sshed25519key = Buffer.from(node).toString('base64')
  return { ...facts, networking, fqdn: node, hostname, domain, sites: ['north'], sshed25519key }
}
