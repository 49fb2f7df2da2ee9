import type { CompiledCatalog } from '../../compiler/workers/job.ts'
import { isCycleReport } from '../../node/resources/cycle-report.ts'
import type { FailedCompile } from './node-change.ts'
import type { ImpactCode } from './order.ts'

/** Bytes of a catalog above which the place is not looked for: it would hold up the event loop. */
const maxReadBytes = 16 * 1024 * 1024

/** Characters of the circles that are shown. */
const maxShown = 500

/**
 * Why agents would refuse a catalog as a whole: relationships that go in circles, of which the compiler only warns;
 * `undefined` where there are none. The place is that of a resource on the first circle.
 */
export function cyclesOf(
  { logs, body }: Pick<CompiledCatalog, 'logs' | 'body'>,
  { snapshot }: Pick<ImpactCode, 'snapshot'>,
): FailedCompile | undefined {
  const found = logs.find(({ source, message }) => source === 'Puppet' && isCycleReport(message))
  if (!found) return undefined
  const [heading = '', ...ways] = found.message.split('\n')
  const shown = ways.join(' ')
  const root = `${snapshot.trees[0]!.root}/`
  const { file, line } = placeOf(ways[0] ?? '', body)
  return {
    message: `${heading} ${shown.length > maxShown ? `${shown.slice(0, maxShown)}…` : shown}`,
    file: file?.startsWith(root) ? file.slice(root.length) : file,
    line,
    column: undefined,
    hint: 'Agents refuse such a catalog as a whole: take one of the relationships away.',
  }
}

interface Placed {
  readonly type: string
  readonly title: string
  readonly file?: string
  readonly line?: number
}

/** The place of the resource that a circle begins with: `(File[/a] => File[/b] => File[/a])`. */
function placeOf(way: string, body: Uint8Array): Partial<Pick<Placed, 'file' | 'line'>> {
  if (body.length > maxReadBytes) return {}
  const { resources } = JSON.parse(Buffer.from(body).toString()) as { readonly resources: readonly Placed[] }
  return resources.find(({ type, title }) => way.startsWith(`(${type}[${title}] => `)) ?? {}
}
