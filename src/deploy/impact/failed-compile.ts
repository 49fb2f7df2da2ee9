import { isIssue, PuppetError } from '../../base/issue.ts'
import { CompileError } from '../../compiler/workers/compile-error.ts'
import { poolIssues } from '../../compiler/workers/issues.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { FailedCompile } from './node-change.ts'
import type { ImpactCode } from './order.ts'

/** True of an error that tells nothing about code: there was no thread to compile it. */
export function isOurFault(error: unknown): boolean {
  const { COMPILE_QUEUE_FULL, NODE_QUEUE_FULL, CLIENT_GONE, COMPILE_POOL_CLOSED } = poolIssues
  return isIssue(error, COMPILE_QUEUE_FULL, NODE_QUEUE_FULL, CLIENT_GONE, COMPILE_POOL_CLOSED)
}

/** Why a node has no catalog: the same for all nodes for which the reason is the same. */
export function failedCompile(error: unknown, node: string, { snapshot }: Pick<ImpactCode, 'snapshot'>): FailedCompile {
  const bare = error instanceof CompileError ? error.bare : undefined
  const hint = error instanceof PuppetError ? error.diagnostic.hint : undefined
  const { message, file, ...rest } = bare ?? {
    message: errorText(error),
    file: undefined,
    line: undefined,
    column: undefined,
    hint,
  }
  const root = `${snapshot.trees[0]!.root}/`
  return {
    ...rest,
    message: withoutNode(message, node).replaceAll(root, ''),
    file: file?.startsWith(root) ? file.slice(root.length) : file,
  }
}

/** Puppet names the node at the end of some of its messages. */
function withoutNode(message: string, node: string): string {
  const ending = [` on node ${node}`, ` for ${node}`].find((each) => message.endsWith(each))
  return ending === undefined ? message : message.slice(0, -ending.length)
}
