import { setTimeout as sleep } from 'node:timers/promises'
import { defineIssues, fail, PuppetError } from '../../../../base/issue.ts'
import { accounts, gidOf, uidOf } from '../../../../machine/system/accounts.ts'
import type { RunOptions, RunResult } from '../../../../machine/system/system.ts'
import { wordsOfLine } from '../../command-line.ts'
import { statOf } from '../../file-tree.ts'
import { inspect } from '../../kind.ts'
import { defineProvider, nobodys, type ProviderDefinition, type Work } from '../../provider.ts'
import { redacted } from '../../secrets.ts'
import { type Command, type ExecResource, exec } from '../../types/exec.ts'

type ExecAttributes = (typeof exec)['attributes']
/** Variables with an empty value, for one warning. */
interface ExecState {
  readonly empty: Set<string>
}
type ExecWork = Work<ExecAttributes, ExecState>

const issues = defineIssues({
  NOT_QUALIFIED: {
    text: (a: { program: string }) =>
      `'${a.program}' is not qualified and no path was specified. Please qualify the command or specify a path.`,
  },
  COMMAND_NOT_FOUND: { text: (a: { program: string }) => `Could not find command '${a.program}'` },
  COMMAND_NO_FILE: {
    text: (a: { program: string; kind: string }) => `'${a.program}' is a ${a.kind}, not a file`,
  },
  COMMAND_NOT_EXECUTABLE: { text: (a: { program: string }) => `'${a.program}' is not executable` },
  COMMAND_TIMED_OUT: { text: () => 'Command exceeded timeout' },
  WRONG_STATUS: {
    text: (a: { command: string; status: string; expected: readonly string[] }) =>
      `${a.command} returned ${a.status} instead of one of [${a.expected.join(',')}]`,
  },
  NO_SUCH_IDENTITY: {
    text: (a: { kind: 'user' | 'group'; name: string }) =>
      `Error: Could not execute posix command: Invalid ${a.kind}: ${a.name}`,
  },
  NOT_ROOT: { text: () => 'Only root can execute commands as other users' },
  NO_CWD: { text: (a: { cwd: string }) => `Working directory ${a.cwd} does not exist!` },
  NOT_RUN: { text: (a: { output: string }) => a.output },
})

/** The functions that differ between the exec providers: validation of a command, and its argument list. */
interface Style {
  validate(resource: ExecResource, command: Command): void
  /** The argument list to execute. */
  words(work: ExecWork, command: Command): Promise<readonly string[]>
}

const direct: Style = {
  validate(resource, command) {
    const program = programOf(command)
    if (!program.startsWith('/') && !resource.has('path'))
      fail(issues.NOT_QUALIFIED, { program: shownCommand(resource, program) })
  },
  async words(work, command) {
    await checkProgram(work, programOf(command))
    if (typeof command !== 'string') return command
    return wordsOfLine(command)
  },
}

const throughShell: Style = {
  validate: () => {},
  // In an array, the first word is the script and the others are `$0`, `$1`…, as in Puppet.
  words: async (_, command) => ['/bin/sh', '-c', ...(typeof command === 'string' ? [command] : command)],
}

function execProvider(name: string, doc: string, style: Style): ProviderDefinition<ExecAttributes, ExecState> {
  return defineProvider<ExecAttributes, ExecState>(exec, name, {
    doc,
    begin: () => ({ empty: new Set() }),
    features: ['umask'],
    validate(resource) {
      const command = resource.get('command')
      if (command !== undefined) style.validate(resource, command)
      for (const name of ['refresh', 'unless', 'onlyif'] as const) validateOther(resource, name, style)
      const user = resource.get('user')
      if (
        user !== undefined &&
        process.getuid?.() !== 0 &&
        user !== process.env['USER'] &&
        user !== process.env['LOGNAME']
      )
        fail(issues.NOT_ROOT, {})
    },
    async read(work) {
      return { returns: (await mayRun(work, style, false)) ? 'notrun' : work.resource.get('returns') }
    },
    // An empty `returns` permits no status at all, so the command is not run.
    inSync: { returns: ({ resource }, is) => is !== 'notrun' || resource.get('returns')?.length === 0 },
    changeText: { returns: () => 'executed successfully' },
    eventNames: { returns: 'executed_command' },
    set: { returns: (work) => execute(work, style) },
    async refresh(work) {
      if (!(await mayRun(work, style, true))) return
      const other = work.resource.get('refresh')
      if (other === undefined) await execute(work, style)
      else await run(work, style, other, false)
    },
  })
}

