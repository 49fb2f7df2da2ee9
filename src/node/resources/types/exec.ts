import { delimiter } from 'node:path'
import { parseStrictFloat } from '../../../language/ruby-semantics/numbers/number-parsing.ts'
import type { Value } from '../../../language/values/value.ts'
import { isAbsolutePath, isWindows, normalizePath } from '../../../machine/windows/machine-path.ts'
import {
  anyKind,
  createEnumKind,
  createListKind,
  createParsedKind,
  failMunging,
  inspectPlainValue,
  textKind,
  toPlainText,
  toPlainValue,
} from '../attribute-kinds.ts'
import { failWithFormError, failWithMessage } from '../issues.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

/** A command line, or a program with its arguments. */
export type ExecCommand = string | readonly string[]

const command = createParsedKind((value: Value): ExecCommand => {
  const given = toPlainValue(value)
  if (typeof given === 'string') return given
  if (Array.isArray(given)) return given.map(String)
  return failWithFormError(
    `Command must be a String or Array<String>, got value of class ${typeof given === 'number' ? 'Integer' : 'Hash'}`,
  )
})

/** One command or an array of commands. Each command is a line or an array of words. */
const commands = createParsedKind((value: Value): readonly ExecCommand[] =>
  Array.isArray(value) ? value.map((each) => command.parse(each as Value)) : [command.parse(value)],
)

const tries = createParsedKind((value: Value): number => {
  const given = toPlainValue(value)
  if (Array.isArray(given) || !/^\d+$/.test(String(given)))
    return failMunging('tries', value, 'Tries must be an integer')
  return Number(given) >= 1 ? Number(given) : failMunging('tries', value, 'Tries must be an integer >= 1')
})

const trySleep = createParsedKind((value: Value): number => {
  const seconds = Number(toPlainValue(value))
  if (Number.isNaN(seconds)) return failMunging('try_sleep', value, 'try_sleep must be a number')
  return seconds >= 0 ? seconds : failMunging('try_sleep', value, 'try_sleep cannot be a negative number')
})

const timeout = createParsedKind((value: Value): number => {
  const given = toPlainValue(Array.isArray(value) ? (value[0] as Value) : value)
  const seconds = parseStrictFloat(String(given))
  return seconds === undefined ? failMunging('timeout', value, 'The timeout must be a number.') : Math.max(seconds, 0)
})

const createPathKind = (name: string) =>
  createParsedKind((value: Value): string => {
    const path = toPlainText(value)
    return isAbsolutePath(path) ? normalizePath(path) : failWithFormError(`${name} must be a fully qualified path`)
  })

const umask = createParsedKind((value: Value): number => {
  const given = toPlainValue(value)
  // An Integer is rejected, as in Puppet: its digits would be read as octal.
  if (typeof given !== 'string' || !/^0?[0-7]{1,4}$/.test(given))
    return failWithMessage(`The umask specification is invalid: ${inspectPlainValue(given)}`)
  return Number.parseInt(given, 8)
})

const environment = createParsedKind((value: Value): string => {
  const given = toPlainValue(value)
  const setting = typeof given === 'object' ? inspectPlainValue(given) : String(given)
  if (!/\w=/.test(setting)) failWithMessage(`Invalid environment setting '${setting}'`)
  return setting
})

const searchPath = createParsedKind((value: Value): readonly string[] =>
  createListKind(textKind)
    .parse(value)
    .flatMap((each) => each.split(delimiter)),
)

/** Attributes with commands. If one of them is sensitive, all of them are. */
const commandNames = ['command', 'unless', 'onlyif', 'refresh']

/** The resource type `exec`: execution of commands. */
export const execType = defineType('exec', {
  doc: 'Executes external commands.',
  features: { umask: 'The provider can set the umask.' },
  repeatable: true,
  attributes: {
    returns: defineProperty(createListKind(textKind), 'The exit codes that count as success.', {
      default: ['0'],
      idempotent: false,
    }),
    command: defineNamevar(command, 'The command: a string, or an array of the program and its arguments.'),
    path: defineParameter({ ...searchPath, list: true as const }, 'The search path for commands.'),
    user: defineParameter(textKind, 'The user to run the command as.'),
    group: defineParameter(textKind, 'The group to run the command as.'),
    cwd: defineParameter(createPathKind('cwd'), 'The directory from which to run the command.'),
    logoutput: defineParameter(
      createEnumKind('true', 'false', 'on_failure'),
      'If true, the output of the command is logged; `on_failure` logs it only if the command fails.',
      {
        default: 'on_failure',
      },
    ),
    refresh: defineParameter(command, 'The command to run on a refresh, instead of `command`.'),
    environment: defineParameter(createListKind(environment), 'Environment variables of the command, as `NAME=value`.'),
    umask: defineParameter(umask, 'The umask of the command.', { needs: 'umask' }),
    timeout: defineParameter(timeout, 'The maximum duration of the command in seconds; 0 is unlimited.', {
      default: 300,
    }),
    tries: defineParameter(tries, 'The maximum number of attempts.', { default: 1 }),
    try_sleep: defineParameter(trySleep, 'The seconds between attempts.', { default: 0 }),
    refreshonly: defineParameter(createEnumKind('true', 'false'), 'If true, the command runs only on a refresh.'),
    creates: defineParameter(
      createListKind(createPathKind('creates')),
      'The command is skipped if one of these files exists.',
    ),
    unless: defineParameter(
      { ...commands, list: true as const },
      'The command is skipped if one of these commands succeeds.',
    ),
    onlyif: defineParameter(
      { ...commands, list: true as const },
      'The command is skipped unless all of these commands succeed.',
    ),
    provider: defineParameter(anyKind, 'The backend.'),
  },
  autorequire: {
    file: (resource) => [
      resource.get('cwd'),
      ...listCommandPaths(resource.get('command')),
      ...[...(resource.get('onlyif') ?? []), ...(resource.get('unless') ?? [])].flatMap((each) =>
        listCommandPaths(each).slice(0, 1),
      ),
    ],
    user: (resource) => [/^\d+$/.test(resource.get('user') ?? '0') ? undefined : resource.get('user')],
  },
  sensitiveWith: Object.fromEntries(commandNames.map((name) => [name, commandNames])),
})

/** An exec resource. */
export type ExecResource = ManagedResource<(typeof execType)['attributes']>

const qualifiedProgram = isWindows ? /^([a-z]:[\\/]\S+)/i : /^(\/\S+)/

function listCommandPaths(command: ExecCommand | undefined): string[] {
  const line = typeof command === 'string' ? command : (command?.[0] ?? '')
  return [qualifiedProgram.exec(line)?.[1], /^"([^"]+)"/.exec(line)?.[1]].filter((path) => path !== undefined)
}
