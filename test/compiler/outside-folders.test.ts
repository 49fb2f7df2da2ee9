import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compile } from '../../src/compiler/compile.ts'
import { ownRuby, type RubyShare } from '../../src/ruby/worker-share.ts'
import { treeOf } from '../support/map-tree.ts'
import { plainRequest } from '../support/plain-request.js'
import { scratchFolder } from '../support/scratch-folder.ts'

const recalling: RubyShare = { ...ownRuby, checkCallsEvery: 0 }
const folder = scratchFolder('outside')
const keys = join(folder, 'keys')
mkdirSync(join(keys, 'below'), { recursive: true })
writeFileSync(join(keys, 'token'), 'secret\n')
writeFileSync(join(keys, 'bytes'), Buffer.from([0, 255]))
writeFileSync(join(folder, 'other'), 'not for code')
symlinkSync(join(folder, 'other'), join(keys, 'link'))
symlinkSync(join(keys, 'token'), join(keys, 'inner'))

const reader = `Puppet::Functions.create_function(:'r::read') do
  dispatch(:read) { param 'String', :path }
  def read(path) = File.read(path)
end
`
const remembering = `Puppet::Functions.create_function(:'r::keep') do
  dispatch(:keep) { param 'String', :path }
  def keep(path) = ($kept ||= File.read(path))
end
`
const looking = `Puppet::Functions.create_function(:'r::look') do
  dispatch(:look) { param 'String', :path }
  def look(path) = [File.exist?(path), File.directory?(path), File.file?(path) && File.size(path), File.directory?(path) ? Dir.children(path).sort : nil]
end
`
const backend = `Puppet::Functions.create_function(:'r::backend') do
  dispatch(:data) { param 'Hash', :options; param 'Puppet::LookupContext', :context }
  def data(options, context) = { 'r::token' => File.read(options['token']).chomp }
end
`
const functions = 'modules/r/lib/puppet/functions/r'
const tree = treeOf({
  [`${functions}/read.rb`]: reader,
  [`${functions}/keep.rb`]: remembering,
  [`${functions}/look.rb`]: looking,
  [`${functions}/backend.rb`]: backend,
  'hiera.yaml': `version: 5
hierarchy:
  - name: keys
    data_hash: r::backend
    options: { token: ${keys}/token }
`,
})

function made(code: string, more: object = { externalFolders: [keys] }) {
  const environment = {
    ...{ name: 'production', tree, modulepath: [{ tree, path: 'modules' }], manifest: { text: code } },
    ...{ version: 1, globalHiera: undefined },
  }
  const { logs, asked } = compile({ ...plainRequest(environment), ...more }, recalling)
  return { messages: logs.map(({ message }) => message), asked: Object.fromEntries(asked) }
}

describe('a folder that Ruby may read', () => {
  it('is read by functions and by backends of Hiera, and recorded', () => {
    const { messages, asked } = made(`notice(r::read('${keys}/token')) notice(lookup('r::token'))`)
    expect(messages).toEqual(['secret\n', 'secret'])
    expect(asked[`{"file":"${keys}/token"}`]).toBe('{"text":"secret\\n"}')
    expect(Object.values(made(`r::read('${keys}/bytes')`).asked)).toContain('{"base64":"AP8="}')
  })

  it.each([
    ['token', '[true, false, 7, undef]'],
    ['inner', '[true, false, 7, undef]'],
    ['none', '[false, false, false, undef]'],
    ['link', '[false, false, false, undef]'],
    ['../other', '[false, false, false, undef]'],
    ['', "[true, true, false, ['below', 'bytes', 'inner', 'link', 'token']]"],
    ['below', '[true, true, false, []]'],
  ])('has %j as %s', (path, expected) => {
    expect(made(`notice(String(r::look('${keys}/${path}'), '%p'))`).messages).toEqual([expected])
  })

  it('is read again for each catalog, whatever Ruby keeps in mind', () => {
    for (const text of ['one', 'two', 'two', 'one']) {
      writeFileSync(join(keys, 'changing'), text)
      const { messages, asked } = made(`notice(r::read('${keys}/changing')) notice(r::keep('${keys}/changing'))`)
      expect(messages).toEqual([text, text])
      expect(asked[`{"file":"${keys}/changing"}`]).toBe(`{"text":"${text}"}`)
    }
  })

  it('is made again from what was recorded', () => {
    writeFileSync(join(keys, 'gone'), 'now')
    const code = `notice(r::read('${keys}/gone')) notice(r::look('${keys}/none')) notice(r::look('/etc'))`
    const live = made(code)
    writeFileSync(join(keys, 'gone'), 'later')
    const given = (question: string) => live.asked[question] ?? '{"absent":true}'
    expect(made(code, { inputs: given }).messages).toEqual(live.messages)
  })

  it('is named where it is not in the setting', () => {
    let error: unknown
    try {
      made(`r::read('${keys}/token')`, {})
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({
      message: expect.stringContaining(`No such file or directory @ rb_sysopen - ${keys}/token`),
      diagnostic: { hint: expect.stringContaining('external_folders') },
    })
  })
})
