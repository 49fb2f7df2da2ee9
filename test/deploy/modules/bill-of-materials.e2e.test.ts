import { afterAll, expect, it } from 'vitest'
import { createBillOfMaterials } from '../../../src/deploy/modules/bill-of-materials.ts'
import { describeModules, listUnmetDependencies } from '../../../src/deploy/modules/module-metadata.ts'
import type { DeclaredModule } from '../../../src/deploy/puppetfile/module-declaration.ts'
import { openForge } from '../../support/forge.ts'
import { openGitHost } from '../../support/git-host.ts'
import { fetcherHere } from '../../support/module-fetching.ts'

const forge = await openForge()
const host = await openGitHost()
const fetcher = fetcherHere({ module_repository: forge.url, puppetfile_sources: [host.url] })
afterAll(async () => {
  await Promise.all([fetcher.close(), forge.close(), host.close()])
})

const usual = { excludesSpec: false, line: 1 }
const ofForge = (name: string, version: string): DeclaredModule => ({
  ...{
    title: `acme/${name}`,
    owner: 'acme',
    name,
    path: `modules/${name}`,
    source: { kind: 'forge', version },
    ...usual,
  },
})

async function fetched() {
  const dependencies = [
    { name: 'acme/base', version_requirement: '>= 1.0.0 < 2.0.0' },
    { name: 'acme/gone', version_requirement: '>= 1.0.0' },
    { name: 'acme/bare' },
  ]
  await forge.publish({
    slug: 'acme-app',
    version: '1.2.3',
    files: {},
    metadata: { dependencies, license: 'MIT OR Apache-2.0' },
  })
  await forge.publish({
    slug: 'acme-base',
    version: '2.0.0',
    files: {},
    metadata: { license: 'Ours, and nobody\u2019s' },
  })
  const commit = host.commit('bare', { 'manifests/init.pp': 'class bare {}\n', 'metadata.json': '{ broken' })
  const source = {
    kind: 'git',
    url: `${host.url}/bare.git`,
    wanted: { kind: 'commit', name: commit },
    defaultBranch: undefined,
  } as const
  const bare: DeclaredModule = { title: 'bare', owner: undefined, name: 'bare', path: 'site/bare', source, ...usual }
  const all = [ofForge('base', '2.0.0'), ofForge('app', '1.2.3'), bare]
  return Promise.all(all.map((module) => fetcher.fetch(module, { branch: 'production' })))
}

it('tells which dependencies are not met, and lists what there is', async () => {
  const modules = await fetched()
  const described = await describeModules(fetcher.place, modules)
  expect(
    listUnmetDependencies(described).map(({ reason, parent, dependency, installed }) => [
      ...[parent.forgeName, reason, dependency.name, dependency.range, installed],
    ]),
  ).toEqual([
    ['acme/app', 'version_mismatch', 'acme/base', '>= 1.0.0 < 2.0.0', '2.0.0'],
    ['acme/app', 'missing', 'acme/gone', '>= 1.0.0', undefined],
    ['acme/app', 'missing', 'acme/bare', '>= 0.0.0', undefined],
  ])
  const subject = { name: 'production', commit: 'c'.repeat(40), time: 1_700_000_000 }
  const text = createBillOfMaterials(described, subject)
  expect(createBillOfMaterials(await describeModules(fetcher.place, modules.toReversed()), subject)).toBe(text)
  expect(createBillOfMaterials(described.slice(1), subject).slice(0, 300)).not.toBe(text.slice(0, 300))
  const bill = JSON.parse(text)
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { timestamp: '2023-11-14T22:13:20.000Z' },
  })
  expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const [app, base, bare] = ['app', 'base', 'bare'].map((name) =>
    bill.components.find((each: { name: string }) => each.name === name),
  )
  expect(app).toMatchObject({
    ...{
      group: 'acme',
      version: '1.2.3',
      purl: 'pkg:puppet/acme/app@1.2.3',
      licenses: [{ expression: 'MIT OR Apache-2.0' }],
    },
    hashes: [{ alg: 'SHA-256', content: modules[1]!.sha256 }],
  })
  expect(base.licenses).toEqual([{ license: { name: 'Ours, and nobody\u2019s' } }])
  expect(bare.purl).toBe(
    `pkg:generic/bare@${modules[2]!.resolved}?vcs_url=${encodeURIComponent(`git+${host.url}/bare.git@${modules[2]!.resolved}`)}`,
  )
  expect(bill.dependencies).toContainEqual({ ref: 'module:modules/app', dependsOn: ['module:modules/base'] })
})
