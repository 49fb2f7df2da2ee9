import { expect, it } from 'vitest'
import { openEnvironmentDirectory } from '../../src/code/environments/environment-opener.ts'
import { compile } from '../../src/compiler/compile.ts'
import { loadSettings } from '../../src/machine/settings/settings.ts'
import type { PuppetNode } from '../../src/model/node.ts'
import { writeFiles } from '../support/control-repository.ts'
import { plainRequest } from '../support/plain-request.js'
import { scratchFolder } from '../support/scratch-folder.ts'

/** The list `classes` of catalogs, as real Puppet 7.23 has it: a class of the node, and once more where it is evaluated. */
it.each<[string, PuppetNode['classes'], readonly string[]]>([
  ['class a {} class b {} include a', ['a', 'b'], ['a', 'b', 'settings', 'a', 'b']],
  ['class a {} class b { include a } include b', ['a'], ['a', 'settings', 'b', 'a']],
  ['class a {} class b {} node default { include a }', { a: {}, b: null }, ['a', 'b', 'settings', 'default', 'a', 'b']],
  [
    'class a {} class b($x = 1) { include a } node default { include b }',
    { a: {} },
    ['a', 'settings', 'default', 'b', 'a'],
  ],
  ['class a {} include a include a', [], ['settings', 'a']],
  ['class a {} class b { contain a } include b', ['a', 'b'], ['a', 'b', 'settings', 'b', 'a']],
])('%s', async (manifest, classes, expected) => {
  const directory = scratchFolder('classes')
  writeFiles(directory, { 'manifests/site.pp': manifest })
  const settings = loadSettings({ given: { confdir: '/nonexistent', basemodulepath: '' } })
  const { environment } = await openEnvironmentDirectory({ directory, name: 'production' }, settings)
  const node = { name: 'n1', environment: 'production', parameters: {}, classes }
  expect(compile(plainRequest(environment, { node })).catalog.classes).toEqual(expected)
})
