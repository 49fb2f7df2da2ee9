// One warm Ruby process that compiles with Puppet's compiler: the kindest thing that `puppet catalog compile` can be.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { factsNow } from './client.js'
import { certname } from './control-repository.js'
import { spread } from './measures.js'

const script = fileURLToPath(new URL('ruby.rb', import.meta.url))

/** The median of some compilations after a few that warm it up; `undefined` where there is no Puppet. */
export function rubyCatalogs(folder, { work }, count) {
  const facts = join(folder, 'facts.json')
  writeFileSync(facts, JSON.stringify(factsNow().values))
  const warmUp = 3
  const words = [script, work, certname, facts, String(count + warmUp)]
  const { status, stdout, stderr } = spawnSync('ruby', words, { encoding: 'utf8', maxBuffer: 1 << 24 })
  if (status !== 0) {
    if (/cannot load such file -- puppet/.test(stderr) || status === null) return undefined
    throw new Error(stderr)
  }
  const { milliseconds, resources } = JSON.parse(stdout)
  return { ...spread(milliseconds.slice(warmUp)), resources }
}
