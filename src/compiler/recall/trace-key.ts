import { hash } from 'node:crypto'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { treesOf } from '../reads/reads.ts'
import type { CompileRequest } from '../request/compile-request.ts'

/** The form of traces: those of another one are not understood. */
const form = 2

/**
 * Names all that a catalog is a function of but for what is compared as far as it is read: code, facts, trusted data, and the
 * node's parameters. That is the node's classes, settings, the shape of the environment, our own version.
 */
export function traceKey(request: CompileRequest, version: string): string {
  const { node, serverFacts, staticChecksum, keyFolders, generators, settings } = request
  const { strict, strictVariables, debug, wantsFull, codeId } = request
  return hash(
    'sha256',
    printJson([
      ...[form, version, shapeOf(request)],
      ...[{ ...node, facts: undefined, parameters: undefined } as unknown as ExactJson],
      serverFacts,
      // Some are Infinity, which JSON has not.
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

function shapeOf({ environment }: CompileRequest): ExactJson {
  const { name, modulepath, manifest, globalHiera } = environment
  const trees = treesOf(environment)
  const at = (tree: CodeTree | undefined) => (tree ? trees.indexOf(tree) : null)
  return [
    ...[name, trees.map(({ root }) => root), modulepath.map(({ tree, path }) => [at(tree), path])],
    manifest && ('text' in manifest ? [manifest.text] : [at(manifest.tree), manifest.path]),
    globalHiera ? [at(globalHiera.tree), globalHiera.path] : null,
  ].map((each) => each ?? null)
}
