import type { ThreadState } from '../../compiler/workers/pool-options.ts'

/** Current work of each compile thread, by thread number, in the format of Puppet Server's JRuby thread dump. */
export function createThreadDump(threads: readonly ThreadState[]): Readonly<Record<string, object>> {
  return Object.fromEntries(
    threads.map((thread) => [
      thread.lane === 'background' ? `background-${thread.number}` : String(thread.number),
      { 'thread-dump': formatThreadWork(thread), lane: thread.lane, work: thread.work ?? null },
    ]),
  )
}

function formatThreadWork({ work }: ThreadState): string {
  if (!work) return 'idle'
  const { node, environment, codeId, ms, ruby } = work
  const code = codeId === undefined ? environment : `${environment} at ${codeId}`
  const compiling = `has compiled the catalog of ${node}, environment ${code}, for ${Math.round(ms)} ms`
  if (!ruby) return compiling
  return `${compiling}\n  in Ruby for ${ruby.ms} ms${ruby.place === '' ? '' : `, called at ${ruby.place}`}`
}
