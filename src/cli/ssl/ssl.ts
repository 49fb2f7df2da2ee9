import { puppetVersion } from '../../base/puppet-version.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { asOwner } from '../../node/agent/as-owner.ts'
import { consoleLog } from '../../node/agent/log.ts'
import {
  clean,
  downloadCertificate,
  generateRequest,
  renewCertificate,
  show,
  submitRequest,
  verify,
} from '../../node/agent/ssl/actions.ts'
import { type BootstrapOptions, ensureClientCertificate } from '../../node/agent/ssl/bootstrap.ts'
import { type Command, defineCommand, type Invocation } from '../command/command.ts'

/** `plumb ssl` */
export const ssl: Command = {
  name: 'ssl',
  summary: "Manage this host's keys and certificates.",
  description: `Requests, verifies and removes the certificate with which this host authenticates to its server.

  plumb ssl bootstrap --server code.example.com --waitforcert 30s
  plumb ssl verify

Exits with 0, or with 1 for an error.`,
  commands: [
    {
      name: 'bootstrap',
      summary: 'Request a certificate, and check every waitforcert seconds whether it is signed.',
      async run(invocation) {
        const options = optionsOf(invocation, 'info')
        await asOwner(() => ensureClientCertificate(options))
        options.log('notice', 'Completed SSL initialization')
        return 0
      },
    },
    action('submit_request', 'Generate a request (and a key if there is none), and submit it.', submitRequest),
    action('generate_request', 'Generate a request (and a key if there is none), and save it.', generateRequest),
    action('download_cert', 'Download the signed certificate.', downloadCertificate),
    action('renew_cert', 'Renew the certificate with the same key.', renewCertificate),
    action(
      'verify',
      'Verify that key and certificate match, and that the certificate is trusted and not revoked.',
      verify,
    ),
    action('show', "Print this host's certificate.", show),
    defineCommand({
      name: 'clean',
      summary: "Remove this host's key, certificate and request.",
      options: [{ flags: '--localca', doc: 'Also remove the CA certificates and revocation lists.' }],
      async run(invocation) {
        const localca = invocation.options.localca === true
        await asOwner(() => clean(optionsOf(invocation, 'notice'), { localca }))
        return 0
      },
    }),
  ],
}

function action(name: string, summary: string, act: (options: BootstrapOptions) => Promise<void>): Command {
  return {
    name,
    summary,
    async run(invocation) {
      await asOwner(() => act(optionsOf(invocation, 'notice')))
      return 0
    },
  }
}

function optionsOf({ settings, options, io }: Invocation, least: 'info' | 'notice'): BootstrapOptions {
  const log = consoleLog(io, options.debug ? 'debug' : options.verbose ? 'info' : least)
  return {
    settings: loadSettings({ given: settings, runMode: 'agent' }),
    server: () => loadSettings({ given: settings, runMode: 'server' }),
    system: localSystem,
    puppetVersion,
    log: (level, message) => log[level](message),
    say: (text) => io.out(text),
  }
}
