/** @typedef {import('../../src/compiler/request/compile-request.ts').CompileRequest} CompileRequest */
/** @typedef {Omit<CompileRequest, 'environment'>} Rest */

/**
 * A request for a catalog of a node of which nothing is known, as strict as Puppet 8; `more` says what is not plain. Tests
 * use it with the sources, scripts and benchmarks with the build.
 * @template {{ readonly name: string }} Environment
 * @param {Environment} environment
 * @param {Partial<Rest>} more
 * @returns {Rest & { readonly environment: Environment }}
 */
export function plainRequest(environment, more = {}) {
  return {
    node: { name: 'n1', environment: environment.name, parameters: {}, classes: [] },
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
