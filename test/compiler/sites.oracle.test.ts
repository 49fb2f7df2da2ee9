import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execaSync } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseJson } from '../../src/base/json/json-text.ts'
import { classifyNode } from '../../src/cli/input/node-classification.ts'
import { openEnvironmentDirectory } from '../../src/code/environments/environment-opener.ts'
import { compile } from '../../src/compiler/compile.ts'
import { loadSettings } from '../../src/machine/settings/settings.ts'
import type { CatalogWire } from '../../src/model/catalog.ts'
import { catalogToWire } from '../../src/model/catalog-wire.ts'
import { buildTrustedFacts } from '../../src/node/facts/trusted.ts'
import { ExportTable } from '../../src/store/exports/memory-exports.ts'
import { without } from '../support/needs.ts'
import { plainRequest } from '../support/plain-request.js'
import { scratchFolder } from '../support/scratch-folder.ts'
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
  ['ops', 'vault1.example.test'],
  ['farm', 'web2.example.test', ['web1.example.test']],
  ['farm', 'lb1.example.test', ['web2.example.test', 'web1.example.test', 'lb2.example.test']],
  ['farm', 'mon1.example.test', ['web1.example.test', 'lb1.example.test', 'web2.example.test']],
  ['backends', 'backends.example.test'],
]
interface Answer {
  readonly catalog?: CatalogWire
  readonly error?: string
}

const work = scratchFolder('sites')
const sites = join(work, 'sites')
const keys = join(work, 'keys')
const oracle = resolve(import.meta.dirname, '../oracle')

const lacking = without('real Puppet 7.23', "Debian's modules", 'hiera-eyaml', 'puppet-terminus-puppetdb')

describe.skipIf(lacking)(`control repositories, beside real Puppet${lacking}`, () => {
  const answers: Answer[] = []

  beforeAll(() => {
    cpSync(resolve(import.meta.dirname, '../fixtures/sites'), sites, { recursive: true })
    encryptSecrets()
    const questions = nodes.map(([site, node, names]) => {
      const exporters = names?.map((name) => ({ node: name, facts: factsOf(name) }))
      const question = { environment: join(sites, site), node, facts: factsOf(node), lenient: true }
      return JSON.stringify({ ...question, exporters, classifier: classifierOf(site) })
    })
    const options = { input: questions.join('\n'), maxBuffer: 1e9 }
    const { stdout } = execaSync('ruby', [join(oracle, 'compile.rb')], options)
    answers.push(...stdout.split('\n').map((line) => parseJson(line) as Answer))
  })

  const cases = nodes.map(([site, node, exporters], index) => [site, node, exporters, index] as const)
  it.each(cases)('%s: %s', async (site, node, exporters, index) => {
    const external = classifierOf(site)
    const classifying = external === undefined ? undefined : { node_terminus: 'exec', external_nodes: external }
    const settings = loadSettings({ given: { confdir: '/nonexistent/etc', basemodulepath: '', ...classifying } })
    const { environment } = await openEnvironmentDirectory({ directory: join(sites, site), name: site }, settings)
    const table = new ExportTable()
    const compiled = async (name: string) =>
      compile(
        plainRequest(environment, {
          node: { name, environment: site, ...(await classifyNode(name, [], settings)) },
          facts: factsOf(name),
          trusted: buildTrustedFacts({ authenticated: 'local', certname: name }),
          keyFolders: [keys],
          searchExports: exporters && ((search) => table.search(search)),
          strict: 'warning',
          strictVariables: false,
        }),
      )
    for (const name of exporters ?? []) table.replace(name, (await compiled(name)).exports)
    const { catalog } = await compiled(node)
    const real = answers[index]!
    expect(real.error).toBeUndefined()
    expect(canonical(catalogToWire(catalog, { richData: true }))).toBe(canonical(real.catalog!))
  })
})

/** Encrypts what stands in `DEC::PKCS7[…]!` in the sites' data, with new keys, which hiera.yaml then names. */
function encryptSecrets(): void {
  const pair = [`--pkcs7-private-key=${keys}/private.pem`, `--pkcs7-public-key=${keys}/public.pem`]
  execaSync('eyaml', ['createkeys', '--quiet', ...pair], { cwd: work })
  for (const path of readdirSync(sites, { recursive: true, encoding: 'utf8' })) {
    const file = join(sites, path)
    if (path.endsWith('.eyaml'))
      writeFileSync(file, execaSync('eyaml', ['encrypt', '--quiet', ...pair, '--eyaml', file], { cwd: work }).stdout)
    if (path.endsWith('hiera.yaml')) writeFileSync(file, readFileSync(file, 'utf8').replaceAll('@keys@', keys))
  }
}

/** The program of a site that classifies its nodes, if it has one. */
function classifierOf(site: string): string | undefined {
  const program = join(sites, site, 'classifier')
  return existsSync(program) ? program : undefined
}

/** The facts of a Debian 12 machine, by another name. */
function factsOf(node: string) {
  const facts = JSON.parse(readFileSync(join(oracle, 'facts.json'), 'utf8'))
  const hostname = node.split('.')[0]!
  const domain = 'example.test'
  const networking = { ...facts.networking, fqdn: node, hostname, domain }
  const sshed25519key = Buffer.from(node).toString('base64')
  return { ...facts, networking, fqdn: node, hostname, domain, sites: ['north'], sshed25519key }
}
