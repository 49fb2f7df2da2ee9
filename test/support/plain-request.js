import type { CompileRequest } from '../../src/compiler/compile-request.ts'
import { plainNode } from '../../src/model/node.ts'

type Rest = Omit<CompileRequest, 'environment'>

/** A request for a catalog of a node of which nothing is known, as strict as Puppet 8; `more` says what is not plain. */
export function plainRequest<Environment extends { readonly name: string }>(
  environment: Environment,
  more: Partial<Rest> = {},
): Rest & { readonly environment: Environment } {
  return {
    node: plainNode('n1', environment.name),
    facts: {},
    trusted: {},
    serverFacts: {},
    environment,
    staticChecksum: undefined,
    settings: {},
    strict: 'error',
    strictVariables: true,
    ...more,
  }
}
