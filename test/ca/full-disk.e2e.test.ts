import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { whyNotMount } from '../support/may-mount.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ec, newAuthority, requestFor } from './fixture.ts'

const cannot = whyNotMount()
const root = join(import.meta.dirname, '../..')

/** Puts the authority on a small disk of its own, in a namespace that ends with it, and copies what is left on it. */
const onSmallDisk = `set -e
kept="$1.kept"; cp -a "$1" "$kept"
mount -t tmpfs -o size=1m none "$1"; cp -a "$kept/." "$1/"
"$2" "$3" "$4" "$1"
cp -a "$1" "$5"`

describe.skipIf(cannot)(`an authority whose disk is full${cannot}`, () => {
  it('says so, leaves nothing half-written, and goes on when there is room', async () => {
    const { cadir, ca } = await newAuthority()
    await ca.submit('waits.test', await requestFor('waits.test'))
    await ca.generate('signed.test', { key: ec })
    const after = join(scratchFolder('full-disk'), 'after')
    const script = join(import.meta.dirname, 'act-on-full-disk.js')
    const words = ['-m', 'sh', '-c', onSmallDisk, 'sh', cadir, process.execPath, script, root, after]
    const env = { ...process.env, REQUEST: await requestFor('new.test') }
    const done = JSON.parse(execFileSync('unshare', words, { encoding: 'utf8', env }))
    const refused = {
      error: expect.stringMatching(/ENOSPC|No space left on device/),
      changed: [],
      gone: [],
      again: 'done',
    }
    expect(done).toEqual({ sign: refused, revoke: refused, 'issue the list anew': refused, submit: refused })
    const openssl = (...more: string[]) => execFileSync('openssl', more, { encoding: 'utf8', stdio: 'pipe' })
    const file = (name: string) => join(after, name)
    const verdict = 'openssl crl -in "$1" -CAfile "$2" -noout 2>&1'
    const sh = ['-c', verdict, 'sh', file('ca_crl.pem'), file('ca_crt.pem')]
    expect(execFileSync('sh', sh, { encoding: 'utf8' })).toContain('verify OK')
    const listed = openssl('crl', '-in', file('ca_crl.pem'), '-noout', '-text')
    expect(listed).toContain('Serial Number')
    expect(openssl('verify', '-CAfile', file('ca_crt.pem'), file('signed/waits.test.pem'))).toContain('OK')
    const serials = ['waits.test', 'signed.test'].map((name) =>
      openssl('x509', '-in', file(`signed/${name}.pem`), '-noout', '-serial'),
    )
    expect(new Set(serials).size).toBe(2)
  })
})
