import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('deferred')
const modules = ['../resources/beside-puppet/modules', 'modules']
  .map((path) => resolve(import.meta.dirname, path))
  .join(':')

/** Applies a manifest, `@` standing for a folder of its own. */
export async function applied(name: string, manifest: string, ...words: string[]) {
  const place = join(folder, name)
  const places = ['--confdir', join(place, 'etc'), '--vardir', join(place, 'var'), '--modulepath', modules]
  const code = `file { '${place}/f': ensure => directory } ${manifest.replaceAll('@', `${place}/f`)}`
  const { status, out, err } = await runHere(['apply', ...places, '--detailed-exitcodes', ...words, '-e', code])
  const state = ['last_run_report.yaml', 'transactionstore.yaml', 'state.yaml'].map((file) =>
    join(place, 'var/state', file),
  )
  const kept = state.flatMap((file) => (existsSync(file) ? [readFileSync(file, 'utf8')] : [])).join('')
  return { status, said: `${out}${err}`.replaceAll(`${place}/f`, '@').split('\n'), place: join(place, 'f'), kept }
}
