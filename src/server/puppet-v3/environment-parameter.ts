import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import type { Environment, Environments } from '../../code/environments/environments.ts'
import { type Parameters, parameter } from '../http/parameters.ts'
import { bareRefusal, plainRefusal, puppetRefusal } from '../http/refusal.ts'

/**
 * The environment named in an indirection request. Throws 400 with Puppet's message. protocol.md
 * 1.6.
 */
export function requireEnvironment(parameters: Parameters): string {
  const name = parameter(parameters, 'environment')
  if (name === undefined || name === '') throw puppetRefusal(400, 'An environment parameter must be specified')
  if (!isEnvironmentName(name)) throw puppetRefusal(400, `The environment must be purely alphanumeric, not '${name}'`)
  return name
}

/**
 * The environment named in a request to an information endpoint. Errors of these endpoints are plain text.
 * protocol.md 10.
 */
export async function plainEnvironment(environments: Environments, parameters: Parameters): Promise<Environment> {
  const name = parameter(parameters, 'environment')
  if (name === undefined || name === '') throw plainRefusal(400, 'An environment parameter must be specified')
  if (!isEnvironmentName(name)) throw plainRefusal(400, `The environment must be purely alphanumeric, not '${name}'`)
  const environment = await environments.get(name)
  if (!environment) throw bareRefusal(404, `Could not find environment '${name}'`)
  return environment
}
