import { describe, expect, it } from 'vitest'
import { noticed } from './compiling.ts'

function code(version: string): Record<string, string> {
  return {
    'modules/y/lib/puppet/functions/y/value.rb': `Puppet::Functions.create_function(:'y::value') do
  dispatch(:value) { param 'Hash', :hash }
  def value(hash) = "${version} #{hash.size} #{'x' * 1000}"[0, 9]
end`,
    'modules/y/lib/puppet/parser/functions/old.rb': `Puppet::Parser::Functions.newfunction(:old, type: :rvalue) { |args| "${version} #{args[0]}" }`,
    'modules/y/templates/t.erb': `${version} <%= @v %>`,
  }
}

const manifest = `$v = 'v' $h = Hash(Array(Integer[1, 200]).map |$i| { [$i, "value \${i}"] })
notice(y::value($h), old('o'), template('y/t.erb'), inline_template("<%= @v %>"))`

describe('two environments with different versions of the same functions', () => {
  it('never mix, and hold no more after 1,000 catalogs than after 100', () => {
    const sizes: number[] = []
    for (let round = 1; round <= 1000; round++) {
      const [environment, version] = round % 2 === 0 ? ['production', 'one'] : ['testing', 'two']
      const [text] = noticed(code(version!), manifest, environment)
      expect(text).toBe(`${version} 200 x ${version} o ${version} v v`)
      if (round % 100 === 0) sizes.push(process.memoryUsage().rss / 2 ** 20)
    }
    console.info(`RSS after each 100 catalogs, in MiB: ${sizes.map((size) => size.toFixed()).join(' ')}`)
    expect(Math.min(...sizes.slice(-3)) - Math.max(...sizes.slice(0, 2))).toBeLessThan(40)
  }, 120_000)
})
