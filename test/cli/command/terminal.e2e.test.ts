import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

describe('a terminal', () => {
  it('shows the facts of a machine and is not moved by them; a pipe gets every byte', () => {
    const confdir = scratchFolder('terminal')
    const facts = join(confdir, 'var/facts.d')
    mkdirSync(facts, { recursive: true })
    writeFileSync(join(facts, 'evil.yaml'), 'evil: "a\\x1B[2Jb\\rc\\u009B31m"\n')
    const words = [plumbMain, 'facts', 'evil', '--value-only', '--confdir', confdir, '--vardir', join(confdir, 'var')]
    const all = [process.execPath, ...words, '--pluginfactdest', facts]
    const piped = execFileSync(all[0]!, all.slice(1), { encoding: 'utf8' })
    expect(piped).toBe('a\x1b[2Jb\rc\x9b31m\n')
    const command = all.map((word) => `'${word}'`).join(' ')
    const shown = execFileSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', input: '' })
    expect(shown.replaceAll('\r\n', '\n')).toBe('a\\x1b[2Jb\\x0dc\\x9b31m\n')
  })
})
