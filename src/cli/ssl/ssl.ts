import { defineIssues, throwIssue } from '../../base/issue.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { parseSeconds } from '../../machine/settings/kinds.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { withFileAccess } from '../../node/agent/file-access.ts'
import { createConsoleLog } from '../../node/agent/log.ts'
import {
  cleanCertificate,
  downloadCertificate,
  generateRequest,
  renewCertificate,
  showCertificate,
  submitRequest,
  verifyCertificate,
} from '../../node/agent/ssl/actions.ts'
import { type BootstrapOptions, ensureClientCertificate } from '../../node/agent/ssl/bootstrap.ts'
import { type CliCommand, type CommandInvocation, defineCommand } from '../command/command.ts'

const issues = defineIssues({
  BAD_DURATION: {
    text: (a: { text: string }) => `Invalid duration format: ${a.text}`,
    hint: () => 'Give a number with a unit: `90s`, `30m`, `12h`, `30d` or `1y`.',
  },
})

/** The command `plumb ssl`. */
export const sslCommand: CliCommand = {
  name: 'ssl',
  summary: "Manage this host's keys and certificates.",
  description: `Requests, verifies and removes the certificate with which this host authenticates to its server.

  plumb ssl bootstrap --server code.example.com --waitforcert 30s
  plumb ssl verify

Exits with 0, or with 1 for an error.`,
  commands: [
    {
      name: 'bootstrap',
      summary: 'Request a certificate, and check at the interval waitforcert whether the CA has signed it.',
      async run(invocation) {
        const options = buildBootstrapOptions(invocation, 'info')
        await withFileAccess(() => ensureClientCertificate(options))
        options.log('notice', 'Completed SSL initialization')
        return 0
      },
    },
    defineAction(
      'submit_request',
      'Generate a certificate request (and a key if none exists), and submit the request.',
      submitRequest,
    ),
    defineAction(
      'generate_request',
      'Generate a certificate request (and a key if none exists), and save the request.',
      generateRequest,
    ),
    defineAction('download_cert', 'Download the signed certificate.', downloadCertificate),
    defineCommand({
      name: 'renew_cert',
      summary: 'Renew the certificate with the same key.',
      description:
        'Exits with 0 if the certificate is renewed. With --if-expiring-in, also if it is valid for longer and therefore kept.',
      options: [
        {
          flags: '--if-expiring-in <duration>',
          doc: 'Renew the certificate only if it expires within this duration, such as `12h` or `30d`.',
        },
      ],
      async run(invocation) {
        const ifExpiringIn = parseExpiry(invocation.options.ifExpiringIn)
        await withFileAccess(() => renewCertificate(buildBootstrapOptions(invocation, 'notice'), { ifExpiringIn }))
        return 0
      },
    }),
    defineAction(
      'verify',
      'Verify that key and certificate match, and that the certificate is trusted and not revoked.',
      verifyCertificate,
    ),
    defineAction('show', "Print this host's certificate.", showCertificate),
    defineCommand({
      name: 'clean',
      summary: "Remove this host's key, certificate and request.",
      options: [{ flags: '--localca', doc: 'Also remove the CA certificates and revocation lists.' }],
      async run(invocation) {
        const localca = invocation.options.localca === true
        await withFileAccess(() => cleanCertificate(buildBootstrapOptions(invocation, 'notice'), { localca }))
        return 0
      },
    }),
  ],
}

/** Converts an option's duration to seconds. Throws BAD_DURATION. */
function parseExpiry(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (parseSeconds(text) ?? throwIssue(issues.BAD_DURATION, { text }))
}

function defineAction(name: string, summary: string, act: (options: BootstrapOptions) => Promise<void>): CliCommand {
  return {
    name,
    summary,
    async run(invocation) {
      await withFileAccess(() => act(buildBootstrapOptions(invocation, 'notice')))
      return 0
    },
  }
}

function buildBootstrapOptions(
  { settings, options, io }: CommandInvocation,
  least: 'info' | 'notice',
): BootstrapOptions {
  const log = createConsoleLog(io, options.debug ? 'debug' : options.verbose ? 'info' : least)
  return {
    settings: loadSettings({ given: settings, runMode: 'agent' }),
    server: () => loadSettings({ given: settings, runMode: 'server' }),
    system: localSystem,
    puppetVersion,
    log: (level, message) => log[level](message),
    say: (text) => io.out(text),
  }
}
