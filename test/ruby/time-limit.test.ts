import { describe, expect, it } from 'vitest'
import type { PuppetError } from '../../src/base/issue.ts'
import { compile } from '../../src/compiler/compile.ts'
import type { CompileRequest } from '../../src/compiler/request/compile-request.ts'
import { treeOf } from '../support/map-tree.ts'
import { plainRequest } from '../support/plain-request.js'

const tree = treeOf(
  {
    'modules/slow/lib/puppet/functions/slow/forever.rb':
      "Puppet::Functions.create_function(:'slow::forever') do\n  def forever\n    loop { }\n  end\nend\n",
    'modules/slow/lib/puppet/functions/slow/asking.rb':
      "Puppet::Functions.create_function(:'slow::asking') do\n  def asking\n    loop { call_function('join', ['a']) }\n  end\nend\n",
    'modules/slow/lib/puppet/functions/slow/fine.rb':
      "Puppet::Functions.create_function(:'slow::fine') do\n  def fine\n    'fine'\n  end\nend\n",
  },
  '/code/production',
)

/** A compile of this very thread, which nobody looks after. */
function request(text: string, rubyTimeout: number): CompileRequest {
  const modulepath = [{ tree, path: 'modules' }]
  const environment = { name: 'production', tree, modulepath, manifest: { text }, version: 1, globalHiera: undefined }
  return plainRequest(environment, { rubyTimeout })
}

describe('Ruby on the thread that compiles', () => {
  it.each(['forever', 'asking'])('is ended in time, at the place of its call: %s', (name) => {
    let error: unknown
    try {
      compile(request(`\n  slow::${name}()`, 3))
    } catch (thrown) {
      error = thrown
    }
    expect((error as Error).message).toBe(
      'Evaluation Error: Error while evaluating a Function Call, Ruby code of a module ran longer than 3 seconds (line: 2, column: 3) on node n1',
    )
    expect((error as PuppetError).diagnostic).toMatchObject({
      code: 'RUBY_TIMEOUT',
      hint: expect.stringContaining('ruby_timeout'),
    })
    const { logs } = compile(request('notice(slow::fine())', 60))
    expect(logs.map(({ message }) => message)).toEqual(['fine'])
  })
})
