import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { deleteConfValue, setConfValue } from '../../../src/machine/settings/puppet-conf-editor.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'

const texts = [
  '',
  '# only a comment\n',
  'certname = a\n',
  '[main]\n  certname =   a   \n# note\n\n[agent]\nserver=b\n',
  '[agent]\nserver = b\n',
  'x = 1\n[agent]\nserver = b\n\n[main]\ny = 2\n',
  '[main]\n\n[agent]\n# server = no\n[main]\nnoop = true',
  '[agent]\n[server]\nfoo = bar\n\n\n',
  '[main]\nserver = a # b\nserver = c\n\t[agent] \n  odd line\n',
]
const edits = [
  ['main', 'certname'],
  ['main', 'new'],
  ['agent', 'server'],
  ['server', 'foo'],
  ['user', 'noop'],
] as const
const cases = texts.flatMap((text) => edits.map(([section, name]) => ({ text, section, name })))

/** Real Puppet's texts, after setting and after deleting. */
function puppetEdits(): readonly { readonly set: string; readonly deleted: string | null; readonly line: string }[] {
  const script = `
    require 'json'; require 'stringio'; require 'puppet'; require 'puppet/settings/ini_file'
    puts JSON.parse($stdin.read).map { |c|
      set = StringIO.new(c['text'].dup)
      Puppet::Settings::IniFile.update(set) { |config| config.set(c['section'], c['name'], 'new value') }
      gone = StringIO.new(c['text'].dup)
      line = nil
      Puppet::Settings::IniFile.update(gone) { |config| line = config.delete(c['section'], c['name']) }
      { set: set.string, deleted: line && gone.string, line: line.to_s.strip }
    }.to_json`
  return JSON.parse(execFileSync('ruby', ['-e', script], { input: JSON.stringify(cases), encoding: 'utf8' }))
}

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

describe('an edit of puppet.conf', () => {
  it('leaves the bytes that real Puppet leaves', () => {
    const ours = cases.map(({ text, section, name }) => {
      const deleted = deleteConfValue(text, section, name)
      const set = setConfValue(text, section, name, 'new value')
      return { set, deleted: deleted?.text ?? null, line: deleted?.line ?? '' }
    })
    const real = puppet.one('the edits', cases, puppetEdits)
    expect(ours).toHaveLength(45)
    for (const [index, each] of ours.entries()) expect([cases[index], each]).toEqual([cases[index], real[index]])
  })

  it('keeps line ends of other systems', () => {
    expect(setConfValue('[main]\r\nx = 1\r\n', 'main', 'x', '2')).toBe('[main]\r\nx = 2\r\n')
  })
})
