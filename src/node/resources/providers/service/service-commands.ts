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
/** Seconds for a command that tells the status: a script that takes no such word may run for ever. */
const statusTimeout = 60

/** Actions of a service manager. */
export type Action = 'start' | 'stop' | 'restart' | 'status'

type Command = readonly string[] | undefined
/** The command of one kind of service manager for an action; `undefined` when it has none. */
export type CommandFor = (work: ServiceWork, action: Action) => Command | Promise<Command>

/** The command to run: the resource's own, through the shell, or the manager's. */
async function commandOf(work: ServiceWork, action: Action, standard: CommandFor): Promise<Command> {
  const own = work.resource.get(action)
  return own === undefined ? standard(work, action) : ['/bin/sh', '-c', own]
}

/** True if `hasrestart` or `hasstatus` declares that the script does not support the action. */
export const isUnknown = ({ resource }: ServiceWork, action: Action): boolean =>
  (action === 'restart' && resource.get('hasrestart') !== 'true') ||
  (action === 'status' && resource.get('hasstatus') === 'false')

/** True of a machine that systemd has booted. */
export async function runsSystemd({ system }: Services): Promise<boolean> {
  return ((await system.files.readText('/proc/1/comm')) ?? '').includes('systemd')
}

/** Starts or stops. Throws in Puppet's words. */
export async function act(work: ServiceWork, action: 'start' | 'stop', standard: CommandFor): Promise<void> {
  const command = await commandOf(work, action, standard)
  if (!command) complain(`Services must specify a ${action} command or a binary`)
  await runFor(work, action, command)
}

/** Restarts with a command for that, or by stopping and starting. */
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

/** The status of a service, by command or by a search among the processes. */
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

/** The number of the first process that the pattern of a service is found in; of one only, as in real Puppet. */
export async function processOf({ resource, system }: ServiceWork): Promise<string | undefined> {
  const isMeant = processPattern(resource.get('pattern') ?? resource.name, resource.name)
  const { stdout } = await runProgram(system, ['ps', '-ef'])
  return stdout.split('\n').find(isMeant)?.trim().split(/\s+/)[1]
}

/** Which lines of the process table are the service: those with its pattern, or with its name, which need be none. */
function processPattern(pattern: string, name: string): (line: string) => boolean {
  try {
    const { find } = linearPattern(pattern)
    return (line) => find(line) !== undefined
  } catch (error) {
    if (pattern !== name || !(error instanceof PuppetError)) throw error
    return (line) => line.includes(name)
  }
}
