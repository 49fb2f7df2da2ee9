import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { type ApplyCase, prepare } from './apply-case.ts'
import { cleaned, type Run } from './run.ts'
import { hasRecords } from './system-of.ts'

const oracle = resolve(import.meta.dirname, '../../../oracle/apply.rb')

interface Job {
  readonly name: string
  readonly folder: string
  readonly etc: string | undefined
}

/** Applies cases with real Puppet: the runs of each. */
export function realRuns(
  scratch: string,
  cases: Readonly<Record<string, ApplyCase>>,
): ReadonlyMap<string, readonly Run[]> {
  const jobs = Object.entries(cases).flatMap(([name, each]) => {
    const { folder, vardir, manifests, bin, etc } = prepare(scratch, name, 'real', each)
    const words = ['--confdir', join(scratch, 'etc'), '--modulepath', join(scratch, 'modules'), '--certname', 'vm']
    words.push('--color=false', '--detailed-exitcodes', '--show_diff', '--no-preprocess_deferred')
    if (each.noop) words.push('--noop')
    if (each.tags !== undefined) words.push('--tags', each.tags)
    const records = hasRecords(each) ? join(folder, 'etc') : undefined
    return manifests.map((manifest, index) => {
      const before = index === 0 ? undefined : each.between?.replaceAll('@', folder)
      return {
        name,
        folder,
        vardir,
        words: [...words, '-e', manifest],
        bin,
        etc,
        records,
        facts: each.facts,
        before,
        remembers: each.remembers,
      }
    })
  })
  const found = new Map<string, Run[]>()
  const keep = (some: readonly Job[]) => {
    for (const [index, run] of realRun(some).entries()) {
      const { name, folder } = some[index]!
      found.set(name, [...(found.get(name) ?? []), cleaned(run, folder)])
    }
  }
  keep(jobs.filter(({ etc }) => etc === undefined))
  for (const place of new Set(jobs.flatMap(({ etc }) => etc ?? []))) keep(jobs.filter(({ etc }) => etc === place))
  return found
}

function realRun(jobs: readonly Job[]): readonly Run<string>[] {
  if (jobs.length === 0) return []
  const { etc } = jobs[0]!
  const enter = etc === undefined ? [] : ['unshare', '-m', 'sh', '-c', 'mount --bind "$0" /etc && exec "$@"', etc]
  const [program = '', ...words] = [...enter, 'ruby', '-W0', oracle]
  const input = JSON.stringify(jobs)
  const { stdout, stderr } = spawnSync(program, words, { input, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as readonly Run<string>[]
}
