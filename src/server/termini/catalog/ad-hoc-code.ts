import type { ExactJson, ExactObject } from '../../../base/json/exact-json.ts'
import type { CompiledCatalog, CompileJob } from '../../../compiler/workers/compile-job.ts'
import type { JobOptions } from '../../../compiler/workers/pool-options.ts'
import type { FactsDocument } from '../../../model/facts.ts'
import { createPlainNode } from '../../../model/node.ts'
import { getNodeEnvironment } from '../request-environment.ts'
import { type CatalogServices, createCompileJob } from './compiler.ts'
import { runCompileJob } from './requested-catalog.ts'

/**
 * Code to compile in place of an environment's manifests, with its inputs. Puppet Server:
 * server/ast_compiler.rb.
 */
export interface AdHocCode {
  readonly certname: string
  readonly environment: string
  readonly code: string
  readonly facts: FactsDocument
  readonly trusted: ExactObject
  /** Top-scope variables. */
  readonly variables: Readonly<Record<string, ExactJson>>
  readonly debug: boolean
  readonly asking: JobOptions
  /** Id of the HTTP request. */
  readonly requestId?: string | undefined
}

/**
 * Compiles the code with the modules of the environment, at the commit named in the catalog. No
 * node classifier runs, and nothing is stored.
 */
export async function compileAdHocCode(asked: AdHocCode, services: CatalogServices): Promise<CompiledCatalog> {
  const { certname: key, environment, facts } = asked
  const code = await getNodeEnvironment(services.environments, environment, services.settings)
  const request = {
    ...{ key, environment, facts, code, static: false, checksumTypes: undefined, checkEnvironment: false },
    node: { ...createPlainNode(key, environment), parameters: asked.variables },
    ...{ trusted: { authenticated: false as const, extensions: {} }, rich: true },
  }
  const getTrustedData = async () => asked.trusted as CompileJob['trusted']
  const job = await createCompileJob(request, getTrustedData, { ...services, storesCatalogs: false })
  const environmentOfCode = { ...job.environment, manifest: { text: asked.code } }
  const purpose = { kind: 'try', isServed: false } as const
  return runCompileJob(asked, { ...job, environment: environmentOfCode, purpose }, services)
}
