import { hash } from 'node:crypto'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError } from '../../base/issue.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { TookTooLong, withinTime } from '../../base/time/within-time.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { filesBelow } from '../../code/environments/walk-tree.ts'
import { catalogFromWire } from '../../model/catalog-wire.ts'
import { checkCatalog } from '../check-catalog.ts'
import { counts } from '../policy/check-policies.ts'
import type { Finding, Policies } from '../policy/policy.ts'
import { policyFolder, readPolicies } from '../policy/read-policies.ts'
import { bareError } from '../request/catalog-error.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import type { CatalogFault } from './catalog-fault.ts'
import { missingSources } from './missing-sources.ts'

/**
 * Returns the faults in a catalog with rich data: violations of policies, with exceptions as of the time `now`, and
 * missing file sources.
 */
export function faultsOf(body: Uint8Array, request: CompileRequest, now: Date): readonly CatalogFault[] {
  return [...missingSources(body, request.environment), ...policyFaults(body, request, now)]
}

/**
 * Returns true if the policies of the two environments may find different faults in the same catalog. This is the case
 * if rules or exceptions differ, or if rules are functions, which may read any code, data and facts.
 */
export function mayFindOther(one: CompileEnvironment, other: CompileEnvironment): boolean {
  if (policyState(one) !== policyState(other)) return true
  const policies = policiesIn(one)
  return !(policies instanceof PuppetError) && policies.rules.some(({ test }) => test.kind === 'function')
}

function policyFaults(body: Uint8Array, request: CompileRequest, now: Date): readonly CatalogFault[] {
  const { tree } = request.environment
  const policies = policiesIn(request.environment)
  if (policies instanceof PuppetError) return [brokenPolicies(policies)]
  if (policies.rules.length === 0) return []
  const check = { policies, place: { tree, path: policyFolder }, now }
  try {
    const { findings } = withinTime(budgets.policy.time.bound, () =>
      checkCatalog(catalogFromWire(parseJson(Buffer.from(body).toString())), check, request),
    )
    return findings.filter(counts).map(policyFault)
  } catch (error) {
    if (error instanceof PuppetError || error instanceof TookTooLong) return [brokenPolicies(error)]
    throw error
  }
}

function policyFault({ rule, severity, message, detail, resource, file, line }: Finding): CatalogFault {
  const words = detail === undefined ? message : `${message}: ${detail}`
  return { kind: 'policy', rule, severity, message: words, resource, file, line }
}

function brokenPolicies(error: PuppetError | TookTooLong): CatalogFault {
  const bare = error instanceof PuppetError ? bareError(error) : undefined
  const { message = error.message, file, line } = bare ?? {}
  return { kind: 'policies', rule: undefined, severity: 'error', message, resource: undefined, file, line }
}

/** Cached policies of environments in memory; if reading the policies failed, the error. */
const known = new WeakMap<CompileEnvironment, Policies | PuppetError>()

function policiesIn(environment: CompileEnvironment): Policies | PuppetError {
  const found = known.get(environment) ?? readOrError(environment)
  known.set(environment, found)
  return found
}

function readOrError({ tree }: CompileEnvironment): Policies | PuppetError {
  try {
    return readPolicies(tree)
  } catch (error) {
    if (error instanceof PuppetError) return error
    throw error
  }
}

/** Digests of the policy folders of environments in memory; cached, since the digest is needed for each node. */
const states = new WeakMap<CompileEnvironment, string>()

function policyState(environment: CompileEnvironment): string {
  const found = states.get(environment) ?? stateOf(environment)
  states.set(environment, found)
  return found
}

function stateOf({ tree }: CompileEnvironment): string {
  const files = Array.from(filesBelow(tree, policyFolder), ({ path, entry }) => [path, entry.oid])
  return hash('sha256', JSON.stringify(files), 'base64')
}
