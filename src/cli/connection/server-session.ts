import { puppetVersion } from '../../base/puppet-version.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { Session } from '../../network/client/session.ts'
import { asOwner } from '../../node/agent/as-owner.ts'
import { consoleLog } from '../../node/agent/log.ts'
import { conversation, ensureClientCertificate } from '../../node/agent/ssl/bootstrap.ts'
import type { Invocation, Io } from '../command/command.ts'
import { requireCertificate } from './own-certificate.ts'

/** The log of a command on the terminal. */
export function commandLog(io: Io, { debug, verbose }: Invocation['options']) {
  return consoleLog(io, debug ? 'debug' : verbose ? 'info' : 'notice')
}

/** Calls `work` with a session to the server. Throws NO_CERTIFICATE instead of waiting for a certificate to be signed. */
export function withServer<Result>(
  settings: Settings,
  { io, options: asked }: Pick<Invocation, 'io' | 'options'>,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const log = commandLog(io, asked)
  const options = {
    settings,
    system: localSystem,
    puppetVersion,
    onetime: true,
    log: (level: keyof Omit<typeof log, 'write'>, message: string) => log[level](message),
    say: (text: string) => io.out(`${text}\n`),
  }
  return asOwner(async () => {
    await requireCertificate(settings)
    const { tls } = await ensureClientCertificate(options)
    return conversation(options, tls, work)
  })
}
