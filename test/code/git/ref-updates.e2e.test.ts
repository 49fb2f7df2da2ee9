import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RefUpdates } from '../../../src/code/git/ref-updates.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { withGit } from './with-git.ts'

it('writes a hundred refs with one process', async () => {
  const { bare } = controlRepository({ 'manifests/site.pp': '' })
  const commit = execFileSync('git', ['-C', bare, 'rev-parse', 'production'], { encoding: 'utf8' }).trim()
  const log = join(scratchFolder('ref-updates'), 'log')
  await withGit(scratchFolder('ref-updates-git'), `echo started >> ${log}`, async () => {
    const updates = new RefUpdates({ gitDir: bare, quarantine: false })
    await Promise.all(Array.from({ length: 100 }, (_, at) => updates.set(`refs/plumb/served/${at}`, commit)))
  })
  const refs = execFileSync('git', ['-C', bare, 'for-each-ref', 'refs/plumb'], { encoding: 'utf8' })
  expect(refs.trim().split('\n')).toHaveLength(100)
  expect(readFileSync(log, 'utf8')).toBe('started\n')
})
