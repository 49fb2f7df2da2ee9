import { chmodSync, readdirSync } from 'node:fs'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { plumbMain } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

/** Debian's `nobody`: an ordinary user without a home. */
const nobody = 65534
const root = process.getuid?.() === 0

describe('npm run demo', () => {
  const temporary = scratchFolder('demo-test')
  // Anyone may make a scratch folder there, as in /tmp.
  chmodSync(temporary, 0o1777)

  const play = (as: { uid?: number; gid?: number } = {}) =>
    execa(process.execPath, [plumbMain, 'demo'], {
      ...as,
      reject: false,
      all: true,
      env: { HOME: '/nonexistent', TMPDIR: temporary },
    })

  it('shows the whole line twice over, and leaves nothing behind', async () => {
    for (const _ of [1, 2]) {
      const { all, exitCode } = await play()
      expect(exitCode, all).toBe(0)
      const commits = [...all!.matchAll(/production (?:was|is) +([0-9a-f]{40})/g)].map((match) => match[1])
      expect(new Set(commits).size).toBe(2)
      expect(all).toContain(`remote: production: ${commits[1]} since `)
      expect(all).toContain('web2.example.test: The banner of the first release.')
      expect(all).toContain('demo.example.test: The banner of the second release.')
      const [before, after] = commits
      const applying = "Notice: Applying code_id '"
      expect(all).toContain(`${applying}${before}' of environment 'production', the first on this node`)
      expect(all).toContain(`${applying}${after}' of environment 'production' in place of '${before}'`)
      expect(all).toContain('Done')
    }
    expect(readdirSync(temporary)).toEqual([])
  }, 600_000)

  it.runIf(root)(
    `works for an ordinary user too${root ? '' : ' (left out: only root may be another)'}`,
    async () => {
      const { all, exitCode } = await play({ uid: nobody, gid: nobody })
      expect(exitCode, all).toBe(0)
    },
    300_000,
  )
})
