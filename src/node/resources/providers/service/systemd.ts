import { complain } from '../../issues.ts'
import { defineProvider, runProgram, type Seen, type Work } from '../../provider.ts'
import { service } from '../../types/service.ts'
import {
  act,
  type CommandFor,
  restart,
  runsSystemd,
  type ServiceAttributes,
  type ServiceWork,
  statusOf,
} from './service-commands.ts'

const words = { start: 'start', stop: 'stop', restart: 'restart', status: 'is-active' } as const

/** The unit file's state in systemd, including values that `enable` does not have: `static`, `indirect` and others. */
interface UnitFile {
  state: string
}
type SystemdWork = Work<ServiceAttributes, UnitFile>

const systemctl: CommandFor = ({ resource }, action) => ['systemctl', words[action], '--', resource.name]

/** systemd services. */
export const systemd = defineProvider<ServiceAttributes, UnitFile>(service, 'systemd', {
  doc: 'Manages `systemd` services using `systemctl`.',
  suitable: {
    commands: ['systemctl'],
    when: runsSystemd,
  },
  defaultFor: { kernel: ['Linux'] },
  features: ['refreshable', 'enableable', 'maskable'],
  begin: (): UnitFile => ({ state: '' }),

  async read(work): Promise<Seen> {
    const { resource } = work
    const enable = resource.reads('enable') ? await enabledState(work) : undefined
    const ensure = resource.reads('ensure') ? await statusOf(work, systemctl) : undefined
    return { ensure, enable }
  },
  inSync: {
    enable: ({ state }, is, [should]) => isEnabledInSync(state, is, should),
  },
  set: {
    async ensure(work, should: string) {
      if (should === 'running') await start(work)
      else await journaled(work, 'stop', () => act(work, 'stop', systemctl))
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
    if ((await statusOf(work, systemctl)) !== 'running') {
      work.log('debug', 'Skipping restart; service is not running')
      return
    }
    await reloadIfNeeded(work)
    await journaled(work, 'restart', () => restart(work, systemctl))
  },
  async list({ system }) {
    const { stdout } = await runProgram(
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

async function enabledState({ resource, system, state: unitFile }: SystemdWork): Promise<'mask' | 'true' | 'false'> {
  const { stdout, status } = await runProgram(system, ['systemctl', 'is-enabled', '--', resource.name])
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
  if (!work.resource.has('start')) await runProgram(work.system, ['systemctl', 'unmask', '--', work.resource.name])
  await journaled(work, 'start', () => act(work, 'start', systemctl))
}

/** Reloads systemd before the start of a service whose unit file changed on disk. */
async function reloadIfNeeded({ system, resource }: ServiceWork): Promise<void> {
  const { stdout } = await runProgram(system, ['systemctl', 'show', '--property=NeedDaemonReload', '--', resource.name])
  if (stdout.trim().endsWith('=yes')) await runProgram(system, ['systemctl', 'daemon-reload'])
}

/** Runs `work`. On failure, the error contains the journal's messages about the service. */
async function journaled({ system, resource }: ServiceWork, action: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch {
    const { name } = resource
    const query = `journalctl -n 50 --since`.split(' ')
    const journal = await runProgram(system, [...query, '5 minutes ago', '-u', name, '--no-pager'])
    complain(`Systemd ${action} for ${name} failed!\njournalctl log for ${name}:\n${journal.output}`)
  }
}

async function setEnable(work: ServiceWork, should: string): Promise<void> {
  const change = async (action: string) => {
    const { status, output } = await runProgram(work.system, ['systemctl', action, '--', work.resource.name])
    if (status !== 0) complain(`Could not ${action} ${work.resource.name}: ${output.trim()}`)
  }
  if (should === 'true') {
    await change('unmask')
    await change('enable')
  } else if (should === 'mask') {
    const known = await runProgram(work.system, ['systemctl', 'cat', '--', work.resource.name])
    if (known.status === 0) await change('disable')
    await change('mask')
  } else await change('disable')
}

/** Synchronizes `enable` right after a start or stop (Puppet: type/service.rb). */
async function syncEnable(work: SystemdWork): Promise<void> {
  const wanted = work.resource.get('enable')
  if (wanted === undefined) return
  const enable = await enabledState(work)
  if (!isEnabledInSync(work.state, enable, wanted)) await setEnable(work, wanted)
}
