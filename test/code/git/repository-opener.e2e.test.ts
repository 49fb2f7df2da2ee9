import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRepository } from '../../../src/code/git/repository-opener.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { withGit } from './with-git.ts'

/** Git 2.30 prints options of `rev-parse` that it does not know, and finds the rest. */
const old = `case "$*" in
*rev-parse*) echo --path-format=absolute; exec $git $(echo "$*" | sed 's/--path-format=absolute//') ;;
*--version*) echo git version 2.30.2; exit ;;
esac`

describe('a repository', () => {
  it.each([
    ['through git, which is started once to open it', '', 1, true],
    ['in JavaScript beside a git that is too old', old, 1, false],
    ['in JavaScript beside a git that is too old, and refuses it', old.replace(/echo --p.*/, 'exit 128 ;;'), 2, false],
  ])('is read %s', async (_, before, atOnce, asksGit) => {
    const { folder, bare, push } = controlRepository()
    const commit = push({ 'a.txt': 'small' })
    const log = join(folder, 'started')
    const started = () => readFileSync(log, 'utf8').length / 2
    await withGit(folder, `echo x >> ${log}\n${before}`, async () => {
      const source = await openRepository(bare)
      expect(started()).toBe(atOnce)
      expect((await source.listTree(commit)).map(({ path }) => path)).toEqual(['a.txt'])
      expect(started() > atOnce).toBe(asksGit)
      await source.close()
    })
  })

  it('that goes away while git looks at it is no repository without branches', async () => {
    const { folder, bare, push } = controlRepository()
    push({ 'a.txt': 'small' })
    const leaves = `case "$*" in *for-each-ref*) mv ${bare} ${folder}/away; exit 0 ;; esac`
    await withGit(folder, leaves, async () => {
      const source = await openRepository(bare)
      await expect(source.listRefs('refs/heads/')).rejects.toThrow(`There is no Git repository at ${bare}`)
      await source.close()
    })
  })
})
