import { describe, expect, it } from 'vitest'
import { noticed } from '../../ruby/compiling.ts'

/** A function that counts its calls: each machine for itself. */
function files(more: Readonly<Record<string, string>> = {}, body = ''): Record<string, string> {
  return {
    'modules/y/lib/puppet/functions/y/count.rb': `
$count = 0
Puppet::Functions.create_function(:'y::count') do
  def count
    $count += 1
    "#{$count}#{${body || "''"}}"
  end
end`,
    'modules/y/templates/t.erb': 'one',
    ...more,
  }
}

const code = 'notice(y::count())'
const counted = (name: string, tree: Record<string, string>, time?: number) => noticed(tree, code, name, time)

describe('the machine of an environment', () => {
  it('stays when a commit changes no Ruby', () => {
    expect(counted('stays', files())).toEqual(['1'])
    expect(counted('stays', files({ 'modules/y/manifests/init.pp': 'class y { }' }))).toEqual(['2'])
    expect(counted('stays', files({ 'modules/y/templates/t.erb': 'two' }), 1000)).toEqual(['3'])
  })

  it.each([
    ['Ruby changes', files(), files({}, "'!'"), '1!'],
    ['a module comes', files(), files({ 'modules/z/lib/x.rb': '' }), '1'],
    [
      'a file changes that Ruby read',
      files({ 'modules/y/files/d': 'one' }, "$data ||= File.read(__dir__ + '/../../../../files/d')"),
      files({ 'modules/y/files/d': 'two' }, "$data ||= File.read(__dir__ + '/../../../../files/d')"),
      '1two',
    ],
    [
      'a file comes that Ruby missed',
      files({}, "$here = File.exist?(__dir__ + '/../../../../files/d')"),
      files({ 'modules/y/files/d': '' }, "$here = File.exist?(__dir__ + '/../../../../files/d')"),
      '1true',
    ],
    [
      'a folder changes that Ruby listed',
      files({ 'modules/y/files/d': '' }, "$list ||= Dir.children(__dir__ + '/../../../../files').sort.join(' ')"),
      files(
        { 'modules/y/files/d': '', 'modules/y/files/e': '' },
        "$list ||= Dir.children(__dir__ + '/../../../../files').sort.join(' ')",
      ),
      '1d e',
    ],
  ])('is another one when %s', (what, before, after, expected) => {
    expect(counted(what, before)[0]).toMatch(/^1/)
    expect(counted(what, { ...before, 'manifests/x.pp': '' })[0]).toMatch(/^2/)
    expect(counted(what, after)).toEqual([expected])
  })

  it('is another one when the clock says another time that Ruby asked for', () => {
    const tree = files({}, '$time ||= Time.now.to_i')
    expect(counted('clock', tree, 7)).toEqual(['17'])
    expect(counted('clock', { ...tree, 'manifests/x.pp': '' }, 7)).toEqual(['27'])
    expect(counted('clock', { ...tree, 'manifests/y.pp': '' }, 8)).toEqual(['18'])
  })
})
