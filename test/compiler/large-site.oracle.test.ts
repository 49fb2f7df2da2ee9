import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { execaSync } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { everything, siteFiles } from '../../bench/large/site.js'
import { parseJson } from '../../src/base/json/json-text.ts'
import { openEnvironmentDirectory } from '../../src/code/environments/environment-opener.ts'
import { compile } from '../../src/compiler/compile.ts'
import { loadSettings } from '../../src/machine/settings/settings.ts'
import type { CatalogWire } from '../../src/model/catalog.ts'
import { catalogToWire } from '../../src/model/catalog-wire.ts'
import { createPlainNode } from '../../src/model/node.ts'
import { buildTrustedFacts } from '../../src/node/facts/trusted.ts'
import { isNight } from '../support/nightly.ts'
import { plainRequest } from '../support/plain-request.js'
import { hasPuppet, withoutPuppet } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { canonical } from './case.ts'

/** Real Puppet takes half a minute for all modules of a large site, and 5,324 resources. */
const modules = isNight ? 280 : 40
const facts = JSON.parse(readFileSync(resolve(import.meta.dirname, '../oracle/facts.json'), 'utf8'))
const site = join(scratchFolder('large'), 'large')

describe.skipIf(!hasPuppet)(`a large site, beside real Puppet${withoutPuppet}`, () => {
  beforeAll(() => {
    for (const [path, text] of siteFiles({ modules, nodes: 0 })) {
      mkdirSync(dirname(join(site, path)), { recursive: true })
      writeFileSync(join(site, path), text)
    }
  })

  it(`gives a node with ${modules} modules the same catalog`, async () => {
    const input = JSON.stringify({ environment: site, node: everything, facts })
    const oracle = resolve(import.meta.dirname, '../oracle/compile.rb')
    const { stdout } = execaSync('ruby', [oracle], { input, maxBuffer: 1e9 })
    const real = parseJson(stdout) as { readonly catalog?: CatalogWire; readonly error?: string }
    const settings = loadSettings({ given: { confdir: '/nonexistent/etc', basemodulepath: '' } })
    const { environment } = await openEnvironmentDirectory({ directory: site, name: 'large' }, settings)
    const trusted = buildTrustedFacts({ authenticated: 'local', certname: everything })
    const request = plainRequest(environment, { node: createPlainNode(everything, 'large'), facts, trusted })
    const { catalog } = compile(request)
    expect(real.error).toBeUndefined()
    expect(catalog.resources.length).toBeGreaterThan(modules * 18)
    expect(canonical(catalogToWire(catalog, { richData: true }))).toBe(canonical(real.catalog!))
  }, 600_000)
})
