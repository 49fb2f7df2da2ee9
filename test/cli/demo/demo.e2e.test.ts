import { chmodSync, readdirSync } from 'node:fs'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** Debian's `nobody`: an ordinary user without a home. */
const nobody = 65534
const root = process.getuid?.() === 0

const players: readonly (readonly [who: string, as: { readonly uid?: number; readonly gid?: number }])[] = root
  ? [
      ['root', {}],
      ['an ordinary user', { uid: nobody, gid: nobody }],
    ]
  : [
      ['an ordinary user', {}],
      ['the same user again', {}],
    ]

describe('npm run demo', () => {
  const temporary = scratchFolder('demo-test')
  // Anyone may make a scratch folder there, as in /tmp.
  chmodSync(temporary, 0o1777)

  it.each(players)('shows the whole line to %s, and leaves nothing behind', async (_, as) => {
    const { all, exitCode } = await execa(process.execPath, [plumbMain, 'demo'], {
      ...as,
      reject: false,
      all: true,
      env: { HOME: '/nonexistent', TMPDIR: temporary },
    })
    expect(exitCode, all).toBe(0)
    const commits = [...all!.matchAll(/production (?:was|is) +([0-9a-f]{40})/g)].map((match) => match[1])
    expect(new Set(commits).size).toBe(2)
    expect(all).toContain(`remote: production now serves ${commits[1]}`)
    expect(all).toContain('web2.example.test: The banner of the first release.')
    expect(all).toContain('demo.example.test: The banner of the second release.')
    const [before, after] = commits
    const applying = "Notice: Applying code_id '"
    expect(all).toContain(`${applying}${before}' of environment 'production', the first on this node`)
    expect(all).toContain(`${applying}${after}' of environment 'production' in place of '${before}'`)
    expect(all).toContain('Done')
    expect(readdirSync(temporary)).toEqual([])
  })
})
