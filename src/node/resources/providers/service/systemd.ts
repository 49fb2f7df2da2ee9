import { failWithMessage } from '../../issues.ts'
import { defineProvider, type PropertyValues, type ProviderWork, runProviderProgram } from '../../provider.ts'
import { service } from '../../types/service.ts'
import {
  type CommandFor,
  queryServiceStatus,
  restartService,
  runsSystemd,
  type ServiceAttributes,
  type ServiceWork,
  startOrStop,
} from './service-commands.ts'

const words = { start: 'start', stop: 'stop', restart: 'restart', status: 'is-active' } as const

/** The unit file's state in systemd, including values that `enable` does not have: `static`, `indirect` and others. */
interface UnitFile {
  state: string
}
type SystemdWork = ProviderWork<ServiceAttributes, UnitFile>

const getSystemctlCommand: CommandFor = ({ resource }, action) => ['systemctl', words[action], '--', resource.name]

/** The service provider for systemd. */
export const systemd = defineProvider<ServiceAttributes, UnitFile>(service, 'systemd', {
  doc: 'Manages `systemd` services using `systemctl`.',
  suitable: {
    commands: ['systemctl'],
    when: runsSystemd,
  },
  defaultFor: { kernel: ['Linux'] },
  features: ['refreshable', 'enableable', 'maskable'],
  begin: (): UnitFile => ({ state: '' }),

  async read(work): Promise<PropertyValues> {
    const { resource } = work
    const enable = resource.reads('enable') ? await queryEnabledState(work) : undefined
    const ensure = resource.reads('ensure') ? await queryServiceStatus(work, getSystemctlCommand) : undefined
    return { ensure, enable }
  },
  inSync: {
    enable: ({ state }, is, [should]) => isEnabledInSync(state, is, should),
  },
  set: {
    async ensure(work, should: string) {
      if (should === 'running') await start(work)
      else await withJournal(work, 'stop', () => startOrStop(work, 'stop', getSystemctlCommand))
      await syncEnable(work)
    },
    enable: (work, should: string) => setEnable(work, should),
  },
  changeText: {
    ensure: ({ resource }, is) => `ensure changed '${String(is)}' to '${resource.get('ensure')}'`,
  },
  eventNames: {
    ensure: (should) => (should === 'running' ? 'service_started' : 'service_stopped'),
    enable: (should) => (should === 'true' ? 'service_enabled' : 'service_disabled'),
  },
  invalidatesRefreshes: ['running'],
  async refresh(work) {
    if ((await queryServiceStatus(work, getSystemctlCommand)) !== 'running') {
      work.log('debug', 'Skipping restart; service is not running')
      return
    }
    await reloadIfNeeded(work)
    await withJournal(work, 'restart', () => restartService(work, getSystemctlCommand))
  },
  async list({ system }) {
    const { stdout } = await runProviderProgram(
      system,
      'systemctl list-unit-files --type service --full --all --no-pager'.split(' '),
    )
    return stdout.split('\n').flatMap((row) => {
      const [name = '', said = ''] = row.split(/[ \t]+/)
      const state = /^(?:disabled|enabled|masked|indirect|bad|static)\b/.exec(said)?.[0]
      return name === '' || state === undefined ? [] : [{ name, enable: state === 'enabled' ? 'true' : 'false' }]
    })
  },
})

async function queryEnabledState({
  resource,
  system,
  state: unitFile,
}: SystemdWork): Promise<'mask' | 'true' | 'false'> {
  const { stdout, status } = await runProviderProgram(system, ['systemctl', 'is-enabled', '--', resource.name])
  const state = stdout.trim()
  unitFile.state = state
  if (state === 'masked' && resource.get('enable') === 'mask') return 'mask'
  return status === 0 && state !== 'indirect' ? 'true' : 'false'
}

/** True if `enable` is in sync. An indirect unit is never changed, and a static one can only be masked. */
const isEnabledInSync = ({ state }: UnitFile, is: unknown, should: unknown): boolean =>
  state === 'indirect' || (state === 'static' && should !== 'mask') || is === should

async function start(work: ServiceWork): Promise<void> {
  await reloadIfNeeded(work)
  if (!work.resource.has('start'))
    await runProviderProgram(work.system, ['systemctl', 'unmask', '--', work.resource.name])
  await withJournal(work, 'start', () => startOrStop(work, 'start', getSystemctlCommand))
}

/** Reloads systemd before the start of a service whose unit file changed on disk. */
async function reloadIfNeeded({ system, resource }: ServiceWork): Promise<void> {
  const { stdout } = await runProviderProgram(system, [
    'systemctl',
    'show',
    '--property=NeedDaemonReload',
    '--',
    resource.name,
  ])
  if (stdout.trim().endsWith('=yes')) await runProviderProgram(system, ['systemctl', 'daemon-reload'])
}

/** Runs `work`. On failure, the error contains the journal's messages about the service. */
async function withJournal(
  { system, resource }: ServiceWork,
  action: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch {
    const { name } = resource
    const query = `journalctl -n 50 --since`.split(' ')
    const journal = await runProviderProgram(system, [...query, '5 minutes ago', '-u', name, '--no-pager'])
    failWithMessage(`Systemd ${action} for ${name} failed!\njournalctl log for ${name}:\n${journal.output}`)
  }
}

async function setEnable(work: ServiceWork, should: string): Promise<void> {
  const changeEnable = async (action: string) => {
    const { status, output } = await runProviderProgram(work.system, ['systemctl', action, '--', work.resource.name])
    if (status !== 0) failWithMessage(`Could not ${action} ${work.resource.name}: ${output.trim()}`)
  }
  if (should === 'true') {
    await changeEnable('unmask')
    await changeEnable('enable')
  } else if (should === 'mask') {
    const known = await runProviderProgram(work.system, ['systemctl', 'cat', '--', work.resource.name])
    if (known.status === 0) await changeEnable('disable')
    await changeEnable('mask')
  } else await changeEnable('disable')
}

/** Synchronizes `enable` right after a start or stop (Puppet: type/service.rb). */
async function syncEnable(work: SystemdWork): Promise<void> {
  const wanted = work.resource.get('enable')
  if (wanted === undefined) return
  const enable = await queryEnabledState(work)
  if (!isEnabledInSync(work.state, enable, wanted)) await setEnable(work, wanted)
}
