import { describe, expect, it } from 'vitest'
import { listRubyTypeValues } from '../../../src/workbench/code-index/ruby-type-values.ts'
import { fc } from '../../support/properties.ts'

const type = `Puppet::Type.newtype(:x) do
  @doc = "newproperty(:none)"
  ensurable do
    defaultvalues
    newvalue(:latest) { |x| provider.x }
  end
  newparam(:name, namevar: true)
  newparam(:force, boolean: true, parent: Puppet::Parameter::Boolean)
  newproperty :mode do
    newvalues :a, :'b',
              "c-d"
    newvalues(/^x/) # :comment
  end
  newproperty(:free) do
    validate { |value| raise ':z' }
  end
end
`

describe('the values of an attribute in Ruby', () => {
  it.each<[string, readonly string[]]>([
    ['ensure', ['present', 'absent', 'latest']],
    ['force', ['true', 'false']],
    ['mode', ['a', 'b', 'c-d']],
    ['name', []],
    ['free', []],
    ['none', []],
    ['other', []],
  ])('are those of newvalues: %s', (attribute, values) => {
    expect(listRubyTypeValues(type, attribute)).toEqual(values)
  })

  it('are those of every ensurable type without a block', () => {
    expect(listRubyTypeValues('ensurable\nnewparam(:a)\n', 'ensure')).toEqual(['present', 'absent'])
  })

  it('are read in linear time from any text', () => {
    const parts = fc.constantFrom('newparam(:a', 'newvalues(', ':x', ',', '\n', ')', 'ensurable', ' do', '/', '#', "'")
    fc.assert(
      fc.property(fc.array(parts), (list) => {
        for (const each of listRubyTypeValues(list.join(''), 'a')) expect(each).toMatch(/^[\w.-]+$/)
      }),
    )
    // Quadratic time would exceed the time limit of the test.
    listRubyTypeValues(`newparam(:a)${'newvalues(:a,\n'.repeat(200_000)}`, 'a')
    listRubyTypeValues(`newparam(:a)${'newvalues '.repeat(400_000)}`, 'a')
  })
})
