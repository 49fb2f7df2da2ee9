import type { ProviderWork } from '../../provider.ts'
import { runProviderProgram } from '../../provider.ts'
import type { augeasType } from '../../types/augeas.ts'
import type { AugeasCommand } from './augeas-commands.ts'

/** The argument of the augeas provider's functions: one resource. */
export type AugeasWork = ProviderWork<(typeof augeasType)['attributes'], undefined>

/** The output of an augtool session: the result of each query, and the errors. */
export interface AugtoolAnswer {
  readonly printed: readonly string[]
  readonly errors: string
}

/** A node returned by a query, with its value. */
export interface FoundNode {
  readonly path: string
  readonly value: string | undefined
}

/** Timeout in seconds; loading can parse all files of a machine with all lenses. */
const timeout = 300

/**
 * Runs augtool: loads the tree required by the resource and executes commands. A query with a known
 * result follows each command, to separate their outputs.
 */
export async function runAugtool(work: AugeasWork, commands: readonly AugeasCommand[]): Promise<AugtoolAnswer> {
  const { resource, system } = work
  const words = ['augtool', '-r', resource.get('root') ?? '/']
  for (const folder of resource.get('load_path') ?? []) if (folder !== '') words.push('-I', folder)
  if (resource.get('type_check') === 'true') words.push('-c')
  words.push(resource.has('incl') ? '--noautoload' : '--noload')
  const formatMark = (index: number) => `/augeas/plumb-${index}`
  const lines = [...listLoadCommands(work), ['get', formatMark(0)] as const].map(formatCommand)
  for (const [index, command] of commands.entries())
    lines.push(formatCommand(command), formatCommand(['get', formatMark(index + 1)]))
  const { stdout, stderr } = await runProviderProgram(system, words, { input: `${lines.join('\n')}\n`, timeout })
  let rest = stdout
  const printed = [0, ...commands.map((_, index) => index + 1)].map((index) => {
    const end = `${formatMark(index)} (o)\n`
    const at = rest.indexOf(end)
    if (at < 0) throw new Error(`augtool exited unexpectedly: ${stderr.trim()}`)
    const own = rest.slice(0, at)
    rest = rest.slice(at + end.length)
    return own
  })
  return { printed: printed.slice(1), errors: stderr }
}

/** Commands that load one file with one lens, or the files that the context requires. */
function listLoadCommands({ resource }: AugeasWork): readonly AugeasCommand[] {
  const [lens, incl] = [resource.get('lens'), resource.get('incl')]
  if (lens !== undefined && incl !== undefined)
    return [['set', '/augeas/load/Xfm/lens', lens], ['set', '/augeas/load/Xfm/incl', incl], ['load']]
  const folder = getContextFolder(resource.get('context') ?? '')
  if (folder === undefined) return [['load']]
  const formatLensCondition = (operator: string) => `'${folder}' ${operator} glob(incl) + regexp('/.*')`
  // Removes lenses that cannot apply to the context, but keeps all if none would remain.
  return [
    ['defvar', 'plumb_meant', `/augeas/load/*[${formatLensCondition('=~')}]`],
    ['rm', `/augeas/load/*[count($plumb_meant) > 0][${formatLensCondition('!~')}]`],
    ['load'],
  ]
}

/** The folder of a context: `/etc/ssh/` for `/files/etc/ssh`; undefined if the context is not a plain path. */
export function getContextFolder(context: string): string | undefined {
  if (!/^\/files[^'"[\]]+$/.test(context)) return undefined
  const path = context.slice('/files'.length)
  return path.endsWith('/') ? path : `${path}/`
}

function formatCommand([name, ...words]: AugeasCommand): string {
  return [name, ...words.map((word) => quoteWord(String(word)))].join(' ')
}

function quoteWord(word: string): string {
  return `"${word.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`
}

/** Parses the nodes in the output of `match`: one line each, more for a multiline value. */
export function parseMatchedNodes(printed: string): readonly FoundNode[] {
  const found: { path: string; value: string | undefined }[] = []
  for (const line of printed.split('\n').slice(0, -1)) {
    const at = line.indexOf(' = ')
    const last = found.at(-1)
    if (line.startsWith('/') && at > 0) {
      const value = line.slice(at + 3)
      found.push({ path: line.slice(0, at), value: value === '(none)' ? undefined : value })
    } else if (last?.value !== undefined) last.value += `\n${line}`
  }
  return found
}
