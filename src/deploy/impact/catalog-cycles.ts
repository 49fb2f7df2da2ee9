import type { CompiledCatalog } from '../../compiler/workers/compile-job.ts'
import { isCycleReport } from '../../node/resources/cycle-report.ts'
import type { ImpactCode } from './impact-request.ts'
import type { FailedCompile } from './node-change.ts'

/** Size of a catalog in bytes above which the source location is not searched, because that blocks the event loop. */
const maxReadBytes = 16 * 1024 * 1024

/** Maximum number of characters of printed cycles. */
const maxShown = 500

/**
 * The error of a catalog with dependency cycles, located at a resource of the first cycle; `undefined` if there are no
 * cycles. The compiler only warns about cycles, but agents reject the catalog.
 */
export function findCycleError(
  { logs, body }: Pick<CompiledCatalog, 'logs' | 'body'>,
  { snapshot }: Pick<ImpactCode, 'snapshot'>,
): FailedCompile | undefined {
  const found = logs.find(({ source, message }) => source === 'Puppet' && isCycleReport(message))
  if (!found) return undefined
  const [heading = '', ...ways] = found.message.split('\n')
  const shown = ways.join(' ')
  const root = `${snapshot.trees[0]!.root}/`
  const { file, line } = findCyclePlace(ways[0] ?? '', body)
  return {
    message: `${heading} ${shown.length > maxShown ? `${shown.slice(0, maxShown)}…` : shown}`,
    file: file?.startsWith(root) ? file.slice(root.length) : file,
    line,
    column: undefined,
    hint: 'Remove one of the relationships: agents reject a catalog with a cycle.',
  }
}

interface Placed {
  readonly type: string
  readonly title: string
  readonly file?: string
  readonly line?: number
}

/** The location of the first resource of a cycle: `(File[/a] => File[/b] => File[/a])`. */
function findCyclePlace(way: string, body: Uint8Array): Partial<Pick<Placed, 'file' | 'line'>> {
  if (body.length > maxReadBytes) return {}
  const { resources } = JSON.parse(Buffer.from(body).toString()) as { readonly resources: readonly Placed[] }
  return resources.find(({ type, title }) => way.startsWith(`(${type}[${title}] => `)) ?? {}
}
