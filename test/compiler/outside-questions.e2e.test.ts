import { expect, it } from 'vitest'
import { compile } from '../../src/compiler/compile.ts'
import { treeOf } from '../support/map-tree.ts'
import { plainRequest } from '../support/plain-request.js'

/** What is noticed by code that calls `generate` in Ruby. */
function made(code: string, more: object) {
  const tree = treeOf({
    'modules/q/lib/puppet/functions/q/run.rb': `Puppet::Functions.create_function(:'q::run') do
  dispatch(:run) { repeated_param 'Any', :words }
  def run(*words)
    call_function('generate', *words).inspect
  rescue StandardError => e
    e.message
  end
end
`,
  })
  const environment = {
    ...{ name: 'production', tree, modulepath: [{ tree, path: 'modules' }], manifest: { text: code } },
    ...{ version: 1, globalHiera: undefined },
  }
  const { logs, asked } = compile({ ...plainRequest(environment), ...more })
  return { messages: logs.map(({ message }) => message), asked }
}

it('the outputs of programs are given back, and no program runs', () => {
  const code =
    "notice(q::run('/bin/echo', 'a')) notice(q::run('/bin/false')) notice(q::run('/bin/cat', '/etc/hostname'))"
  const live = made(code, { generators: ['/bin/echo', '/bin/false'] })
  expect(live.messages).toEqual([
    '"a\\n"',
    expect.stringContaining("Execution of '/bin/false' returned 1"),
    expect.stringContaining('commands are not allowed here'),
  ])
  expect([...live.asked.keys()].map((each) => Object.keys(JSON.parse(each))[0])).toEqual(
    Array.from({ length: 3 }, () => 'generate'),
  )
  const again = made(code, { inputs: (question: string) => live.asked.get(question) ?? '{"absent":true}' })
  expect(again).toEqual(live)
})
