import { readFileSync } from 'node:fs'
import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { Session } from '../../network/client/session.ts'
import { ensureAuthorities, ensureClientCertificate, withSession } from '../../node/agent/ssl/bootstrap.ts'
import type { CommandInvocation } from '../command/command.ts'
import type { Option } from '../command/options.ts'
import { checkHostCertificate } from './host-certificate.ts'
import { createCommandLog } from './server-session.ts'

const issues = defineIssues({
  TOKEN_UNREADABLE: { text: (a: { file: string; why: string }) => `Could not read the token ${a.file}: ${a.why}` },
})

/** Options of commands that may authenticate with a token. */
export const tokenOptions = [
  {
    flags: '--token-file <file>',
    doc: 'File with an access token for the server. Without a token, the certificate of this host is used.',
  },
] as const satisfies readonly Option[]

/**
 * Calls `work` with a session to the server, and with the token, which each request must contain; without a token, the
 * session uses the certificate of this host. Throws TOKEN_UNREADABLE.
 */
export async function withTokenSession<Result>(
  { options: asked, settings: given, io }: Pick<CommandInvocation<typeof tokenOptions>, 'options' | 'settings' | 'io'>,
  work: (session: Session, token: string | undefined) => Promise<Result>,
): Promise<Result> {
  const log = createCommandLog(io, asked)
  const token = asked.tokenFile === undefined ? undefined : readTokenFile(asked.tokenFile)
  const settings = loadSettings({ given, runMode: 'agent' })
  if (token === undefined) await checkHostCertificate(settings)
  const options = {
    settings,
    system: localSystem,
    puppetVersion,
    onetime: true,
    log: (level: keyof Omit<typeof log, 'write'>, message: string) => log[level](message),
    say: (text: string) => io.err(`${text}\n`),
  }
  const { tls } = await (token === undefined ? ensureClientCertificate(options) : ensureAuthorities(options))
  return withSession(options, tls, (session) => work(session, token))
}

/** Reads a token from a file. Throws TOKEN_UNREADABLE. */
function readTokenFile(file: string): string {
  try {
    const token = readFileSync(file, 'utf8').trim()
    return /^[\x21-\x7e]{1,4096}$/.test(token)
      ? token
      : throwIssue(issues.TOKEN_UNREADABLE, { file, why: 'it does not contain a token' })
  } catch (error) {
    if (error instanceof PuppetError) throw error
    return throwIssue(issues.TOKEN_UNREADABLE, { file, why: formatErrorReason(error) })
  }
}
