import { puppetVersion } from '../../base/puppet-version.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { Session } from '../../network/client/session.ts'
import { withFileAccess } from '../../node/agent/file-access.ts'
import { createConsoleLog } from '../../node/agent/log.ts'
import { type BootstrapOptions, ensureClientCertificate, withSession } from '../../node/agent/ssl/bootstrap.ts'
import type { CommandInvocation, Io } from '../command/command.ts'
import { checkHostCertificate } from './host-certificate.ts'

/** The log of a command on the terminal. */
export function createCommandLog(io: Io, { debug, verbose }: CommandInvocation['options']) {
  return createConsoleLog(io, debug ? 'debug' : verbose ? 'info' : 'notice')
}

/** Options of a session of a command, which does not wait for a certificate. `say` prints a message to the user. */
export function createSessionOptions(
  settings: Settings,
  { io, options }: Pick<CommandInvocation, 'io' | 'options'>,
  say: (text: string) => void,
): BootstrapOptions {
  const log = createCommandLog(io, options)
  return {
    ...{ settings, puppetVersion, say },
    system: localSystem,
    onetime: true,
    log: (level, message) => log[level](message),
  }
}

/** Calls `work` with a session to the server. Throws NO_CERTIFICATE instead of waiting for a certificate to be signed. */
export function withServerSession<Result>(
  settings: Settings,
  { io, options: asked }: Pick<CommandInvocation, 'io' | 'options'>,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const options = createSessionOptions(settings, { io, options: asked }, (text) => io.out(`${text}\n`))
  return withFileAccess(async () => {
    await checkHostCertificate(settings)
    const { tls } = await ensureClientCertificate(options)
    return withSession(options, tls, work)
  })
}
