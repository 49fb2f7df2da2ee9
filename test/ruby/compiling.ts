import { compile } from '../../src/compiler/compile.ts'
import type { CompileRequest } from '../../src/compiler/request/compile-request.ts'
import { ownRuby, type RubyShare } from '../../src/ruby/worker-share.ts'
import { treeOf } from '../support/map-tree.ts'
import { plainRequest } from '../support/plain-request.js'

/** What manifests noticed that use the modules in `files`; names begin with `modules/`. */
export function noticed(
  files: Readonly<Record<string, string>>,
  code: string,
  environment = 'production',
  time = 0,
  known: Partial<CompileRequest> = { facts: { os: { family: 'Debian' } }, trusted: { certname: 'n1' } },
  share: RubyShare = ownRuby,
): string[] {
  const tree = { ...treeOf(files, `/code/${environment}`), time }
  const modulepath = [{ tree, path: 'modules' }]
  const parts = { name: environment, tree, modulepath, manifest: { text: code }, version: 1, globalHiera: undefined }
  const { logs } = compile(plainRequest(parts, known), share)
  return logs.map(({ message }) => message)
}

/** Why the catalog could not be made, in one line, and the hint. */
export function refusal(files: Readonly<Record<string, string>>, code: string): string {
  try {
    return `nothing was wrong: ${noticed(files, code).join()}`
  } catch (error) {
    return (error as Error).message
  }
}
