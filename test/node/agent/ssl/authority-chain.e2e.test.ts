import { readFile, utimes } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { puppetVersion } from '../../../../src/base/puppet-version.ts'
import type { Settings } from '../../../../src/machine/settings/settings.ts'
import { localFiles } from '../../../../src/machine/system/files.ts'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import { readHostTls } from '../../../../src/network/client/host-tls.ts'
import type { TlsContext } from '../../../../src/network/client/tls.ts'
import {
  type BootstrapOptions,
  ensureClientCertificate,
  withSession,
} from '../../../../src/node/agent/ssl/bootstrap.ts'
import { createCaContext, type RevocationSetting } from '../../../../src/node/agent/ssl/ssl-context.ts'
import { newAuthorityChain } from '../../../ca/chain-fixture.ts'
import { openssl } from '../../../ca/x509/openssl.ts'
import { listen, type TlsServer } from './tls-server.ts'

const servers: TlsServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function start(levels: number) {
  const policy = { autosign: async () => true, allowAutoRenewal: true, listLifeMs: 10 * 365 * 86_400_000 }
  const chain = await newAuthorityChain(levels, policy)
  const server = await listen({}, { ca: chain.ca })
  servers.push(server)
  return { ...chain, server }
}

function optionsFor(settings: Settings): { options: BootstrapOptions; logs: string[] } {
  const logs: string[] = []
  const log = (level: string, message: string) => void logs.push(`${level}: ${message}`)
  return {
    logs,
    options: { settings, system: localSystem, puppetVersion, log, say: () => {}, onetime: true },
  }
}

/** The answer of a server to a client with this context: an error's message, or nothing. */
async function connect(settings: Settings, tls: TlsContext): Promise<string> {
  const talk = withSession(optionsFor(settings).options, tls, ({ ca }) => ca.certificate('ca'))
  return talk.then(
    () => 'trusted',
    (error: Error) => /\[(.*) for .*\]/.exec(error.message)?.[1] ?? error.message,
  )
}

const setting = (name: RevocationSetting) => ({ certificate_revocation: name })

describe.each([1, 2, 3])('an authority at level %i', (levels) => {
  const cases: readonly (readonly [string, number | undefined, RevocationSetting, string])[] = [
    ['nobody revoked', undefined, 'chain', 'trusted'],
    ['nobody revoked', undefined, 'leaf', 'trusted'],
    ['nobody revoked', undefined, 'false', 'trusted'],
    ['the server revoked', levels, 'chain', 'certificate revoked'],
    ['the server revoked', levels, 'leaf', 'certificate revoked'],
    ['the server revoked', levels, 'false', 'trusted'],
    ...Array.from({ length: levels - 1 }, (_, at) => at + 1).flatMap((level) => [
      [`authority ${level} revoked`, level, 'chain', 'certificate revoked'] as const,
      [`authority ${level} revoked`, level, 'leaf', 'trusted'] as const,
      [`authority ${level} revoked`, level, 'false', 'trusted'] as const,
    ]),
  ]
  it.each(cases)('with %s (%s) and certificate_revocation = %s: %s', async (_, revoked, revocation, expected) => {
    const { ca, revokeAuthority, server } = await start(levels)
    const settings = await server.settingsFor('a.test', setting(revocation))
    await ensureClientCertificate(optionsFor(settings).options)
    if (revoked === levels) await ca.revoke('localhost')
    else if (revoked !== undefined) await revokeAuthority(revoked)
    const [authorities, lists] = [(await ca.certificates()).pem, (await ca.revocationLists()).pem]
    await localFiles.write(settings.hostcrl, lists, 0o644)

    // The agent's context, and that of the server, of PuppetDB, of reports and of files.
    expect(await connect(settings, createCaContext(authorities, lists, revocation).tls)).toBe(expected)
    expect(await connect(settings, await readHostTls(settings, localFiles))).toBe(expected)
    const checks = { chain: ['-crl_check_all'], leaf: ['-crl_check'], false: [], true: [] }[revocation]
    const certificate = (await ca.certificate('localhost'))!
    const verify = () =>
      openssl('verify', ...checks, '-CAfile', { pem: authorities }, '-CRLfile', { pem: lists }, { pem: certificate })
    if (expected === 'trusted') expect(verify()).toContain('OK')
    else expect(verify).toThrow('certificate revoked')
  })
})

describe('an agent of an authority at level 3', () => {
  it('fetches new revocation lists, of which one revokes the authority', async () => {
    const { ca, revokeAuthority, server } = await start(3)
    const settings = await server.settingsFor('a.test', { crl_refresh_interval: '1h' })
    await ensureClientCertificate(optionsFor(settings).options)
    await revokeAuthority(1)
    const old = new Date(Date.now() - 2 * 3600_000)
    await utimes(settings.hostcrl, old, old)
    const { options } = optionsFor(settings)
    await expect(ensureClientCertificate(options)).rejects.toThrow("Certificate 'CN=Authority 1' is revoked")
    expect(await readFile(settings.hostcrl, 'utf8')).toBe((await ca.revocationLists()).pem)
  })

  it('renews its certificate', async () => {
    const { server } = await start(3)
    const settings = await server.settingsFor('a.test', { hostcert_renewal_interval: '100y' })
    const first = await ensureClientCertificate(optionsFor(settings).options)
    const { options, logs } = optionsFor(settings)
    const { certificate, chain } = await ensureClientCertificate(options)
    expect([certificate.serial - first.certificate.serial, chain.length]).toEqual([1n, 4])
    expect(logs.some((line) => line.startsWith('info: Renewed client certificate'))).toBe(true)
  })

  it.each(['chain', 'leaf'] as const)(
    'needs the lists that certificate_revocation = %s asks for',
    async (revocation) => {
      const { ca, server } = await start(2)
      const settings = await server.settingsFor('a.test', setting(revocation))
      await ensureClientCertificate(optionsFor(settings).options)
      const [own = '', root = ''] = (await ca.revocationLists()).pem.split(/(?<=END X509 CRL-----\n)/)
      const withLists = async (pem: string) => {
        await localFiles.write(settings.hostcrl, pem, 0o644)
        return connect(settings, await readHostTls(settings, localFiles))
      }
      expect(await withLists(own)).toBe(revocation === 'leaf' ? 'trusted' : 'unable to get certificate CRL')
      expect(await withLists(root)).toBe('unable to get certificate CRL')
    },
  )
})
