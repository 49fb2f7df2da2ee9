import { hash } from 'node:crypto'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError } from '../../base/issue.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { runWithTimeout, TimeoutError } from '../../base/time/work-timeout.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { walkFiles } from '../../code/environments/tree-walk.ts'
import { catalogFromWire } from '../../model/catalog-wire.ts'
import { checkCatalog } from '../catalog-policy-check.ts'
import { isActiveFinding } from '../policy/check-policies.ts'
import type { Policies, PolicyFinding } from '../policy/policy.ts'
import { policyFolder, readPolicies } from '../policy/read-policies.ts'
import { toBareError } from '../request/catalog-error.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import type { CatalogFault } from './catalog-fault.ts'
import { findMissingSources } from './missing-sources.ts'

/**
 * Returns the faults in a catalog with rich data: violations of policies, with exceptions as of the time `now`, and
 * missing file sources.
 */
export function findCatalogFaults(body: Uint8Array, request: CompileRequest, now: Date): readonly CatalogFault[] {
  return [...findMissingSources(body, request.environment), ...findPolicyFaults(body, request, now)]
}

/**
 * Returns true if the policies of the two environments may find different faults in the same catalog. This is the case
 * if rules or exceptions differ, or if rules are functions, which may read any code, data and facts.
 */
export function canPoliciesDiffer(one: CompileEnvironment, other: CompileEnvironment): boolean {
  if (getPolicyDigest(one) !== getPolicyDigest(other)) return true
  const policies = getPolicies(one)
  return !(policies instanceof PuppetError) && policies.rules.some(({ test }) => test.kind === 'function')
}

function findPolicyFaults(body: Uint8Array, request: CompileRequest, now: Date): readonly CatalogFault[] {
  const { tree } = request.environment
  const policies = getPolicies(request.environment)
  if (policies instanceof PuppetError) return [createBrokenPoliciesFault(policies)]
  if (policies.rules.length === 0) return []
  const check = { policies, place: { tree, path: policyFolder }, now }
  try {
    const { findings } = runWithTimeout(budgets.policy.time.bound, () =>
      checkCatalog(catalogFromWire(parseJson(Buffer.from(body).toString())), check, request),
    )
    return findings.filter(isActiveFinding).map(toPolicyFault)
  } catch (error) {
    if (error instanceof PuppetError || error instanceof TimeoutError) return [createBrokenPoliciesFault(error)]
    throw error
  }
}

function toPolicyFault({ rule, severity, message, detail, resource, file, line }: PolicyFinding): CatalogFault {
  const words = detail === undefined ? message : `${message}: ${detail}`
  return { kind: 'policy', rule, severity, message: words, resource, file, line }
}

function createBrokenPoliciesFault(error: PuppetError | TimeoutError): CatalogFault {
  const bare = error instanceof PuppetError ? toBareError(error) : undefined
  const { message = error.message, file, line } = bare ?? {}
  return { kind: 'policies', rule: undefined, severity: 'error', message, resource: undefined, file, line }
}

/** Cached policies of environments in memory; if reading the policies failed, the error. */
const known = new WeakMap<CompileEnvironment, Policies | PuppetError>()

function getPolicies(environment: CompileEnvironment): Policies | PuppetError {
  const found = known.get(environment) ?? tryReadPolicies(environment)
  known.set(environment, found)
  return found
}

function tryReadPolicies({ tree }: CompileEnvironment): Policies | PuppetError {
  try {
    return readPolicies(tree)
  } catch (error) {
    if (error instanceof PuppetError) return error
    throw error
  }
}

/** Digests of the policy folders of environments in memory; cached, since the digest is needed for each node. */
const states = new WeakMap<CompileEnvironment, string>()

function getPolicyDigest(environment: CompileEnvironment): string {
  const found = states.get(environment) ?? computePolicyDigest(environment)
  states.set(environment, found)
  return found
}

function computePolicyDigest({ tree }: CompileEnvironment): string {
  const files = Array.from(walkFiles(tree, policyFolder), ({ path, entry }) => [path, entry.oid])
  return hash('sha256', JSON.stringify(files), 'base64')
}
