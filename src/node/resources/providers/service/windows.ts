import { planCommandLine } from '../../command-line.ts'
import { failWithMessage } from '../../issues.ts'
import { defineProvider, type PropertyValues } from '../../provider.ts'
import { redacted } from '../../secrets.ts'
import { service } from '../../types/service.ts'
import { runPowerShell } from '../windows/power-shell.ts'
import type { ServiceAttributes, ServiceWork } from './service-commands.ts'
import { isSameAccount, normalizeLogonAccount } from './windows-account.ts'
import {
  changeServiceState,
  listServiceStates,
  queryServiceConfiguration,
  queryServiceState,
  runServiceControl,
  type Transition,
} from './windows-control.ts'

/** Seconds to wait for a change of state. */
const usualTimeout = 30

const enableValues: Readonly<Record<string, string>> = {
  SERVICE_AUTO_START: 'true',
  SERVICE_BOOT_START: 'true',
  SERVICE_SYSTEM_START: 'true',
  SERVICE_DEMAND_START: 'manual',
  SERVICE_DELAYED_AUTO_START: 'delayed',
  SERVICE_DISABLED: 'false',
}

/** For each value of `enable`: the start type of `sc.exe config`, and the action in the error message. */
const startTypes: Readonly<Record<string, readonly [type: string, action: string]>> = {
  true: ['auto', 'enable'],
  false: ['disabled', 'disable'],
  manual: ['demand', 'enable'],
  delayed: ['delayed-auto', 'enable'],
}

const suffixes: Readonly<Record<string, string>> = { manual: ' for manual start', delayed: ' for delayed start' }

const events: Readonly<Record<string, string>> = {
  true: 'service_enabled',
  manual: 'service_manual_start',
  delayed: 'service_delayed_start',
}

const failedSignal = (signal: string) => (state: string) =>
  `Failed to send the ${signal} signal to the service. Its current state is ${state}. Reason for failure:`

const start: Transition = {
  from: ['SERVICE_STOP_PENDING', 'SERVICE_STOPPED', 'SERVICE_START_PENDING'],
  to: 'SERVICE_RUNNING',
  command: 'start',
  failure: () => 'Failed to start the service',
}
const resume: Transition = {
  from: ['SERVICE_PAUSE_PENDING', 'SERVICE_PAUSED', 'SERVICE_CONTINUE_PENDING'],
  to: 'SERVICE_RUNNING',
  command: 'continue',
  failure: failedSignal('SERVICE_CONTROL_CONTINUE'),
}
const stop: Transition = {
  from: [
    'SERVICE_CONTINUE_PENDING',
    'SERVICE_PAUSE_PENDING',
    'SERVICE_PAUSED',
    'SERVICE_RUNNING',
    'SERVICE_START_PENDING',
    'SERVICE_STOP_PENDING',
  ],
  to: 'SERVICE_STOPPED',
  command: 'stop',
  failure: failedSignal('SERVICE_CONTROL_STOP'),
}

/** The service provider for the Service Control Manager of Windows, by `sc.exe`. */
export const windows = defineProvider<ServiceAttributes>(service, 'windows', {
  doc: 'Support for Windows Service Control Manager (SCM).',
  suitable: { facts: { kernel: ['windows'] } },
  defaultFor: { kernel: ['windows'] },
  features: [
    'refreshable',
    'enableable',
    'delayed_startable',
    'manual_startable',
    'configurable_timeout',
    'manages_logon_credentials',
  ],
  async read(work): Promise<PropertyValues> {
    const { resource } = work
    const enable = resource.reads('enable') ? await readEnable(work) : undefined
    const ensure = resource.reads('ensure') ? await readStatus(work) : undefined
    return { ensure, enable, logonaccount: resource.reads('logonaccount') ? await readAccount(work) : undefined }
  },
  inSync: {
    logonaccount: async (work, is) => {
      if (!isSameAccount(getLogonAccount(work), is)) return false
      const password = work.resource.get('logonpassword')
      if (!work.noop && password !== undefined && password !== '') await setLogon(work)
      return true
    },
  },
  set: {
    async ensure(work, should: string) {
      const { resource } = work
      if (resource.has('logonaccount') && !isSameAccount(getLogonAccount(work), await readAccount(work)))
        await setLogonAccount(work)
      if (should === 'running') await startService(work)
      else await changeState(work, stop)
      // After a start or stop, `enable` is synchronized at once.
      const wanted = resource.get('enable')
      if (wanted !== undefined && (await readEnable(work)) !== wanted) await setEnable(work, wanted)
    },
    enable: setEnable,
    logonaccount: setLogonAccount,
  },
  changeText: { ensure: ({ resource }, is) => `ensure changed '${String(is)}' to '${resource.get('ensure')}'` },
  invalidatesRefreshes: ['running'],
  eventNames: {
    ensure: (should) => (should === 'running' ? 'service_started' : 'service_stopped'),
    enable: (should) => events[String(should)] ?? 'service_disabled',
  },
  async refresh(work) {
    if ((await readStatus(work)) === 'running') await restart(work)
    else work.log('debug', 'Skipping restart; service is not running')
  },
  async list({ system }) {
    const found: (PropertyValues & { readonly name: string })[] = []
    for (const { name, state } of await listServiceStates(system)) {
      const { startType, account } = await queryServiceConfiguration(system, name)
      found.push({ name, ensure: toEnsure(state), enable: enableValues[startType], logonaccount: account })
    }
    return found
  },
})

