import { setTimeout as sleep } from 'node:timers/promises'
import { defineIssues, PuppetError, throwIssue } from '../../../../base/issue.ts'
import { splitProgram } from '../../../../base/program/windows-command.ts'
import type { CommandOptions, CommandResult } from '../../../../machine/system/system.ts'
import { inspectPlainValue } from '../../attribute-kinds.ts'
import type { CommandPlan } from '../../command-line.ts'
import { addEnvironmentSettings } from '../../environment-settings.ts'
import { statManagedFile } from '../../file-tree.ts'
import { defineProvider, type ProviderDefinition, type ProviderWork } from '../../provider.ts'
import { redacted } from '../../secrets.ts'
import { type ExecCommand, type ExecResource, execType } from '../../types/exec.ts'

/** Attributes of the type `exec`. */
export type ExecAttributes = (typeof execType)['attributes']
/** Environment variables with an empty value, collected for a single warning. */
export interface ExecState {
  readonly empty: Set<string>
}
/** The work on one exec resource. */
export type ExecWork = ProviderWork<ExecAttributes, ExecState>

/** Errors about the program of a command. */
export const programIssues = defineIssues({
  NOT_QUALIFIED: {
    text: (a: { program: string }) =>
      `'${a.program}' is not qualified and no path was specified. Please qualify the command or specify a path.`,
  },
  COMMAND_NOT_FOUND: { text: (a: { program: string }) => `Could not find command '${a.program}'` },
  COMMAND_NO_FILE: {
    text: (a: { program: string; kind: string }) => `'${a.program}' is a ${a.kind}, not a file`,
  },
  COMMAND_NOT_EXECUTABLE: { text: (a: { program: string }) => `'${a.program}' is not executable` },
})

const issues = defineIssues({
  COMMAND_TIMED_OUT: { text: () => 'Command exceeded timeout' },
  WRONG_STATUS: {
    text: (a: { command: string; status: string; expected: readonly string[] }) =>
      `${a.command} returned ${a.status} instead of one of [${a.expected.join(',')}]`,
  },
  NO_CWD: { text: (a: { cwd: string }) => `Working directory ${a.cwd} does not exist!` },
  NOT_RUN: { text: (a: { output: string }) => a.output },
})

/** The functions that differ between the exec providers. */
export interface ExecStyle {
  /** Validates a command. */
  validate(resource: ExecResource, command: ExecCommand): void
  validateUser(resource: ExecResource): void
  /** Finds the program. Returns the argument list to execute, or on Windows the command line. */
  plan(work: ExecWork, command: ExecCommand): Promise<CommandPlan>
  /** The user and the group that execute the command; text is an error, which becomes the command's output. */
  resolveIdentity(work: ExecWork): Promise<CommandOptions | string>
  /** Separates the folders of a search path. */
  readonly pathSeparator: ':' | ';'
  /** The end of a line of output. Ruby reads output on Windows as text, in which CRLF is one line break. */
  readonly lineEnd: RegExp
  /** Variables that a command never inherits. */
  readonly removedVariables: Readonly<Record<string, undefined>>
}

type ExecProvider = ProviderDefinition<ExecAttributes, ExecState>

/** Declares a provider of `exec`, with the behavior common to all (Puppet: provider/exec.rb, type/exec.rb). */
export function defineExecProvider(
  name: string,
  style: ExecStyle,
  options: Pick<ExecProvider, 'doc' | 'features' | 'suitable' | 'defaultFor'>,
): ExecProvider {
  return defineProvider<ExecAttributes, ExecState>(execType, name, {
    ...options,
    begin: () => ({ empty: new Set() }),
    validate(resource) {
      const command = resource.get('command')
      if (command !== undefined) style.validate(resource, command)
      for (const name of ['refresh', 'unless', 'onlyif'] as const) validateCommands(resource, name, style)
      style.validateUser(resource)
    },
    async read(work) {
      return { returns: (await canRun(work, style, false)) ? 'notrun' : work.resource.get('returns') }
    },
    // An empty `returns` permits no status at all, so the command is not run.
    inSync: { returns: ({ resource }, is) => is !== 'notrun' || resource.get('returns')?.length === 0 },
    changeText: { returns: () => 'executed successfully' },
    eventNames: { returns: 'executed_command' },
    set: { returns: (work) => executeCommand(work, style) },
    async refresh(work) {
      if (!(await canRun(work, style, true))) return
      const other = work.resource.get('refresh')
      if (other === undefined) await executeCommand(work, style)
      else await runCommand(work, style, other, false)
    },
  })
}

/** Validates the commands in `refresh`, `unless` or `onlyif`. Errors contain the name of the attribute. */
function validateCommands(resource: ExecResource, name: 'refresh' | 'unless' | 'onlyif', style: ExecStyle): void {
  const given = resource.get(name)
  const commands = name === 'refresh' ? [given as ExecCommand | undefined] : ((given ?? []) as readonly ExecCommand[])
  try {
    for (const command of commands) if (command !== undefined) style.validate(resource, command)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    resource.failAttribute(name, error.diagnostic.message)
  }
}

/** The program of a command, which a command line can have in quotes. */
export function getProgram(command: ExecCommand): string {
  return typeof command === 'string' ? splitProgram(command).program : (command[0] ?? '')
}

