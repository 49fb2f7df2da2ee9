import { expect, it } from 'vitest'
import { Coverage } from '../../../src/compiler/coverage/coverage.ts'
import { readNodeUse } from '../../../src/compiler/coverage/traced-usage.ts'
import { Recall } from '../../../src/compiler/recall/catalog-recall.ts'
import { recallOrCompile } from '../../../src/compiler/workers/catalog-recall.ts'
import { ownRuby } from '../../../src/ruby/worker-share.ts'
import { treeOf } from '../../support/map-tree.ts'
import { plainRequest } from '../../support/plain-request.js'
import { scratchFolder } from '../../support/scratch-folder.ts'

const files = {
  'manifests/site.pp':
    'include m\nm::d { "x": }\nfile { "/f": source => ["puppet:///modules/m/a", "puppet:///modules/m/b"] }\n',
  'modules/m/manifests/init.pp': 'class m { }',
  'modules/m/manifests/d.pp': 'define m::d() { }',
  'modules/m/manifests/other.pp': 'class m::other { }',
  'modules/m/files/b': 'b',
  'modules/m/files/c': 'c',
}

const requestFor = (changes: Record<string, string> = {}, facts = {}) => {
  const tree = { ...treeOf({ ...files, ...changes }), codeId: 'f'.repeat(40) }
  const modulepath = [{ tree, path: 'modules' }]
  const manifest = { path: 'manifests' }
  return plainRequest({ name: 'production', tree, modulepath, manifest, version: 1, globalHiera: undefined }, { facts })
}

const options = { folder: scratchFolder('coverage-traces'), checkEvery: 0, key: new Uint8Array(32), version: 'test' }
const unusedNames = (request: ReturnType<typeof requestFor>): string[] | undefined => {
  const use = readNodeUse(options, request)
  const coverage = new Coverage(request.environment, { strict: 'error', tasks: false })
  if (use) coverage.note(use)
  return use && coverage.unused().map(({ name }) => name)
}

it("tells what a node's last catalog used, while that code is as it was", () => {
  expect(unusedNames(requestFor())).toBeUndefined()
  recallOrCompile(requestFor(), { format: 'rich' }, { share: ownRuby, answers: undefined }, new Recall(options))
  expect(unusedNames(requestFor())).toEqual(['m::other', 'm/c'])
  expect(unusedNames(requestFor({}, { uptime: 5 }))).toEqual(['m::other', 'm/c'])
  expect(unusedNames(requestFor({ 'modules/m/manifests/new.pp': 'class m::new { }' }))).toEqual([
    'm::new',
    'm::other',
    'm/c',
  ])
  expect(unusedNames(requestFor({ 'modules/m/manifests/d.pp': 'define m::d() { include m::other }' }))).toBeUndefined()
  expect(readNodeUse({ ...options, key: new Uint8Array(32).fill(1) }, requestFor())).toBeUndefined()
  expect(readNodeUse(options, { ...requestFor(), node: { ...requestFor().node, name: '../n1' } })).toBeUndefined()
})