/** Validates the commands in `refresh`, `unless` or `onlyif`. Errors contain the name of the attribute. */
function validateOther(resource: ExecResource, name: 'refresh' | 'unless' | 'onlyif', style: Style): void {
  const given = resource.get(name)
  const commands = name === 'refresh' ? [given as Command | undefined] : ((given ?? []) as readonly Command[])
  try {
    for (const command of commands) if (command !== undefined) style.validate(resource, command)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    resource.failAttribute(name, error.diagnostic.message)
  }
}

/** Executes programs directly; a shell only if the command needs one. */
export const posix = execProvider(
  'posix',
  'Executes external binaries directly, without passing through a shell.',
  direct,
)

/** Executes all commands with a shell. */
export const shell = execProvider('shell', 'Passes the provided command through `/bin/sh`.', throughShell)

function programOf(command: Command): string {
  if (typeof command !== 'string') return command[0] ?? ''
  const [, double, single] = /^(?:"([^"]+)"|'([^']+)')/.exec(command) ?? []
  return double ?? single ?? command.split(' ')[0] ?? ''
}

async function checkProgram({ system, resource }: ExecWork, program: string): Promise<void> {
  const shown = { program: shownCommand(resource, program) }
  if (!program.startsWith('/')) {
    const found = await system.commands.find(program, resource.get('path')?.join(':') ?? '')
    if (found === undefined) fail(issues.COMMAND_NOT_FOUND, shown)
    return
  }
  if ((await system.commands.find(program)) !== undefined) return
  const stat = await statOf(system.files, program, 'follow')
  if (!stat) fail(issues.COMMAND_NOT_FOUND, shown)
  if (stat.kind === 'directory') fail(issues.COMMAND_NO_FILE, { ...shown, kind: stat.kind })
  fail(issues.COMMAND_NOT_EXECUTABLE, shown)
}

/** True if all conditions allow the command to run. */
async function mayRun(work: ExecWork, style: Style, refreshing: boolean): Promise<boolean> {
  const { resource } = work
  const shown = shownCommand(resource, String(resource.get('command')))
  const stopped = (check: string) => {
    work.log('debug', `'${shown}' won't be executed because of failed check '${check}'`)
    return false
  }
  if (!refreshing && resource.get('refreshonly') === 'true') return stopped('refreshonly')
  for (const path of resource.get('creates') ?? []) {
    work.log('debug', `Checking that 'creates' path '${path}' exists`)
    if (await statOf(work.system.files, path, 'follow')) return stopped('creates')
  }
  for (const command of resource.get('unless') ?? [])
    if (!(await holds(work, style, 'unless', command))) return stopped('unless')
  for (const command of resource.get('onlyif') ?? [])
    if (!(await holds(work, style, 'onlyif', command))) return stopped('onlyif')
  return true
}

async function holds(work: ExecWork, style: Style, check: 'unless' | 'onlyif', command: Command): Promise<boolean> {
  const { resource } = work
  const result = await run(work, style, command, true)
  if (result.timedOut) {
    work.log('err', `Check ${shownCommand(resource, inspect(command))} exceeded timeout`, check)
    return false
  }
  if (resource.hasSecrets) work.log('debug', '[output redacted]', check)
  else for (const line of linesOf(result.output)) work.log('debug', line, check)
  return (result.status === 0) === (check === 'onlyif')
}

async function execute(work: ExecWork, style: Style): Promise<void> {
  const { resource } = work
  const expected = resource.get('returns') ?? ['0']
  const tries = resource.get('tries') ?? 1
  const pause = resource.get('try_sleep') ?? 0
  const command = resource.get('command')!
  let result: RunResult | undefined
  for (let attempt = 1; attempt <= tries; attempt++) {
    if (tries > 1) work.log('debug', `Exec try ${attempt}/${tries}`, 'returns')
    result = await run(work, style, command, false)
    if (result.timedOut) fail(issues.COMMAND_TIMED_OUT, {})
    if (expected.includes(exitStatus(result))) break
    if (pause > 0 && attempt < tries) {
      work.log('debug', `Sleeping for ${pause} seconds between tries`, 'returns')
      await sleep(pause * 1000)
    }
  }
  const { output } = result!
  const status = exitStatus(result!)
  const right = expected.includes(status)
  const logoutput = resource.get('logoutput')
  if (logoutput === 'true' || (logoutput === 'on_failure' && !right)) logOutput(work, output)
  if (!right) {
    const shown = shownCommand(resource, `'${textOf(command)}'`)
    fail(issues.WRONG_STATUS, { command: shown, status, expected })
  }
}

