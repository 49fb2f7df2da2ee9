import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { runHere } from '../../../support/run-here.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const root = process.getuid?.() === 0
/** Debian's `nobody` and `nogroup`. */
const nobody = 65534

describe.runIf(root)('a file that is given to somebody (needs root)', () => {
  let folder: string
  beforeAll(() => {
    folder = scratchFolder('modes')
    writeFileSync(join(folder, 'source'), 'from a source\n')
  })
  afterEach(() => rmSync(join(folder, 'it'), { recursive: true, force: true }))

  const apply = (attributes: string) => {
    const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'node']
    const code = `file { '${folder}/it': ${attributes} }`
    return runHere(['apply', '--detailed-exitcodes', '-e', code, ...places])
  }
  const now = () => {
    const { mode, uid, gid } = statSync(join(folder, 'it'))
    return [(mode & 0o7777).toString(8), uid, gid]
  }

  it.each([
    ['content', "content => 'x', mode => '4755'", '4755'],
    ['a source', "source => '/%/source', mode => '6755'", '6755'],
    ['nothing in it', "ensure => file, mode => '2755'", '2755'],
    ['a symbolic mode', "content => 'x', mode => 'u=rwxs,go=rx'", '4755'],
    ['a directory', "ensure => directory, mode => '2775'", '2775'],
  ])('has its setuid and setgid from the first, with %s', async (_, attributes, mode) => {
    const wanted = attributes.replace('/%', folder)
    const { status, err } = await apply(`${wanted}, owner => ${nobody}, group => ${nobody}`)
    expect([status, err, now()]).toEqual([2, '', [mode, nobody, nobody]])
    expect((await apply(`${wanted}, owner => ${nobody}, group => ${nobody}`)).status).toBe(0)
  })

  it('keeps them when it changes hands later, and when its content changes', async () => {
    await apply("content => 'x', mode => '6755'")
    const given = await apply(`mode => '6755', owner => ${nobody}, group => ${nobody}`)
    expect([given.status, now()]).toEqual([2, ['6755', nobody, nobody]])
    expect(given.out).not.toContain('/mode: ')
    await apply(`content => 'y', mode => '6755'`)
    expect(now()).toEqual(['6755', nobody, nobody])
  })

  it('has none that the manifest does not want', async () => {
    await apply("content => 'x', mode => '4755'")
    await apply(`owner => ${nobody}`)
    expect(now()[0]).toBe('755')
    await apply(`mode => '0750', owner => 0`)
    expect(now()[0]).toBe('750')
  })
})
