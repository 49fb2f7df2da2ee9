import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Environment, Environments } from '../../code/environments/environments.ts'
import type { Request } from '../../model/indirector/request.ts'

/** Environment errors of termini; the server maps each to a status. */
export const requestEnvironmentIssues = defineIssues({
  ENVIRONMENT_NOT_FOUND: {
    text: (a: { name: string; hint: string }) => `Could not find environment '${a.name}'`,
    hint: (a) => a.hint,
  },
  UNKNOWN_DIRECTORY_ENVIRONMENT: {
    // Message of Puppet: environments.rb, `EnvironmentNotFound`.
    text: (a: { name: string; path: string; hint: string }) =>
      `Could not find a directory environment named '${a.name}' anywhere in the path: ${a.path}. Does the directory exist?`,
    hint: (a) => a.hint,
  },
})

/** The environment named in a request, at the commit assigned to the client. Throws ENVIRONMENT_NOT_FOUND. */
export async function getRequestEnvironment(
  environments: Environments,
  { environment, node }: Request,
): Promise<Environment> {
  const name = environment ?? ''
  const found = await findEnvironment(environments, name, node)
  return (
    found ??
    throwIssue(requestEnvironmentIssues.ENVIRONMENT_NOT_FOUND, { name, hint: await environments.hintAbout(name) })
  )
}

/** Returns an environment, at the commit assigned to the node if one is given. */
export function findEnvironment(
  environments: Environments,
  name: string,
  certname: string | undefined,
): Promise<Environment | undefined> {
  return certname === undefined ? environments.get(name) : environments.getForNode(name, certname)
}

/**
 * The environment that the classifier chose, at the commit assigned to the node if one is given. Throws
 * UNKNOWN_DIRECTORY_ENVIRONMENT.
 */
export async function getNodeEnvironment(
  environments: Environments,
  name: string,
  { environmentpath }: { readonly environmentpath: readonly string[] },
  certname?: string,
): Promise<Environment> {
  const found = await findEnvironment(environments, name, certname)
  if (found) return found
  const hint = await environments.hintAbout(name)
  return throwIssue(requestEnvironmentIssues.UNKNOWN_DIRECTORY_ENVIRONMENT, {
    name,
    path: environmentpath.join(':'),
    hint,
  })
}