/** The exit status as text; empty if a signal ended the program, which is never a success. */
function exitStatus({ status, signaled }: RunResult): string {
  return signaled ? '' : String(status)
}

function textOf(command: Command): string {
  return typeof command === 'string' ? command : inspect(command)
}

/** A command for messages. */
function shownCommand(resource: ExecResource, text: string): string {
  return resource.hides('command') ? '[command redacted]' : text
}

function logOutput(work: ExecWork, output: string): void {
  const level = work.resource.meta('loglevel') ?? 'notice'
  if (work.resource.hasSecrets) work.log(level, '[output redacted]', 'returns')
  else for (const line of linesOf(output)) work.log(level, line, 'returns')
}

function linesOf(output: string): string[] {
  const lines = output.split('\n')
  while (lines.at(-1) === '') lines.pop()
  return lines
}

async function run(work: ExecWork, style: Style, command: Command, check: boolean): Promise<RunResult> {
  const { resource, system } = work
  const words = await style.words(work, command)
  const shown = resource.hides('command') ? redacted : textOf(command)
  work.log('debug', `Executing${check ? ' check' : ''} '${shown}'`, '')
  const cwd = resource.get('cwd')
  if (cwd !== undefined && (await statOf(system.files, cwd, 'follow'))?.kind !== 'directory')
    fail(issues.NO_CWD, { cwd })
  const options = optionsOf(work)
  const who = await identity(work)
  if (typeof who === 'string') return { status: 1, stdout: '', stderr: who, output: who, timedOut: false }
  const result = await system.commands.run(words, { ...who, ...options, merged: true })
  if (result.status === 127)
    fail(issues.NOT_RUN, { output: resource.hasSecrets ? '[output redacted]' : result.output.trim() })
  return result
}

function optionsOf(work: ExecWork): RunOptions {
  const { resource } = work
  const shown = (text: string) => (resource.hides('environment') ? redacted : text)
  const env: Record<string, string | undefined> = { ...nobodys }
  const path = resource.get('path')
  if (path) env['PATH'] = path.join(':')
  for (const setting of resource.get('environment') ?? []) {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(setting) ?? []
    if (name === undefined || value === undefined) {
      work.log('warning', `Cannot understand environment setting ${shown(inspect(setting))}`)
      continue
    }
    if (env[name] !== undefined)
      work.log('warning', `Overriding environment setting '${name}' with '${shown(value)}'`, 'provider')
    if (value === '' && !work.state.empty.has(name)) {
      work.state.empty.add(name)
      const place = resource.place().trim() || '(file & line not available)'
      work.log('warning', `Empty environment setting '${name}'\n   ${place}`, '')
    }
    env[name] = value
  }
  const cwd = resource.get('cwd')
  const umask = resource.get('umask')
  return {
    env,
    timeout: resource.get('timeout') ?? 300,
    ...(cwd === undefined ? {} : { cwd }),
    ...(umask === undefined ? {} : { umask }),
  }
}

/**
 * User ID and group ID for the command. Without `group`, the primary group of the user is used. As
 * in Puppet, an error is returned as the command's output.
 */
async function identity({ resource, system }: ExecWork): Promise<RunOptions | string> {
  const user = resource.get('user')
  const group = resource.get('group')
  if (process.getuid?.() !== 0) return {}
  const uid = user === undefined ? undefined : await uidOf(system.files, user)
  if (user !== undefined && uid === undefined) return issues.NO_SUCH_IDENTITY.text({ kind: 'user', name: user })
  const named = group === undefined ? undefined : await gidOf(system.files, group)
  if (group !== undefined && named === undefined) return issues.NO_SUCH_IDENTITY.text({ kind: 'group', name: group })
  const gid =
    named ?? (uid === undefined ? undefined : (await accounts(system.files)).find((each) => each.uid === uid)?.gid)
  return { ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) }
}
