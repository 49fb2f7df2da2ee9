import type { ExactJson } from '../../../src/base/json/exact-json.ts'
import { checkCatalog } from '../../../src/compiler/catalog-policy-check.ts'
import { compile } from '../../../src/compiler/compile.ts'
import type { PolicyFinding } from '../../../src/compiler/policy/policy.ts'
import { policyFolder, readPolicies } from '../../../src/compiler/policy/read-policies.ts'
import { treeOf } from '../../support/map-tree.ts'
import { plainRequest } from '../../support/plain-request.js'

/** What is checked, and when. */
export interface Checked {
  readonly manifest: string
  /** Files of the environment, its policies among them. */
  readonly files: Readonly<Record<string, string>>
  readonly node?: string
  readonly now?: string
  readonly facts?: Readonly<Record<string, ExactJson>>
}

/** What policies find in the catalog of a manifest, and what their functions log. */
export function checked({ manifest, files, node = 'web1.example.com', now = '2026-06-15', facts = {} }: Checked) {
  const tree = treeOf(files)
  const modulepath = [{ tree, path: 'modules' }]
  const environment = {
    name: 'production',
    tree,
    modulepath,
    manifest: { text: manifest },
    version: 1,
    globalHiera: undefined,
  }
  const request = {
    ...plainRequest(environment, { facts }),
    node: { name: node, environment: 'production', parameters: {}, classes: [] },
  }
  const { catalog } = compile(request)
  const policies = readPolicies(tree)
  return checkCatalog(catalog, { policies, place: { tree, path: policyFolder }, now: new Date(now) }, request)
}

/** A finding in one line. */
export function lineOf({
  severity,
  rule,
  resource = 'the catalog',
  parameter,
  detail = '',
  exception,
}: PolicyFinding): string {
  const excepted = exception && (exception.isOver ? ` (until ${exception.until})` : ` [until ${exception.until}]`)
  return `${severity} ${rule}: ${resource} ${parameter ?? '-'}: ${detail}${excepted ?? ''}`
}
