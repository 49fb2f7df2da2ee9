import { type Parameters, parameter } from '../parameters.ts'
import { puppetRefusal } from '../refusal.ts'

/** The environment that an indirected request names. Throws 400 in Puppet's words. protocol.md 1.6. */
export function requireEnvironment(parameters: Parameters): string {
  const name = parameter(parameters, 'environment')
  if (name === undefined || name === '') throw puppetRefusal(400, 'An environment parameter must be specified')
  if (!isEnvironmentName(name)) throw puppetRefusal(400, `The environment must be purely alphanumeric, not '${name}'`)
  return name
}

/** Letters of ASCII, digits and `_`, as Puppet has it. */
export function isEnvironmentName(name: string): boolean {
  return /^\w+$/.test(name) && !name.endsWith('\n')
}
