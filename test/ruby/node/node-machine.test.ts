import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../src/base/json/json-checks.ts'
import { NodeRuby } from '../../../src/ruby/node/node-ruby.ts'
import { createRubySandbox } from '../../../src/ruby/ruby-sandbox.ts'
import { createMemoryFiles } from '../../../src/ruby/wasi/guest-files.ts'
import { ownRuby } from '../../../src/ruby/worker-share.ts'
import { nativeRuby } from '../../support/native-ruby.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('node-machine')
const options = {
  root: '',
  settings: {},
  nativeRuby,
  facts: { kernel: 'Linux' },
  loadPath: [join(folder, 'lib')],
  env: { PATH: process.env['PATH'] ?? '', HOME: '/root', GREETING: 'hello' },
  cwd: folder,
  debug: false,
}
describe("a node's Ruby on its thread", () => {
  const lines: string[] = []
  const ruby = new NodeRuby(options, ({ level, message }) => lines.push(`${level}: ${message}`))
  afterAll(() => ruby.close())

  it('answers, logs and fails without holding this thread up', async () => {
    expect(await ruby.call('evaluate', ["Puppet.warning('careful'); { 'a' => [1, 1.5, nil, :b] }", '/t.rb'])).toEqual({
      a: [1, 1.5, null, 'b'],
    })
    expect(lines).toEqual(['warning: careful'])
    await expect(ruby.call('evaluate', ["raise ArgumentError, 'no'", '/t.rb'])).rejects.toMatchObject({
      message: 'no',
      kind: 'ArgumentError',
      place: { file: '/t.rb', line: 1 },
    })
  })

  it('can be ended while it loops', async () => {
    const looping = new NodeRuby(options, () => {})
    const begun = join(folder, 'begun')
    const call = looping.call('evaluate', [`File.write('${begun}', ''); loop {}`, '/t.rb'])
    await expect.poll(() => existsSync(begun)).toBe(true)
    await looping.close()
    await expect(call).rejects.toThrow('stopping')
  })
})

describe("the machine of a catalog's compilation", () => {
  const compiling = createRubySandbox(ownRuby.image(), {
    'code/env': createMemoryFiles(new Map([['a', Buffer.from('a')]])),
  })

  it.each<[string, string | number | boolean | null]>([
    ["File.read('/code/env/a')", 'a'],
    ["File.read('/etc/passwd')", 'No such file or directory @ rb_sysopen - /etc/passwd'],
    ["File.write('/code/env/a', 'b')", 'Read-only file system @ rb_sysopen - /code/env/a'],
    ["File.write('/tmp/a', 'b')", 'Read-only file system @ rb_sysopen - /tmp/a'],
    ["Dir.mkdir('/code/env/d')", 'Read-only file system @ dir_s_mkdir - /code/env/d'],
    ["File.unlink('/code/env/a')", 'Read-only file system @ apply2files - /code/env/a'],
    [
      "File.rename('/code/env/a', '/code/env/b')",
      'Read-only file system @ rb_file_s_rename - (/code/env/a, /code/env/b)',
    ],
    ["File.symlink('a', '/code/env/l')", 'Read-only file system @ rb_file_s_symlink - (a, /code/env/l)'],
    ['`true`', 'Operation not permitted - programs cannot be run while a catalog is compiled: true'],
    ["Etc.getpwnam('root')", "can't find user for root"],
    ['ENV.to_h.size', 0],
    ['defined?(Plumb::Node)', null],
    ["Plumb::Bridge.ask('run', {})", 'no such question'],
    ['Time.now.to_i', 0],
  ])('%s', (code, expected) => {
    const answer = (question: string): Json => {
      if (question !== 'noted') throw new Error('no such question')
      return null
    }
    const outcome = () => {
      try {
        return compiling.call('evaluate', [code, '/code/env/t.rb'], answer)
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(outcome()).toBe(expected)
  })
})