/** True if all conditions allow the command to run. */
async function canRun(work: ExecWork, style: ExecStyle, refreshing: boolean): Promise<boolean> {
  const { resource } = work
  const shown = formatShownCommand(resource, String(resource.get('command')))
  const logFailedCheck = (check: string) => {
    work.log('debug', `'${shown}' won't be executed because of failed check '${check}'`)
    return false
  }
  if (!refreshing && resource.get('refreshonly') === 'true') return logFailedCheck('refreshonly')
  for (const path of resource.get('creates') ?? []) {
    work.log('debug', `Checking that 'creates' path '${path}' exists`)
    if (await statManagedFile(work.system.files, path, 'follow')) return logFailedCheck('creates')
  }
  for (const command of resource.get('unless') ?? [])
    if (!(await passesCheck(work, style, 'unless', command))) return logFailedCheck('unless')
  for (const command of resource.get('onlyif') ?? [])
    if (!(await passesCheck(work, style, 'onlyif', command))) return logFailedCheck('onlyif')
  return true
}

async function passesCheck(
  work: ExecWork,
  style: ExecStyle,
  check: 'unless' | 'onlyif',
  command: ExecCommand,
): Promise<boolean> {
  const { resource } = work
  const result = await runCommand(work, style, command, true)
  if (result.timedOut) {
    work.log('err', `Check ${formatShownCommand(resource, inspectPlainValue(command))} exceeded timeout`, check)
    return false
  }
  if (resource.hasSecrets) work.log('debug', '[output redacted]', check)
  else for (const line of splitOutput(style, result.output)) work.log('debug', line, check)
  return (result.status === 0) === (check === 'onlyif')
}

async function executeCommand(work: ExecWork, style: ExecStyle): Promise<void> {
  const { resource } = work
  const expected = resource.get('returns') ?? ['0']
  const tries = resource.get('tries') ?? 1
  const pause = resource.get('try_sleep') ?? 0
  const command = resource.get('command')!
  let result: CommandResult | undefined
  for (let attempt = 1; attempt <= tries; attempt++) {
    if (tries > 1) work.log('debug', `Exec try ${attempt}/${tries}`, 'returns')
    result = await runCommand(work, style, command, false)
    if (result.timedOut) throwIssue(issues.COMMAND_TIMED_OUT, {})
    if (expected.includes(formatExitStatus(result))) break
    if (pause > 0 && attempt < tries) {
      work.log('debug', `Sleeping for ${pause} seconds between tries`, 'returns')
      await sleep(pause * 1000)
    }
  }
  const { output } = result!
  const status = formatExitStatus(result!)
  const right = expected.includes(status)
  const logoutput = resource.get('logoutput')
  if (logoutput === 'true' || (logoutput === 'on_failure' && !right)) logOutput(work, style, output)
  if (!right) {
    const shown = formatShownCommand(resource, `'${formatCommand(command)}'`)
    throwIssue(issues.WRONG_STATUS, { command: shown, status, expected })
  }
}

/** The exit status as text; empty if a signal ended the program, which is never a success. */
function formatExitStatus({ status, signaled }: CommandResult): string {
  return signaled ? '' : String(status)
}

function formatCommand(command: ExecCommand): string {
  return typeof command === 'string' ? command : inspectPlainValue(command)
}

/** A command for messages. */
export function formatShownCommand(resource: ExecResource, text: string): string {
  return resource.hides('command') ? '[command redacted]' : text
}

function logOutput(work: ExecWork, style: ExecStyle, output: string): void {
  const level = work.resource.meta('loglevel') ?? 'notice'
  if (work.resource.hasSecrets) work.log(level, '[output redacted]', 'returns')
  else for (const line of splitOutput(style, output)) work.log(level, line, 'returns')
}

function splitOutput({ lineEnd }: ExecStyle, output: string): string[] {
  const lines = output.split(lineEnd)
  while (lines.at(-1) === '') lines.pop()
  return lines
}

async function runCommand(
  work: ExecWork,
  style: ExecStyle,
  command: ExecCommand,
  check: boolean,
): Promise<CommandResult> {
  const { resource, system } = work
  const { words, commandLine } = await style.plan(work, command)
  const shown = resource.hides('command') ? redacted : formatCommand(command)
  work.log('debug', `Executing${check ? ' check' : ''} '${shown}'`, '')
  const cwd = resource.get('cwd')
  if (cwd !== undefined && (await statManagedFile(system.files, cwd, 'follow'))?.kind !== 'directory')
    throwIssue(issues.NO_CWD, { cwd })
  const options = createRunOptions(work, style)
  const who = await style.resolveIdentity(work)
  if (typeof who === 'string') return { status: 1, stdout: '', stderr: who, output: who, timedOut: false }
  const result = await system.commands.run(words, {
    ...who,
    ...options,
    ...(commandLine !== undefined && { commandLine }),
    merged: true,
  })
  if (result.status === 127)
    throwIssue(issues.NOT_RUN, { output: resource.hasSecrets ? '[output redacted]' : result.output.trim() })
  return result
}

function createRunOptions(work: ExecWork, style: ExecStyle): CommandOptions {
  const { resource } = work
  const redactText = (text: string) => (resource.hides('environment') ? redacted : text)
  const env: Record<string, string | undefined> = { ...style.removedVariables }
  const path = resource.get('path')
  if (path) env['PATH'] = path.join(style.pathSeparator)
  addEnvironmentSettings(env, resource.get('environment') ?? [], (problem, name, value) => {
    if (problem === 'unclear')
      work.log('warning', `Cannot understand environment setting ${redactText(inspectPlainValue(name))}`)
    if (problem === 'repeated')
      work.log('warning', `Overriding environment setting '${name}' with '${redactText(value)}'`, 'provider')
    if (problem !== 'empty' || work.state.empty.has(name)) return
    work.state.empty.add(name)
    const place = resource.place().trim() || '(file & line not available)'
    work.log('warning', `Empty environment setting '${name}'\n   ${place}`, '')
  })
  const cwd = resource.get('cwd')
  const umask = resource.get('umask')
  return {
    env,
    timeout: resource.get('timeout') ?? 300,
    ...(cwd === undefined ? {} : { cwd }),
    ...(umask === undefined ? {} : { umask }),
  }
}
