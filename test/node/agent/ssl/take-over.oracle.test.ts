import { execa } from 'execa'
import { afterEach, describe, expect, it } from 'vitest'
import { puppetVersion } from '../../../../src/base/puppet-version.ts'
import type { Settings } from '../../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import { verifyCertificate } from '../../../../src/node/agent/ssl/actions.ts'
import { ensureClientCertificate } from '../../../../src/node/agent/ssl/bootstrap.ts'
import { hasPuppet, withoutPuppet } from '../../../support/real-puppet.ts'
import { listen, type TlsServer } from './tls-server.ts'

let server: TlsServer | undefined
afterEach(() => server?.close())

/** Real `puppet ssl`, with the places that our settings name. */
function puppetSsl(action: string, { confdir, ssldir, certname, server: host, serverport }: Settings) {
  const words = ['--confdir', confdir, '--vardir', `${confdir}/puppet`, '--ssldir', ssldir, '--certname', certname]
  const where = [
    '--publicdir',
    `${confdir}/public`,
    '--server',
    host,
    '--serverport',
    String(serverport),
    '--keylength',
    '2048',
    '--color',
    'false',
  ]
  return execa('puppet', ['ssl', action, ...words, ...where], { all: true })
}

describe.skipIf(!hasPuppet)(`an ssldir${withoutPuppet}`, () => {
  const said: string[] = []
  const optionsFor = (settings: Settings) => ({
    settings,
    system: localSystem,
    puppetVersion,
    log: (_level: string, message: string) => said.push(message),
    say: (text: string) => said.push(text),
    onetime: true,
  })

  it('of a real agent is taken over, certificate and all', async () => {
    server = await listen({ autosign: async () => true })
    const settings = await server.settingsFor('real.test')
    expect((await puppetSsl('bootstrap', settings)).all).toContain('Completed SSL initialization')
    await verifyCertificate(optionsFor(settings))
    expect(said.at(-1)).toMatch(/^Verified client certificate 'CN=real\.test'/)
    const { certificate } = await ensureClientCertificate(optionsFor(settings))
    expect(certificate.serial).toBe(3n)
  })

  it('of ours is taken over by a real agent', async () => {
    server = await listen({ autosign: async () => true })
    const settings = await server.settingsFor('ours.test')
    await ensureClientCertificate(optionsFor(settings))
    expect((await puppetSsl('verify', settings)).all).toMatch(/Verified client certificate 'CN=ours\.test'/)
  })
})
