import { strictFloat } from '../../../language/ruby-semantics/numbers/number-texts.ts'
import type { Value } from '../../../language/values/value.ts'
import { complain, complainAboutForm } from '../issues.ts'
import { anything, failMunging, inspect, listOf, oneOf, parsedBy, plain, text, tidyPath } from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

/** A command line, or a program with its arguments. */
export type Command = string | readonly string[]

const command = parsedBy((value: Value): Command => {
  const given = plain(value)
  if (typeof given === 'string') return given
  if (Array.isArray(given)) return given.map(String)
  return complainAboutForm(
    `Command must be a String or Array<String>, got value of class ${typeof given === 'number' ? 'Integer' : 'Hash'}`,
  )
})

/** One command or an array of commands. Each command is a line or an array of words. */
const commands = parsedBy((value: Value): readonly Command[] =>
  Array.isArray(value) ? value.map((each) => command.parse(each as Value)) : [command.parse(value)],
)

const tries = parsedBy((value: Value): number => {
  const given = plain(value)
  if (Array.isArray(given) || !/^\d+$/.test(String(given)))
    return failMunging('tries', value, 'Tries must be an integer')
  return Number(given) >= 1 ? Number(given) : failMunging('tries', value, 'Tries must be an integer >= 1')
})

const trySleep = parsedBy((value: Value): number => {
  const seconds = Number(plain(value))
  if (Number.isNaN(seconds)) return failMunging('try_sleep', value, 'try_sleep must be a number')
  return seconds >= 0 ? seconds : failMunging('try_sleep', value, 'try_sleep cannot be a negative number')
})

const timeout = parsedBy((value: Value): number => {
  const given = plain(Array.isArray(value) ? (value[0] as Value) : value)
  const seconds = strictFloat(String(given))
  return seconds === undefined ? failMunging('timeout', value, 'The timeout must be a number.') : Math.max(seconds, 0)
})

const qualified = (name: string) =>
  parsedBy((value: Value): string => {
    const path = String(plain(value))
    return path.startsWith('/') ? tidyPath(path) : complainAboutForm(`${name} must be a fully qualified path`)
  })

const umask = parsedBy((value: Value): number => {
  const given = plain(value)
  // An Integer is rejected, as in Puppet: its digits would be read as octal.
  if (typeof given !== 'string' || !/^0?[0-7]{1,4}$/.test(given))
    return complain(`The umask specification is invalid: ${inspect(given)}`)
  return Number.parseInt(given, 8)
})

const environment = parsedBy((value: Value): string => {
  const given = plain(value)
  const setting = typeof given === 'object' ? inspect(given) : String(given)
  if (!/\w=/.test(setting)) complain(`Invalid environment setting '${setting}'`)
  return setting
})

const searchPath = parsedBy((value: Value): readonly string[] =>
  listOf(text)
    .parse(value)
    .flatMap((each) => each.split(':')),
)

/** Attributes with commands. If one of them is sensitive, all of them are. */
const commandNames = ['command', 'unless', 'onlyif', 'refresh']

/** Command execution. */
export const exec = defineType('exec', {
  doc: 'Executes external commands.',
  features: { umask: 'The provider can set the umask.' },
  repeatable: true,
  attributes: {
    returns: property(listOf(text), 'The exit codes that count as success.', { default: ['0'], idempotent: false }),
    command: namevar(command, 'The command: a string, or an array of the program and its arguments.'),
    path: parameter({ ...searchPath, list: true as const }, 'The search path for commands.'),
    user: parameter(text, 'The user to run the command as.'),
    group: parameter(text, 'The group to run the command as.'),
    cwd: parameter(qualified('cwd'), 'The directory from which to run the command.'),
    logoutput: parameter(
      oneOf('true', 'false', 'on_failure'),
      'If true, the output of the command is logged; `on_failure` logs it only if the command fails.',
      {
        default: 'on_failure',
      },
    ),
    refresh: parameter(command, 'The command to run on a refresh, instead of `command`.'),
    environment: parameter(listOf(environment), 'Environment variables of the command, as `NAME=value`.'),
    umask: parameter(umask, 'The umask of the command.', { needs: 'umask' }),
    timeout: parameter(timeout, 'The maximum duration of the command in seconds; 0 is unlimited.', { default: 300 }),
    tries: parameter(tries, 'The maximum number of attempts.', { default: 1 }),
    try_sleep: parameter(trySleep, 'The seconds between attempts.', { default: 0 }),
    refreshonly: parameter(oneOf('true', 'false'), 'If true, the command runs only on a refresh.'),
    creates: parameter(listOf(qualified('creates')), 'The command is skipped if one of these files exists.'),
    unless: parameter(
      { ...commands, list: true as const },
      'The command is skipped if one of these commands succeeds.',
    ),
    onlyif: parameter(
      { ...commands, list: true as const },
      'The command is skipped unless all of these commands succeed.',
    ),
    provider: parameter(anything, 'The backend.'),
  },
  autorequire: {
    file: (resource) => [
      resource.get('cwd'),
      ...pathsIn(resource.get('command')),
      ...[...(resource.get('onlyif') ?? []), ...(resource.get('unless') ?? [])].flatMap((each) =>
        pathsIn(each).slice(0, 1),
      ),
    ],
    user: (resource) => [/^\d+$/.test(resource.get('user') ?? '0') ? undefined : resource.get('user')],
  },
  sensitiveWith: Object.fromEntries(commandNames.map((name) => [name, commandNames])),
})

/** An exec resource. */
export type ExecResource = ManagedResource<(typeof exec)['attributes']>

function pathsIn(command: Command | undefined): string[] {
  const line = typeof command === 'string' ? command : (command?.[0] ?? '')
  return [/^(\/\S+)/.exec(line)?.[1], /^"([^"]+)"/.exec(line)?.[1]].filter((path) => path !== undefined)
}
