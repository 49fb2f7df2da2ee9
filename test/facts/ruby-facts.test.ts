import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { rubyFactsWarning } from '../../src/facts/ruby-facts.ts'
import { localSystem } from '../../src/system/local-system.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

/** The warning about a folder of plug-ins with these files, without the words that are always the same. */
async function namedIn(files: Readonly<Record<string, string>>): Promise<string | undefined> {
  const folder = scratchFolder('facts')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const warning = await rubyFactsWarning(localSystem.files, [folder, '/nonexistent'])
  return warning?.replace('Facts that modules bring in Ruby are not run yet, and catalogs are made without them: ', '')
}

it.each([
  ['a symbol', "Facter.add(:apache_version) do\n  setcode { '2.4' }\nend\n", 'apache_version'],
  ['text', `Facter.add('one') do\nend\nFacter.add "two", :type => :aggregate do\nend\n`, 'one, two'],
  ['a symbol in quotes', `Facter.add(:"with-dash") { }`, 'with-dash'],
  ['a name that is put together', `Facter.add("disk_#{name}") { }`, 'facter/a.rb'],
  ['a name from elsewhere', `names.each { |name| Facter.add(name) { } }`, 'facter/a.rb'],
  ['a name and another that is put together', `Facter.add(:one) { }\nFacter.add("b_#{c}") { }`, 'facter/a.rb, one'],
  ['facts that a library adds', `require 'facter/util/disks'\nFacter::Util::Disks.add_all\n`, 'facter/a.rb'],
  ['a name with a dot', `Facter.add('a.b') { }`, 'facter/a.rb'],
  ['nothing but comments', `# Facter.add(:old) { }\n\n  # no more\n`, undefined],
])('names a fact that is called by %s', async (_, code, named) => {
  expect(await namedIn({ 'facter/a.rb': code })).toBe(named)
})

it('looks where facts are, and nowhere else', async () => {
  const fact = 'Facter.add(:no) { }'
  expect(
    await namedIn({ 'facter/util/a.rb': fact, 'puppet/type/b.rb': fact, 'facter/a.rb.orig': fact }),
  ).toBeUndefined()
})

it('names each once, and no more than a line can hold', async () => {
  const facts = Array.from({ length: 50 }, (_, index) => `Facter.add(:fact_${String(index).padStart(2, '0')}) { }`)
  const warning = await namedIn({ 'facter/a.rb': facts.join('\n'), 'facter/b.rb': facts.join('\n') })
  expect(warning).toMatch(/^fact_00, fact_01, .*, fact_19 and 30 more$/)
  expect(await namedIn({ 'facter/a.rb': `Facter.add(:${'x'.repeat(200)}) { }` })).toBe('x'.repeat(80))
  expect(await namedIn({ 'facter/\u001b[2J.rb': 'Facter.add(name) { }' })).toBe('facter/\\x1b[2J.rb')
})
