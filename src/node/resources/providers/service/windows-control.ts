import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandResult, System } from '../../../../machine/system/system.ts'
import { getSystemProgram } from '../../../../machine/windows/system-programs.ts'
import { failWithMessage } from '../../issues.ts'
import { runProviderProgram } from '../../provider.ts'

/** State of a service, from `sc.exe queryex`. */
export interface ServiceState {
  readonly name: string
  /** Name of the state in the Windows API, such as `SERVICE_RUNNING`. */
  readonly state: string
  readonly checkpoint: number
  /** Seconds that the service announces for its current change. */
  readonly waitSeconds: number
}

/** Configuration of a service, from `sc.exe qc`. */
export interface ServiceConfiguration {
  /** Name of the start type in the Windows API, such as `SERVICE_AUTO_START`. */
  readonly startType: string
  readonly account: string
}

const noSuchService = 1060

const states: Readonly<Record<string, string>> = {
  1: 'SERVICE_STOPPED',
  2: 'SERVICE_START_PENDING',
  3: 'SERVICE_STOP_PENDING',
  4: 'SERVICE_RUNNING',
  5: 'SERVICE_CONTINUE_PENDING',
  6: 'SERVICE_PAUSE_PENDING',
  7: 'SERVICE_PAUSED',
}

const startTypes: Readonly<Record<string, string>> = {
  0: 'SERVICE_BOOT_START',
  1: 'SERVICE_SYSTEM_START',
  2: 'SERVICE_AUTO_START',
  3: 'SERVICE_DEMAND_START',
  4: 'SERVICE_DISABLED',
}

/** States that pending states lead to. */
const finalStates: Readonly<Record<string, string>> = {
  SERVICE_START_PENDING: 'SERVICE_RUNNING',
  SERVICE_CONTINUE_PENDING: 'SERVICE_RUNNING',
  SERVICE_PAUSE_PENDING: 'SERVICE_PAUSED',
  SERVICE_STOP_PENDING: 'SERVICE_STOPPED',
}

/** Runs `sc.exe`. Throws an error with Puppet's description of the action and the message of Windows. */
export async function runServiceControl(
  system: System,
  action: string,
  words: readonly string[],
): Promise<CommandResult> {
  const result = await querySc(system, words)
  return result.status === 0 ? result : failWithMessage(describeFailure(action, result))
}

function querySc(system: System, words: readonly string[]): Promise<CommandResult> {
  return runProviderProgram(system, [getSystemProgram('sc.exe'), ...words])
}

/** `[SC] OpenService FAILED 5:` and the message of Windows, which is in its language. */
function describeFailure(action: string, { output, status }: CommandResult): string {
  const [first = '', ...rest] = output.split(/\r?\n/).filter((line) => line.trim() !== '')
  const failed = first.includes('OpenService') ? 'Failed to open a handle to the service' : action
  return `${failed}:  ${rest.map((line) => line.trim()).join(' ') || `error ${status}`}`
}

/** The state of a service; undefined if it does not exist. */
export async function queryServiceState(system: System, name: string): Promise<ServiceState | undefined> {
  const result = await querySc(system, ['queryex', name])
  if (result.status === noSuchService) return undefined
  if (result.status !== 0) failWithMessage(describeFailure('Service query failed', result))
  return parseServiceStates(result.stdout)[0] ?? failWithMessage(`Unknown Service state '' for '${name}'`)
}

/** All services, including drivers. */
export async function listServiceStates(system: System): Promise<readonly ServiceState[]> {
  const words = ['queryex', 'type=', 'all', 'state=', 'all', 'bufsize=', '262144']
  const { stdout } = await runServiceControl(system, 'Failed to fetch services', words)
  return parseServiceStates(stdout)
}

/**
 * Parses the output of `sc.exe queryex`. Windows translates the labels, but not their order: type, state, exit code, exit
 * code of the service, checkpoint, wait hint.
 */
export function parseServiceStates(output: string): readonly ServiceState[] {
  const found: ServiceState[] = []
  let name = ''
  let values: string[] = []
  for (const line of [...output.split(/\r?\n/), ': ']) {
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1)
    if (colon < 0 || line.trimStart().startsWith('(')) continue
    if (/^[ \t]/.test(line)) {
      values.push(value.trim())
      continue
    }
    const [, state = '', , , checkpoint = '0', wait = '0'] = values
    const known = states[state.split(/\s/)[0] ?? '']
    if (known !== undefined)
      found.push({ name, state: known, checkpoint: Number(checkpoint), waitSeconds: Math.floor(Number(wait) / 1000) })
    name = value.trim()
    values = []
  }
  return found
}

