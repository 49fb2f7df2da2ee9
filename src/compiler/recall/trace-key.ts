import { hash } from 'node:crypto'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { listEnvironmentTrees } from '../reads/compilation-reads.ts'
import type { CompileRequest } from '../request/compile-request.ts'

/** Version of the trace format; traces of other versions are not read. */
const form = 2

/**
 * Returns a digest of the inputs that are compared as a whole: the node's classes, the settings, the structure of the
 * environment, and Plumb's version. Code, facts, trusted data and node parameters are compared only as far as the
 * compilation read them.
 */
export function computeTraceKey(request: CompileRequest, version: string): string {
  const { node, serverFacts, staticChecksum, keyFolders, generators, settings } = request
  const { strict, strictVariables, debug, wantsFull, codeId } = request
  return hash(
    'sha256',
    formatExactJson([
      ...[form, version, getEnvironmentShape(request)],
      ...[{ ...node, facts: undefined, parameters: undefined } as unknown as ExactJson],
      serverFacts,
      // Some values are Infinity, which JSON cannot contain.
      Object.entries(settings).map(([name, value]) => [name, typeof value, String(value)]),
      ...[staticChecksum ?? null, keyFolders ?? [], generators ?? [], strict ?? null, strictVariables ?? null],
      ...[debug ?? false, wantsFull ?? false, codeId !== undefined],
      ...[request.searchExports !== undefined, request.askStore !== undefined, request.askOutside !== undefined],
      request.externalFolders ?? [],
      ...[request.staticScope ?? null, request.keepsExported ?? false],
    ]),
    'base64',
  )
}

function getEnvironmentShape({ environment }: CompileRequest): ExactJson {
  const { name, modulepath, manifest, globalHiera } = environment
  const trees = listEnvironmentTrees(environment)
  const getTreeIndex = (tree: CodeTree | undefined) => (tree ? trees.indexOf(tree) : null)
  return [
    ...[name, trees.map(({ root }) => root), modulepath.map(({ tree, path }) => [getTreeIndex(tree), path])],
    manifest && ('text' in manifest ? [manifest.text] : [getTreeIndex(manifest.tree), manifest.path]),
    globalHiera ? [getTreeIndex(globalHiera.tree), globalHiera.path] : null,
  ].map((each) => each ?? null)
}
