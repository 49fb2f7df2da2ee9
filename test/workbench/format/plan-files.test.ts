import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isPlanFile } from '../../../src/workbench/format/plan-files.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { writeFiles } from '../language-server/editor.ts'

const root = scratchFolder('plan-files')
writeFiles(root, { 'plans/ntp/metadata.json': '{}' })

it.each([
  ['plans/ntp/plans/a.pp', true],
  ['plans/ntp/plans/deep/a.pp', true],
  ['plans/ntp/plans/manifests/a.pp', true],
  ['plans/ntp/a.pp', false],
  ['plans/ntp/manifests/plans/a.pp', false],
  ['modules/other/plans/a.pp', true],
  ['plans/control/manifests/site.pp', false],
  ['modules/other/manifests/plans/a.pp', false],
  ['modules/plans.pp', false],
])('the path %s is one of a plan: %s', (path, expected) => {
  expect(isPlanFile(join(root, path))).toBe(expected)
})
