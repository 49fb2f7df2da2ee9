import { defineIssues, throwIssue } from '../base/issue.ts'
import { formatSuggestion } from '../base/text/name-suggestions.ts'
import type { CodeTree } from '../code/environments/code-tree.ts'
import { listManifests } from '../code/environments/manifest-paths.ts'
import type { Expression, Program } from '../language/syntax/tree/nodes.ts'
import type { Catalog } from '../model/catalog.ts'
import { beginCompilation } from './begin/compilation-setup.ts'
import { getFrame } from './catalog/compilation.ts'
import { checkPolicies } from './policy/check-policies.ts'
import type { CallFunction, Policies, PolicyFinding } from './policy/policy.ts'
import { toCatalogError } from './request/catalog-error.ts'
import type { CompileLog, CompileRequest } from './request/compile-request.ts'

const issues = defineIssues({
  POLICY_CODE: {
    text: (_: object) => 'Policy code can contain only functions and type aliases',
    hint: () => 'The check of a catalog calls only the functions that rules name.',
  },
  POLICY_NO_FUNCTION: {
    text: (a: { name: string; folder: string; known: readonly string[] }) =>
      `Could not find function ${a.name} in the manifests of ${a.folder} or in a module`,
    hint: (a) => formatSuggestion(a.name, a.known),
  },
})

/** The folder that contains policies: rules, and manifests that define the functions of the rules. */
export interface PolicyPlace {
  readonly tree: CodeTree
  readonly path: string
}

/** The policies to check, and their folder. */
export interface CatalogCheck {
  readonly policies: Policies
  readonly place: PolicyPlace
  readonly now: Date
}

/**
 * Checks a node's catalog against policies. The request must be the request of the catalog's compilation, or an
 * equivalent request: policy functions can read its facts and data, and can call functions of its modules. Throws
 * CatalogError if the policies cannot be loaded.
 */
export function checkCatalog(
  catalog: Catalog,
  { policies, place, now }: CatalogCheck,
  request: CompileRequest,
): { readonly findings: readonly PolicyFinding[]; readonly logs: readonly CompileLog[] } {
  const logs: CompileLog[] = []
  const hasFunctions = policies.rules.some(({ test }) => test.kind === 'function')
  const call = hasFunctions ? createFunctionCaller(place, request, logs) : () => undefined
  return { findings: checkPolicies(catalog, policies, { now, call }), logs }
}

/** Returns functions that policies can call. They have no access to resources, programs, the store or other nodes. */
function createFunctionCaller({ tree, path }: PolicyPlace, request: CompileRequest, logs: CompileLog[]): CallFunction {
  const paths = tree.entry(path)?.kind === 'directory' ? listManifests(tree, path) : []
  const manifest = paths.length === 0 ? undefined : { tree, path }
  const environment = { ...request.environment, manifest }
  const own = {
    ...request,
    environment,
    generators: [],
    askStore: undefined,
    askOutside: undefined,
    externalFolders: [],
    searchExports: undefined,
  }
  const wrapCatalogErrors = <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      throw toCatalogError(error, own, logs)
    }
  }
  const compilation = wrapCatalogErrors(() => {
    const begun = beginCompilation(own, logs, { makesCatalog: false })
    for (const code of getFrame(begun, begun.top).definition.body) checkPolicyManifest(code)
    return begun
  })
  const { host, top } = compilation
  const definitions = paths.length === 0 ? [] : listDefinedFunctions(getFrame(compilation, top).definition.body)
  return (name, args) =>
    wrapCatalogErrors(() => {
      const folder = path === '' ? tree.root : `${tree.root}/${path}`
      const known = host.findFunction(name, top)
      if (!known)
        return throwIssue(issues.POLICY_NO_FUNCTION, { name, folder, known: [...definitions, ...host.functionNames()] })
      return known.call({ host, scope: top, span: undefined }, args)
    })
}

type Code = readonly (Expression | Program)[]

/** Rejects code that policy manifests must not contain. Throws POLICY_CODE. */
function checkPolicyManifest(code: Expression | Program): void {
  for (const { kind, span } of listStatements(code))
    if (kind !== 'FunctionDefinition' && kind !== 'TypeAlias' && kind !== 'Nop')
      throwIssue(issues.POLICY_CODE, {}, span)
}

function listStatements(code: Expression | Program): readonly Expression[] {
  const body = code.kind === 'Program' ? code.body : code
  return body.kind === 'Block' ? body.statements : [body]
}

function listDefinedFunctions(code: Code): string[] {
  return code.flatMap(listStatements).flatMap((each) => (each.kind === 'FunctionDefinition' ? [each.name] : []))
}
