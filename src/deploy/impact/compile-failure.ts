import { isIssue, PuppetError } from '../../base/issue.ts'
import { CompileError } from '../../compiler/workers/compile-error.ts'
import { poolIssues } from '../../compiler/workers/issues.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { ImpactCode } from './impact-request.ts'
import type { FailedCompile } from './node-change.ts'

/** Returns true for an error that is not caused by code: no thread was available. */
export function isServerFault(error: unknown): boolean {
  const { COMPILE_QUEUE_FULL, NODE_QUEUE_FULL, CLIENT_GONE, COMPILE_POOL_CLOSED } = poolIssues
  return isIssue(error, COMPILE_QUEUE_FULL, NODE_QUEUE_FULL, CLIENT_GONE, COMPILE_POOL_CLOSED)
}

/** Returns the reason for a failed compilation, equal for all nodes with the same cause. */
export function toFailedCompile(
  error: unknown,
  node: string,
  { snapshot }: Pick<ImpactCode, 'snapshot'>,
): FailedCompile {
  const bare = error instanceof CompileError ? error.bare : undefined
  const hint = error instanceof PuppetError ? error.diagnostic.hint : undefined
  const { message, file, ...rest } = bare ?? {
    message: formatError(error),
    file: undefined,
    line: undefined,
    column: undefined,
    hint,
  }
  const root = `${snapshot.trees[0]!.root}/`
  return {
    ...rest,
    message: removeNodeName(message, node).replaceAll(root, ''),
    file: file?.startsWith(root) ? file.slice(root.length) : file,
  }
}

/** Removes the node name that ends some of Puppet's messages. */
function removeNodeName(message: string, node: string): string {
  const ending = [` on node ${node}`, ` for ${node}`].find((each) => message.endsWith(each))
  return ending === undefined ? message : message.slice(0, -ending.length)
}
