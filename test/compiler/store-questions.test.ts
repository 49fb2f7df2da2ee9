import { describe, expect, it } from 'vitest'
import { compile } from '../../src/compiler/compile.ts'
import { countRecalledCalls } from '../../src/ruby/session/traced/call-memory.ts'
import { ownRuby, type RubyShare } from '../../src/ruby/worker-share.ts'
import { treeOf } from '../support/map-tree.ts'
import { plainRequest } from '../support/plain-request.js'

const recalling: RubyShare = { ...ownRuby, checkCallsEvery: 0 }
const ruby = `require 'puppet/util/puppetdb'
Puppet::Functions.create_function(:'q::ruby') do
  dispatch(:ruby) { param 'Any', :query }
  def ruby(query) = Puppet::Util::Puppetdb.query_puppetdb(query)
end
`
const called = `Puppet::Functions.create_function(:'q::called') do
  dispatch(:called) { param 'Any', :query }
  def called(query) = call_function('puppetdb_query', query).size
end
`
const files = {
  'modules/q/lib/puppet/functions/q/ruby.rb': ruby,
  'modules/q/lib/puppet/functions/q/called.rb': called,
  'modules/q/templates/t.erb': `<%= scope.call_function('puppetdb_query', ['nodes { }']).inspect %>`,
}
const tree = treeOf(files)

interface Said {
  readonly messages: readonly string[]
  readonly asked: ReadonlyMap<string, string>
  readonly questions: readonly string[]
}

function said(code: string, answer: ((question: string) => string) | undefined): Said {
  const modulepath = [{ tree, path: 'modules' }]
  const environment = {
    name: 'production',
    tree,
    modulepath,
    manifest: { text: code },
    version: 1,
    globalHiera: undefined,
  }
  const questions: string[] = []
  const askStore = (question: string) => {
    questions.push(question)
    return answer!(question)
  }
  const { logs, asked } = compile({ ...plainRequest(environment), ...(answer && { askStore }) }, recalling)
  return { messages: logs.map(({ message }) => message), asked, questions }
}

describe('puppetdb_query()', () => {
  it('has numbers, undef and nested data exactly as JSON says them', () => {
    const answer =
      '[{"i":1,"f":1.0,"e":1e3,"big":12345678901234567890,"n":null,"o":{"2":[],"1":{"x":null}},"s":"\\u00e4"}]'
    expect(said(`notice(String(puppetdb_query('nodes { }'), '%p'))`, () => answer).messages).toEqual([
      `[{'i' => 1, 'f' => 1.0, 'e' => 1000.0, 'big' => 12345678901234567890, 'n' => undef, 'o' => {'2' => [], '1' => {'x' => undef}}, 's' => 'ä'}]`,
    ])
  })

  it('asks each question once in a catalog, and says what it asked', () => {
    let count = 0
    const code = `notice(puppetdb_query('nodes { }') == puppetdb_query('nodes { }'))
      notice(puppetdb_query(['from', 'nodes', ['=', 'n', 1.0], undef, true]))`
    const { messages, asked, questions } = said(code, () => `[${++count}]`)
    expect(messages).toEqual(['true', '[2]'])
    expect(questions).toEqual(['{"query":"nodes { }"}', '{"query":["from","nodes",["=","n",1.0],null,true]}'])
    expect([...asked]).toEqual(questions.map((question, at) => [question, `[${at + 1}]`]))
  })

  it('is no function where there is no store', () => {
    expect(() => said(`puppetdb_query('nodes { }')`, undefined)).toThrow("Unknown function: 'puppetdb_query'.")
    expect(() => said(`q::ruby('nodes { }')`, undefined)).toThrow("Unknown function: 'puppetdb_query'.")
  })

  it('fails with what is no JSON', () => {
    expect(() => said(`puppetdb_query('bad')`, () => 'PQL parse error at line 1')).toThrow(
      "unexpected token at 'PQL parse error at line 1'",
    )
  })

  it.each([
    [`notice(q::ruby('nodes { }'))`, (rows: readonly number[]) => `[${rows.join(', ')}]`],
    [`notice(q::called('nodes { }'))`, (rows: readonly number[]) => `${rows.length}`],
    [`notice(template('q/t.erb'))`, (rows: readonly number[]) => `[${rows.join(', ')}]`],
  ])('is asked again before a call of Ruby is recalled: %s', (code, text) => {
    const answers = [[1, 2], [1, 2], [3], [1, 2]]
    const before = countRecalledCalls()
    for (const rows of answers) {
      const { messages, asked } = said(code, () => JSON.stringify(rows))
      expect(messages).toEqual([text(rows)])
      expect([...asked.values()]).toEqual([JSON.stringify(rows)])
    }
    expect(countRecalledCalls() - before).toBe(2)
  })
})
