import { keepHeapsSmall } from '../base/small-heaps.ts'
import { type CodeServer, startCodeServer } from '../server/code-server.ts'
import { serverLog } from '../server/logger.ts'
import { loadSettings } from '../settings/settings.ts'
import { localSystem } from '../system/local-system.ts'
import { ProgramStarter } from '../system/program-starter.ts'
import { nothingServed } from './code-status.ts'
import { defineCommand } from './command.ts'
import { whenToldToEnd } from './told-to-end.ts'
import { version } from './version.ts'

/** `plumb server` */
export const server = defineCommand({
  name: 'server',
  summary: 'Runs the code server: environments from a Git repository, catalogs, files, certificates.',
  description: `Stays in the foreground and prints one line when it answers. Logs go to standard error, or to the file that
--logdest names. The first start makes a certificate authority and a certificate for this host.

  plumb server --repo /srv/code.git
  plumb server                        # the folders of environmentpath, or the setting code_repo
  plumb server --code_sources /etc/puppetlabs/r10k/r10k.yaml   # repositories elsewhere, fetched on an interval

SIGTERM and SIGINT end it when the requests under way are answered; SIGHUP reads auth.conf and certificates again;
SIGUSR2 opens the log file anew, after logrotate has moved it.
The exit status is 0 when it was told to end, and 1 when it could not start.`,
  options: [{ flags: '--repo <path>', doc: 'The bare Git repository to serve, as the setting code_repo.' }],
  async run({ options, settings: settingsGiven, io }) {
    const given = options.repo !== undefined ? { ...settingsGiven, code_repo: options.repo } : settingsGiven
    const settings = loadSettings({ given, runMode: 'server' })
    keepHeapsSmall()
    const told = new Promise<void>((done) => whenToldToEnd(() => done()))
    const { log, reopen } = serverLog(settings)
    // Node ends the process with its stack on standard error, and status 1: no state can be trusted after that. The log says it, too.
    process.on('uncaughtExceptionMonitor', (error, origin) => log.fatal({ err: error }, `ended by an ${origin}`))
    const progress = (message: string) => io.err(`${message}\n`)
    let running: CodeServer | undefined
    process.on('SIGUSR2', () => {
      reopen()
      log.info('the log was opened anew')
    })
    // Listened for even before the start is over: without a listener SIGHUP ends the process.
    process.on('SIGHUP', () => {
      running?.reload().then(
        () => log.info('reloaded'),
        (error: unknown) => log.error({ err: error }, 'could not reload; all stays as it was'),
      )
    })
    const commands = new ProgramStarter()
    running = await startCodeServer({ settings, system: { ...localSystem, commands }, log, version, progress })
    const { environments } = running
    const count = (await environments.list()).length
    const from = settings.code_repo === '' ? settings.environmentpath.join(':') : settings.code_repo
    const noun = count === 1 ? 'environment' : 'environments'
    io.out(`Plumbline ${version} serving ${count} ${noun} from ${from} on ${running.url}\n`)
    if (count === 0 && environments.trouble === undefined && (await environments.status()).length === 0)
      progress(nothingServed(settings.code_repo || undefined, settings))
    await told
    await running.close()
    commands.close()
    await new Promise<void>((done) => log.flush(() => done()))
    return 0
  },
})
