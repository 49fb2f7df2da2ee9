import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import type { Environment, Environments } from '../../code/environments/environments.ts'
import { getParameter, type RequestParameters } from '../http/parameters.ts'
import { createBareRefusal, createPlainRefusal, createPuppetRefusal } from '../http/refusal.ts'

/**
 * The environment named in an indirection request. Throws 400 with Puppet's message. protocol.md
 * 1.6.
 */
export function requireEnvironment(parameters: RequestParameters): string {
  const name = getParameter(parameters, 'environment')
  if (name === undefined || name === '') throw createPuppetRefusal(400, 'An environment parameter must be specified')
  if (!isEnvironmentName(name))
    throw createPuppetRefusal(400, `The environment must be purely alphanumeric, not '${name}'`)
  return name
}

/**
 * The environment named in a request to an information endpoint. Errors of these endpoints are plain text.
 * protocol.md 10.
 */
export async function findPlainEnvironment(
  environments: Environments,
  parameters: RequestParameters,
): Promise<Environment> {
  const name = getParameter(parameters, 'environment')
  if (name === undefined || name === '') throw createPlainRefusal(400, 'An environment parameter must be specified')
  if (!isEnvironmentName(name))
    throw createPlainRefusal(400, `The environment must be purely alphanumeric, not '${name}'`)
  const environment = await environments.get(name)
  if (!environment) throw createBareRefusal(404, `Could not find environment '${name}'`)
  return environment
}