function toEnsure(state: string): 'running' | 'stopped' | 'paused' {
  if (state === 'SERVICE_PAUSED' || state === 'SERVICE_PAUSE_PENDING') return 'paused'
  return state === 'SERVICE_STOPPED' || state === 'SERVICE_STOP_PENDING' ? 'stopped' : 'running'
}

/** The status; a service that cannot be queried counts as stopped, as in Puppet. */
async function readStatus({ system, resource, log }: ServiceWork): Promise<string> {
  try {
    const found = await queryServiceState(system, resource.name)
    if (!found) return 'stopped'
    log('debug', `Service ${resource.name} is ${found.state}`, 'provider')
    return toEnsure(found.state)
  } catch (error) {
    log('warning', `Status for service ${resource.name} could not be retrieved: ${getMessage(error)}`, '')
    return 'stopped'
  }
}

async function readEnable({ system, resource, log }: ServiceWork): Promise<string | undefined> {
  const { name } = resource
  try {
    if (!(await queryServiceState(system, name))) return 'false'
    const { startType } = await queryServiceConfiguration(system, name)
    log('debug', `Service ${name} start type is ${startType}`, 'provider')
    return enableValues[startType]
  } catch (error) {
    return failWithMessage(`Cannot get start type ${name}, error was: ${getMessage(error)}`)
  }
}

async function readAccount({ system, resource }: ServiceWork): Promise<string | undefined> {
  if (!(await queryServiceState(system, resource.name))) return undefined
  return (await queryServiceConfiguration(system, resource.name)).account
}

async function setEnable({ system, resource }: ServiceWork, should: string): Promise<void> {
  const [type = '', action = ''] = startTypes[should] ?? []
  try {
    const words = ['config', resource.name, 'start=', type]
    await runServiceControl(system, 'Failed to update service configuration', words)
  } catch (error) {
    const what = `${resource.name}${suffixes[should] ?? ''}`
    failWithMessage(`Cannot ${action} ${what}, error was: ${getMessage(error)}`)
  }
}

function changeState({ system, resource }: ServiceWork, transition: Transition): Promise<void> {
  return changeServiceState(system, resource.name, transition, resource.get('timeout') ?? usualTimeout)
}

async function startService(work: ServiceWork): Promise<void> {
  const { resource } = work
  if ((await readStatus(work)) === 'paused') return changeState(work, resume)
  if ((await readEnable(work)) === 'false') {
    const wanted = resource.get('enable')
    if (wanted === undefined)
      failWithMessage(
        `Will not start disabled service ${resource.name} without managing enable. Specify 'enable => false' to override.`,
      )
    // A service with `enable => false` is disabled again after the start.
    await setEnable(work, wanted === 'true' ? 'true' : 'manual')
  }
  await changeState(work, start)
}

/** As in Puppet, only `restart` can be a command of the resource; `start`, `stop` and `status` are ignored. */
async function restart(work: ServiceWork): Promise<void> {
  if (work.resource.has('restart')) return runRestartCommand(work)
  await changeState(work, stop)
  await startService(work)
}

const getLogonAccount = ({ resource, facts }: ServiceWork): string =>
  normalizeLogonAccount(resource.get('logonaccount') ?? '', facts)

/** Runs the command of the resource, without a shell. Puppet takes a command with spaces for the path of a program. */
async function runRestartCommand({ system, resource }: ServiceWork): Promise<void> {
  const line = resource.get('restart')!
  const { words, ...options } = await planCommandLine(system, line, true)
  const { status, output } = await system.commands.run(words, { ...options, merged: true })
  if (status === 0) return
  const shown = resource.hasSecrets ? redacted : line
  failWithMessage(
    `Could not restart ${resource.reference}: Execution of '${shown}' returned ${status}: ${resource.withoutSecrets(output.trim())}`,
  )
}

async function setLogonAccount(work: ServiceWork): Promise<void> {
  await setLogon(work)
  if (work.resource.get('ensure') === 'running' && (await readStatus(work)) !== 'stopped') await restart(work)
}

const changeLogon = `
  $name = $v.name.Replace('\\', '\\\\').Replace("'", "\\'");
  $service = Get-CimInstance Win32_Service -Filter "Name='$name'";
  if (!$service) { throw 'the service does not exist' };
  $values = @{ StartName = $v.account; StartPassword = $v.password };
  $result = Invoke-CimMethod -InputObject $service -MethodName Change -Arguments $values;
  if ($result.ReturnValue -ne 0) { throw "Win32_Service.Change returned $($result.ReturnValue)" }
`
  .trim()
  .replaceAll(/\n\s*/g, ' ')

/** Sets account and password by PowerShell: the command line of `sc.exe` would show the password. */
async function setLogon(work: ServiceWork): Promise<void> {
  const { system, resource } = work
  const values = { name: resource.name, account: getLogonAccount(work), password: resource.get('logonpassword') ?? '' }
  await runPowerShell(system, `change the logon of service ${resource.name}`, changeLogon, values)
}

const getMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))
