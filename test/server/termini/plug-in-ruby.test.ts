import { expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { PlugInRuby } from '../../../src/server/termini/plug-ins/ruby/plug-in-ruby.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

it('has a bound to calls that wait, and ends them when it is closed', async () => {
  const ruby = new PlugInRuby({ folder: scratchFolder('plug-ins'), settings: {}, env: {} })
  const most = budgets.plugIn.rubyWaiting.bound
  const call = () => ruby.call('evaluate', ['sleep 600', 'test'], () => {}).catch((error: Error) => error.message)
  const calls = Array.from({ length: most + 1 }, call)
  expect(await calls[most]).toBe('Too many calls of Ruby plug-ins are waiting')
  await ruby.close()
  expect(new Set(await Promise.all(calls.slice(0, most)))).toEqual(new Set(['The server is stopping']))
})

it('begins anew when its memory has grown', async () => {
  const ruby = new PlugInRuby({ folder: scratchFolder('plug-ins'), settings: {}, env: {} })
  const run = (code: string) => ruby.call('evaluate', [code, 'test'], () => {})
  await run('$kept = 1')
  expect(await run('$kept')).toBe(1)
  await run("('x' * 350_000_000).size")
  expect(await run('$kept')).toBe(null)
  await ruby.close()
})
