import { PuppetError } from '../../../../base/issue.ts'
import { linearPattern } from '../../../../base/text/linear-pattern.ts'
import { complain } from '../../issues.ts'
import { nobodys, runProgram, type Services, type Work } from '../../provider.ts'
import { redacted } from '../../secrets.ts'
import type { service } from '../../types/service.ts'

/** Attributes of the type `service`. */
export type ServiceAttributes = (typeof service)['attributes']
/** Work on one service. */
export type ServiceWork = Work<ServiceAttributes>
/** Timeout in seconds for status commands; a script without a `status` action could run forever. */
const statusTimeout = 60

/** Actions of a service manager. */
export type Action = 'start' | 'stop' | 'restart' | 'status'

type Command = readonly string[] | undefined
/** Returns the service manager's command for an action; undefined if there is none. */
export type CommandFor = (work: ServiceWork, action: Action) => Command | Promise<Command>

/** The command to run: the resource's own, executed by a shell, or the service manager's. */
async function commandOf(work: ServiceWork, action: Action, standard: CommandFor): Promise<Command> {
  const own = work.resource.get(action)
  return own === undefined ? standard(work, action) : ['/bin/sh', '-c', own]
}

/** True if `hasrestart` or `hasstatus` declares that the script does not support the action. */
export const isUnknown = ({ resource }: ServiceWork, action: Action): boolean =>
  (action === 'restart' && resource.get('hasrestart') !== 'true') ||
  (action === 'status' && resource.get('hasstatus') === 'false')

/** True if the machine was booted with systemd. */
export async function runsSystemd({ system }: Services): Promise<boolean> {
  return ((await system.files.readText('/proc/1/comm')) ?? '').includes('systemd')
}

/** Starts or stops a service. Throws Puppet's error on failure. */
export async function act(work: ServiceWork, action: 'start' | 'stop', standard: CommandFor): Promise<void> {
  const command = await commandOf(work, action, standard)
  if (!command) complain(`Services must specify a ${action} command or a binary`)
  await runFor(work, action, command)
}

/** Restarts a service with its restart command, or by a stop and a start. */
export async function restart(
  work: ServiceWork,
  standard: CommandFor,
  { start, stop }: { start?(work: ServiceWork): Promise<void>; stop?(work: ServiceWork): Promise<void> } = {},
): Promise<void> {
  const command = await commandOf(work, 'restart', standard)
  if (command) return runFor(work, 'restart', command)
  await (stop?.(work) ?? act(work, 'stop', standard))
  await (start?.(work) ?? act(work, 'start', standard))
}

async function runFor({ system, resource }: ServiceWork, action: Action, command: readonly string[]): Promise<void> {
  const { status, output } = await system.commands.run(command, { env: nobodys })
  if (status === 0) return
  const [program = '', ...words] = command
  const path = (await system.commands.find(program)) ?? program
  const line = resource.hasSecrets ? redacted : program === '/bin/sh' ? command[2] : [path, ...words].join(' ')
  complain(`Could not ${action} ${resource.reference}: Execution of '${line}' returned ${status}: ${output.trim()}`)
}

/** The status of a service, from a command or the process table. */
export async function statusOf(work: ServiceWork, standard: CommandFor): Promise<'running' | 'stopped'> {
  const { resource, system } = work
  const command = await commandOf(work, 'status', standard)
  if (command) {
    const result = await system.commands.run(command, { timeout: statusTimeout, env: nobodys }).catch(() => undefined)
    if (result?.timedOut) complain(`The status of ${resource.name} is not known after ${statusTimeout} seconds`)
    return result?.status === 0 ? 'running' : 'stopped'
  }
  return (await processOf(work)) === undefined ? 'stopped' : 'running'
}

/** The process ID of the first process that matches the service's pattern; as in Puppet, only one. */
export async function processOf({ resource, system }: ServiceWork): Promise<string | undefined> {
  const isMeant = processPattern(resource.get('pattern') ?? resource.name, resource.name)
  const { stdout } = await runProgram(system, ['ps', '-ef'])
  return stdout.split('\n').find(isMeant)?.trim().split(/\s+/)[1]
}

/** Matches lines of the process table by the service's pattern, or by its name, which need not be a valid pattern. */
function processPattern(pattern: string, name: string): (line: string) => boolean {
  try {
    const { find } = linearPattern(pattern)
    return (line) => find(line) !== undefined
  } catch (error) {
    if (pattern !== name || !(error instanceof PuppetError)) throw error
    return (line) => line.includes(name)
  }
}
