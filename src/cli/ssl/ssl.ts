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
  description: `Gets, checks and removes the certificate with which this host speaks to its server.

  plumb ssl bootstrap --server code.example.com --waitforcert 30s
  plumb ssl verify

The exit status is 0, or 1 with what went wrong.`,
  commands: [
    {
      name: 'bootstrap',
      summary: 'Does all that is needed to get a certificate, and waits for it every waitforcert seconds.',
      async run(invocation) {
        const options = optionsOf(invocation, 'info')
        await asOwner(() => ensureClientCertificate(options))
        options.log('notice', 'Completed SSL initialization')
        return 0
      },
    },
    action('submit_request', 'Makes a request, with a new key if there is none, and submits it.', submitRequest),
    action('generate_request', 'Makes a request, with a new key if there is none, and keeps it.', generateRequest),
    action('download_cert', 'Fetches the certificate, once it is signed.', downloadCertificate),
    action('renew_cert', 'Has the server renew the certificate, of the same key.', renewCertificate),
    action('verify', 'Checks that key and certificate match, who issued it, and whether it is revoked.', verify),
    action('show', "Prints this host's certificate.", show),
    defineCommand({
      name: 'clean',
      summary: "Removes this host's key, certificate and request.",
      options: [{ flags: '--localca', doc: "Remove the authority's certificate and revocation list too." }],
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
