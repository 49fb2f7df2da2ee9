import { PuppetError } from '../../../../base/issue.ts'
import { compileLinearPattern } from '../../../../base/text/linear-pattern.ts'
import { failWithMessage } from '../../issues.ts'
import { noUserVariables, type ProviderServices, type ProviderWork, runProviderProgram } from '../../provider.ts'
import { redacted } from '../../secrets.ts'
import type { service } from '../../types/service.ts'

/** Attributes of the type `service`. */
export type ServiceAttributes = (typeof service)['attributes']
/** The argument of a service provider's functions: one service. */
export type ServiceWork = ProviderWork<ServiceAttributes>
/** Timeout in seconds for status commands; a script without a `status` action could run forever. */
const statusTimeout = 60

/** Actions of a service manager. */
export type Action = 'start' | 'stop' | 'restart' | 'status'

type Command = readonly string[] | undefined
/** Returns the service manager's command for an action; undefined if there is none. */
export type CommandFor = (work: ServiceWork, action: Action) => Command | Promise<Command>

/** The command to run: the resource's own, executed by a shell, or the service manager's. */
async function resolveCommand(work: ServiceWork, action: Action, standard: CommandFor): Promise<Command> {
  const own = work.resource.get(action)
  return own === undefined ? standard(work, action) : ['/bin/sh', '-c', own]
}

/** True if `hasrestart` or `hasstatus` declares that the script does not support the action. */
export const isUnsupportedAction = ({ resource }: ServiceWork, action: Action): boolean =>
  (action === 'restart' && resource.get('hasrestart') !== 'true') ||
  (action === 'status' && resource.get('hasstatus') === 'false')

/** True if the machine was booted with systemd. */
export async function runsSystemd({ system }: ProviderServices): Promise<boolean> {
  return ((await system.files.readText('/proc/1/comm')) ?? '').includes('systemd')
}

/** Starts or stops a service. Throws Puppet's error on failure. */
export async function startOrStop(work: ServiceWork, action: 'start' | 'stop', standard: CommandFor): Promise<void> {
  const command = await resolveCommand(work, action, standard)
  if (!command) failWithMessage(`Services must specify a ${action} command or a binary`)
  await runAction(work, action, command)
}

/** Restarts a service with its restart command, or by a stop and a start. */
export async function restartService(
  work: ServiceWork,
  standard: CommandFor,
  { start, stop }: { start?(work: ServiceWork): Promise<void>; stop?(work: ServiceWork): Promise<void> } = {},
): Promise<void> {
  const command = await resolveCommand(work, 'restart', standard)
  if (command) return runAction(work, 'restart', command)
  await (stop?.(work) ?? startOrStop(work, 'stop', standard))
  await (start?.(work) ?? startOrStop(work, 'start', standard))
}

async function runAction({ system, resource }: ServiceWork, action: Action, command: readonly string[]): Promise<void> {
  const { status, output } = await system.commands.run(command, { env: noUserVariables })
  if (status === 0) return
  const [program = '', ...words] = command
  const path = (await system.commands.find(program)) ?? program
  const line = resource.hasSecrets ? redacted : program === '/bin/sh' ? command[2] : [path, ...words].join(' ')
  failWithMessage(
    `Could not ${action} ${resource.reference}: Execution of '${line}' returned ${status}: ${output.trim()}`,
  )
}

/** The status of a service, from a command or the process table. */
export async function queryServiceStatus(work: ServiceWork, standard: CommandFor): Promise<'running' | 'stopped'> {
  const { resource, system } = work
  const command = await resolveCommand(work, 'status', standard)
  if (command) {
    const result = await system.commands
      .run(command, { timeout: statusTimeout, env: noUserVariables })
      .catch(() => undefined)
    if (result?.timedOut) failWithMessage(`The status of ${resource.name} is not known after ${statusTimeout} seconds`)
    return result?.status === 0 ? 'running' : 'stopped'
  }
  return (await findProcess(work)) === undefined ? 'stopped' : 'running'
}

/** The process ID of the first process that matches the service's pattern; as in Puppet, only one. */
export async function findProcess({ resource, system }: ServiceWork): Promise<string | undefined> {
  const isMeant = createProcessPattern(resource.get('pattern') ?? resource.name, resource.name)
  const { stdout } = await runProviderProgram(system, ['ps', '-ef'])
  return stdout.split('\n').find(isMeant)?.trim().split(/\s+/)[1]
}

/** Matches lines of the process table by the service's pattern, or by its name, which need not be a valid pattern. */
function createProcessPattern(pattern: string, name: string): (line: string) => boolean {
  try {
    const { find } = compileLinearPattern(pattern)
    return (line) => find(line) !== undefined
  } catch (error) {
    if (pattern !== name || !(error instanceof PuppetError)) throw error
    return (line) => line.includes(name)
  }
}
