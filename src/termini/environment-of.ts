import { defineIssues, fail } from '../base/issue.ts'
import type { Environment, Environments } from '../environments/environments.ts'
import type { Request } from '../indirector/request.ts'

/** What termini refuse because of an environment; the server gives each code its status. */
export const environmentIssues = defineIssues({
  ENVIRONMENT_NOT_FOUND: { text: (a: { name: string }) => `Could not find environment '${a.name}'` },
})

/** The environment that a request names, as it is served now. Throws ENVIRONMENT_NOT_FOUND. */
export async function environmentOf(environments: Environments, { environment }: Request): Promise<Environment> {
  const name = environment ?? ''
  return (await environments.get(name)) ?? fail(environmentIssues.ENVIRONMENT_NOT_FOUND, { name })
}
