import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { ThreadPrestart } from '../../../src/node/agent/ruby/thread-prestart.ts'
import { NodeRuby } from '../../../src/ruby/node/node-ruby.ts'
import { RubyPreload } from '../../../src/ruby/node/ruby-preload.ts'
import { isRubyNative } from '../../support/native-ruby.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('ruby-ahead')
const optionsWith = (root: string) => ({
  root,
  settings: { certname: 'web1' },
  facts: {},
  loadPath: [],
  env: { PATH: process.env['PATH'] ?? '', GREETING: 'hello' },
  cwd: '/',
  debug: false,
})
const evaluate = (ruby: NodeRuby, code: string) => ruby.call('evaluate', [code, '/test.rb'])

describe('a thread that was begun before it is known what for', () => {
  it.each([
    ['of this machine', ''],
    ['of a root', join(folder, 'root')],
  ])('goes on with the options of a run, %s', async (_, root) => {
    mkdirSync(join(folder, 'root'), { recursive: true })
    writeFileSync(join(folder, 'root/seen'), 'in the root')
    const ahead = new RubyPreload()
    const ruby = new NodeRuby(optionsWith(root), () => {}, undefined, undefined, ahead)
    const code = "[ENV['GREETING'], Puppet[:certname], File.exist?('/seen')]"
    expect(await evaluate(ruby, code)).toEqual(['hello', 'web1', root !== ''])
    await ruby.close()
  })

  it('is for one, and another starts as ever', async () => {
    const ahead = new RubyPreload()
    const both = [1, 2].map(() => new NodeRuby(optionsWith(''), () => {}, undefined, undefined, ahead))
    await evaluate(both[0]!, '$seen = 1')
    expect(await evaluate(both[1]!, '$seen')).toBeNull()
    for (const each of both) await each.close()
  })

  it('has its options still after Ruby ended', async () => {
    const ruby = new NodeRuby(optionsWith(''), () => {}, undefined, undefined, new RubyPreload())
    await expect(evaluate(ruby, 'exit!(3)')).rejects.toThrow()
    expect(await evaluate(ruby, "ENV['GREETING']")).toBe('hello')
    await ruby.close()
  })
})

describe('the threads of a run', () => {
  it('are those of facts that there are, and of types that the last run had', async () => {
    const provider = isRubyNative ? 'native' : 'builtin'
    const places = { plugindest: join(folder, 'lib'), statedir: join(folder, 'state') }
    const settings = { ...places, ruby_provider: provider, ruby_path: '' } as const
    mkdirSync(settings.statedir, { recursive: true })
    const begin = () => ThreadPrestart.begin({ files: localSystem.files, settings })
    const first = await begin()
    expect([first.areBegun, first.forTypes()]).toEqual([false, undefined])
    await first.close(true)

    const second = await begin()
    expect([second.areBegun, second.forFacts]).toEqual([true, undefined])
    await second.close(false)

    mkdirSync(join(settings.plugindest, 'facter'), { recursive: true })
    writeFileSync(join(settings.plugindest, 'facter/own.rb'), '')
    const third = await begin()
    expect(third.forFacts).toBeDefined()
    await third.close(true)

    expect((await begin()).forTypes()).toBeUndefined()
  })
})
