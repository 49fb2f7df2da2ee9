import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importAuthority } from '../../src/ca/setup.ts'
import { toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ec, folder, openFixture } from './fixture.ts'

/** An authority made by openssl alone: a root, one below it, and one below that, which is to be taken over. */
function opensslChain(kind: 'rsa' | 'ec') {
  const folder = scratchFolder('chain')
  const run = (...words: readonly string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const names = ['root', 'middle', 'leaf'] as const
  const config = [
    '[ca]',
    'default_ca=d',
    '[x]',
    'basicConstraints=critical,CA:TRUE',
    'keyUsage=critical,keyCertSign,cRLSign',
    'subjectKeyIdentifier=hash',
  ]
  names.forEach((name, at) => {
    const newkey = kind === 'rsa' ? ['-newkey', 'rsa:2048'] : ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384']
    const issuer = names[at - 1]
    const d = ['[d]', `database=${name}.txt`, `crlnumber=${name}.number`, 'default_md=sha256', 'default_crl_days=90']
    writeFileSync(join(folder, `${name}.cnf`), [...config, ...d, ''].join('\n'))
    writeFileSync(join(folder, `${name}.txt`), '')
    writeFileSync(join(folder, `${name}.number`), '01\n')
    run('req', '-new', '-nodes', ...newkey, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`)
    const signer =
      issuer === undefined
        ? ['-signkey', `${name}.key`]
        : ['-CA', `${issuer}.crt`, '-CAkey', `${issuer}.key`, '-CAcreateserial']
    run(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      ...signer,
      '-days',
      '900',
      '-extfile',
      `${name}.cnf`,
      '-extensions',
      'x',
      '-out',
      `${name}.crt`,
    )
    run(
      'ca',
      '-gencrl',
      '-config',
      `${name}.cnf`,
      '-cert',
      `${name}.crt`,
      '-keyfile',
      `${name}.key`,
      '-out',
      `${name}.crl`,
    )
  })
  return { folder, read, all: (ending: string) => names.map((name) => read(`${name}.${ending}`)) }
}

describe.each(['rsa', 'ec'] as const)('a chain of %s keys that openssl made', (kind) => {
  const chain = opensslChain(kind)
  const parts = (cadir: string) => ({ ...folder(cadir), privateKey: chain.read('leaf.key'), system: localSystem })

  it.each([
    ['in order', (all: readonly string[]) => all.toReversed()],
    ['from the root down', (all: readonly string[]) => all],
    ['in any order', ([root, middle, leaf]: readonly string[]) => [middle!, root!, leaf!]],
  ])('is taken over %s, and openssl verifies hosts of every kind up to the root', async (_, order) => {
    const cadir = join(scratchFolder('imported'), 'ca')
    await importAuthority({
      ...parts(cadir),
      certificates: order(chain.all('crt')).join(''),
      revocationLists: order(chain.all('crl')).join(''),
    })
    const ca = await openFixture(cadir)
    const leaf = join(cadir, 'leaf.pem')
    const verify = () =>
      execFileSync(
        'openssl',
        [
          'verify',
          '-x509_strict',
          '-crl_check_all',
          '-CAfile',
          join(cadir, 'ca_crt.pem'),
          '-CRLfile',
          join(cadir, 'ca_crl.pem'),
          leaf,
        ],
        { encoding: 'utf8', stdio: 'pipe' },
      )
    for (const [name, key] of [
      ['r.test', { type: 'rsa', bits: 2048 }],
      ['e.test', ec],
      ['p.test', { type: 'ec', curve: 'secp521r1' }],
    ] as const) {
      writeFileSync(leaf, toCertificatePem((await ca.generate(name, { key })).certificate))
      expect(verify()).toContain('OK')
      await ca.revoke(name)
      expect(verify).toThrow('certificate revoked')
    }
    expect(Object.keys((await ca.expirations()).lists)).toEqual(['leaf', expect.any(String), expect.any(String)])
  })

  it.each([
    [
      'without the root',
      { certificates: () => chain.all('crt').slice(1).join('') },
      "The issuer 'CN=root' of certificate 'CN=middle' is missing",
    ],
    [
      'without the list of the middle',
      { revocationLists: () => [chain.read('root.crl'), chain.read('leaf.crl')].join('') },
      "Could not find the revocation list of 'CN=middle' in --crl-chain",
    ],
    ['with the key of another', { privateKey: () => chain.read('middle.csr') }, 'Could not read the private key'],
    [
      'without its certificate',
      { certificates: () => chain.all('crt').slice(0, 2).join('') },
      "The CA's private key does not match its certificate",
    ],
  ])('is refused %s, and nothing is written', async (_, change, message) => {
    const scratch = scratchFolder('refused')
    const given = {
      privateKey: () => chain.read('leaf.key'),
      certificates: () => chain.all('crt').join(''),
      revocationLists: () => chain.all('crl').join(''),
      ...change,
    }
    const work = importAuthority({
      ...folder(join(scratch, 'ca')),
      privateKey: given.privateKey(),
      certificates: given.certificates(),
      revocationLists: given.revocationLists(),
      system: localSystem,
    })
    await expect(work).rejects.toThrow(message)
    expect(readdirSync(scratch)).toEqual([])
  })
})
