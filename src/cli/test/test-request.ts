import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import type { CompileRequest } from '../../compiler/request/compile-request.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { buildTrustedFacts } from '../../node/facts/trusted.ts'
import type { TestNode } from '../../workbench/manifest-tests/test-node.ts'
import { buildCompileRequest, emptyClassification } from '../input/compile-options.ts'

/** Returns a function that creates the compile request of a test. */
export function createTestRequest(
  settings: Settings,
): (node: TestNode, environment: CompileEnvironment) => CompileRequest {
  return ({ certname, facts, trusted: given }, environment) => {
    const trusted = { ...buildTrustedFacts({ authenticated: 'remote', certname }), ...given }
    return buildCompileRequest(
      { node: certname, facts, classified: emptyClassification, trusted },
      environment,
      settings,
    )
  }
}
