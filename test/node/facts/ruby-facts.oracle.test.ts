import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const withoutFacter = without('Facter')
const folder = scratchFolder('ruby-facts')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]

function folderWith(files: Readonly<Record<string, string>>): string {
  const made = scratchFolder('custom-facts')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text)
  return made
}

const own = (...words: readonly string[]) => runHere(['facts', ...words, ...places])

/** Messages without times, colours, addresses of objects, and the lines of code that newer Rubies show below errors. */
function messages(text: string): string[] {
  const plain = text.replaceAll(/\u001b\[\d*m/g, '')
  const found = plain.matchAll(/^\[.*? \] (\w+ .*)$/gm)
  return Array.from(found, ([, message = '']) => message.trim()).filter(
    (message) => !message.includes('/proc/1/environ'),
  )
}

/** Values of facts that come from files of Ruby, not from the machine. */
function added(json: string, without: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(JSON.parse(json)).filter(([name]) => !(name in without)))
}

describe.skipIf(withoutFacter)(`facts in Ruby are those of Facter${withoutFacter}`, () => {
  it('in values, errors and warnings', async () => {
    const custom = resolve(import.meta.dirname, 'ruby')
    const later = folderWith({
      'later.rb': "Facter.add(:later) { setcode { 'later' } }",
      'raise.rb': "raise 'at top'",
      'require.rb': "require 'nosuchlib'",
    })
    const external = folderWith({ 'e.txt': 'ext=file' })
    const words = ['-j', '--custom-dir', custom, '--custom-dir', later, '--external-dir', external]
    const plain = JSON.parse((await own('-j', '--no-external-facts')).out)
    const real = spawnSync('facter', words, { encoding: 'utf8' })
    const { out, err, status } = await own(...words)
    const { kernel, kernelrelease, ...rest } = plain
    const machine = { ...rest, ruby: 1, augeas: 1, partitions: 1 }
    expect(added(out, machine)).toEqual(added(real.stdout, machine))
    expect(messages(err)).toEqual(messages(real.stderr))
    expect(status).toBe(1)
  })

  it('in what is not UTF-8', async () => {
    const custom = folderWith({
      'bytes.rb': String.raw`
        Facter.add(:latin) { setcode { "caf\xE9" } }
        Facter.add(:inside) { setcode { ["caf\xE9".b, { 'k' => 1 }] } }
        Facter.add(:key) { setcode { { "caf\xE9" => 1 } } }
        Facter.add(:iso) { setcode { "caf\xE9".dup.force_encoding('ISO-8859-1') } }
        Facter.add(:command) { setcode "printf 'caf\\351'" }
        Facter.add(:executed) { setcode { Facter::Core::Execution.execute("printf 'caf\\351'") } }`,
    })
    const words = ['--json', '--custom-dir', custom, 'latin', 'inside', 'key', 'iso', 'command', 'executed']
    const real = spawnSync('facter', words, { encoding: 'utf8' })
    const { out, err } = await own(...words)
    expect(messages(real.stderr)).toHaveLength(5)
    expect(messages(err).toSorted()).toEqual(messages(real.stderr).toSorted())
    expect(JSON.parse(out)).toEqual(JSON.parse(real.stdout))
  })
})
