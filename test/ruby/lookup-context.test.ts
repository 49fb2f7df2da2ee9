import { expect, it } from 'vitest'
import { noticed } from './compiling.ts'

const files = {
  'hiera.yaml': `
version: 5
hierarchy:
  - name: nothing
    lookup_key: x::nothing
    path: modules
  - name: all
    data_hash: x::all
`,
  'modules/x/lib/puppet/functions/x/nothing.rb': `Puppet::Functions.create_function(:'x::nothing') do
  dispatch :nothing do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def nothing(key, options, context) = context.not_found
end`,
  'modules/x/lib/puppet/functions/x/all.rb': `Puppet::Functions.create_function(:'x::all') do
  dispatch :all do
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def all(options, context) = (1..6000).to_h { |number| ["k#{number}", number] }
end`,
}

it('does not run out of memory when a backend has nothing for thousands of keys', () => {
  expect(noticed(files, 'notice(Integer[1, 6000].reduce(0) |$sum, $i| { $sum + lookup("k${i}") })')).toEqual([
    '18003000',
  ])
})
