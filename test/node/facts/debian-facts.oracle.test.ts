import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { debianModules } from '../../support/debian-modules.ts'
import { without } from '../../support/needs.ts'
import { isNight } from '../../support/nightly.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const missing = without('real Puppet 7.23', "Debian's modules")
/** The facts of apt ask the solver of packages for ten seconds. */
const slow = isNight ? [] : ['apt']

/** Modules with facts in Ruby, all of whose `lib` folders are one, as pluginsync makes it. */
function synced(target: string): string[] {
  const modules = readdirSync(debianModules).filter((name) => existsSync(join(debianModules, name, 'lib')))
  const chosen = modules.filter((name) => !slow.includes(name))
  mkdirSync(target, { recursive: true })
  for (const name of chosen) cpSync(join(debianModules, name, 'lib'), target, { recursive: true, dereference: true })
  return chosen.filter((name) => existsSync(join(debianModules, name, 'lib/facter')))
}

/** Where a run has its folders. */
const ofSettings = ['puppet_vardir', 'puppet_environmentpath', 'puppetversion']

describe.skipIf(missing)(`the Ruby facts of Debian's modules${missing}`, () => {
  it('have the values that real Puppet finds, or none as there', async () => {
    const folder = scratchFolder('debian-facts')
    const library = join(folder, 'var/lib')
    expect(synced(library).length).toBeGreaterThan(15)
    const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
    const real = spawn('puppet', ['facts', 'show', ...places, '--libdir', library, '--basemodulepath', folder], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [own, out, err] = await Promise.all([
      runHere(['facts', 'show', ...places]),
      text(real.stdout),
      text(real.stderr),
    ])
    const core = JSON.parse((await runHere(['facts', 'show', '--no-custom-facts', ...places])).out)
    const known = [...Object.keys(core), ...ofSettings, 'ruby', 'augeas', 'partitions']
    const facts = (json: string) => Object.entries(JSON.parse(json)).filter(([name]) => !known.includes(name))
    const [ours, theirs] = [Object.fromEntries(facts(own.out)), Object.fromEntries(facts(out))]
    expect(ours).toEqual(theirs)
    expect(Object.keys(ours).length).toBeGreaterThan(10)
    expect(errorsOf(own.err)).toEqual(errorsOf(err))
  })
})

/** The facts over which an error was told: in what words depends on the version of Ruby. */
function errorsOf(printed: string): string[] {
  const found = printed.matchAll(/Error: Facter: Error while resolving custom fact fact='([^']+)'/g)
  return [...new Set(Array.from(found, ([, name = '']) => name))].sort()
}