/** The configuration of a service. */
export async function queryServiceConfiguration(system: System, name: string): Promise<ServiceConfiguration> {
  // The second number is the size of the buffer, the largest that the API accepts.
  const { stdout } = await runServiceControl(system, 'Service query failed', ['qc', name, '8192'])
  const values = stdout.split(/\r?\n/).flatMap((line) => /^[ \t]+[^\s:][^:]*: ?(.*)$/.exec(line)?.[1] ?? [])
  const startType = startTypes[values[1]?.split(/\s/)[0] ?? '']
  if (startType === undefined) return failWithMessage(`Unknown start type '' for '${name}'`)
  const isDelayed = startType === 'SERVICE_AUTO_START' && (values[1] ?? '').trimEnd().endsWith(')')
  return {
    startType: isDelayed ? 'SERVICE_DELAYED_AUTO_START' : startType,
    account: (values.at(-1) ?? '').trim(),
  }
}

/** A change of a service's state. */
export interface Transition {
  readonly from: readonly string[]
  readonly to: 'SERVICE_RUNNING' | 'SERVICE_STOPPED'
  readonly command: 'start' | 'stop' | 'continue'
  /** The action in the error message. */
  readonly failure: (state: string) => string
}

/** Changes the state of a service and waits for the end of the change. Puppet: util/windows/service.rb */
export async function changeServiceState(
  system: System,
  name: string,
  { from, to, command, failure }: Transition,
  timeout: number,
): Promise<void> {
  try {
    let { state } = await requireState(system, name)
    if (state === to) return
    if (!from.includes(state))
      failWithMessage(
        `The service must be in one of the ${from.join(', ')} states to perform this transition. It is currently in the ${state} state.`,
      )
    if (finalStates[state] === to) return await waitForPendingState(system, name, state, timeout)
    const isUnsafe = state === 'SERVICE_START_PENDING' || state === 'SERVICE_STOP_PENDING'
    if (isUnsafe || (command === 'continue' && state === 'SERVICE_PAUSE_PENDING')) {
      await waitForPendingState(system, name, state, timeout)
      state = finalStates[state] ?? state
    }
    await runServiceControl(system, failure(state), [command, name])
    await waitForState(system, name, state, to, timeout)
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    failWithMessage(`Failed to transition the ${name} service to the ${to} state. Detail: ${detail}`)
  }
}

async function requireState(system: System, name: string): Promise<ServiceState> {
  const found = await queryServiceState(system, name)
  return (
    found ??
    failWithMessage(
      'Failed to open a handle to the service:  The specified service does not exist as an installed service.',
    )
  )
}

async function waitForState(system: System, name: string, from: string, to: string, timeout: number): Promise<void> {
  const forRunning = from === 'SERVICE_STOPPED' ? 'SERVICE_START_PENDING' : 'SERVICE_CONTINUE_PENDING'
  const pending = to === 'SERVICE_RUNNING' ? forRunning : 'SERVICE_STOP_PENDING'
  let current = from
  for (let elapsed = 0; elapsed <= timeout; elapsed++) {
    const { state } = await requireState(system, name)
    if (state === to) return
    if (state === pending) return waitForPendingState(system, name, pending, timeout)
    current = state
    await sleep(1000)
  }
  failWithMessage(
    `Timed out while waiting for the service to transition from ${from} to ${to} OR from ${from} to ${pending} to ${to}. The service's current state is ${current}.`,
  )
}

/** Waits for the end of a pending state, as long as the service reports progress or its wait hint lasts. */
async function waitForPendingState(system: System, name: string, pending: string, timeout: number): Promise<void> {
  const to = finalStates[pending] ?? pending
  let elapsed = 0
  let last = -1
  for (;;) {
    const { state, checkpoint, waitSeconds } = await requireState(system, name)
    if (state === to) return
    if (state !== pending)
      failWithMessage(
        `Unexpected transition to the ${state} state while waiting for the pending transition from ${pending} to ${to} to finish.`,
      )
    if (checkpoint > last) {
      elapsed = 0
      last = checkpoint
    } else if (elapsed >= Math.max(timeout, waitSeconds))
      failWithMessage(
        `Timed out while waiting for the pending transition from ${pending} to ${to} to finish. The current state is ${state}.`,
      )
    const pause = Math.min(Math.max(Math.floor(waitSeconds / 10), 1), 10)
    await sleep(pause * 1000)
    elapsed += pause
  }
}
