// Own process: it measures the memory of its process.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { noticed } from './compiling.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** A module whose functions, template and type say their version. */
function code(version: string): Record<string, string> {
  return {
    'modules/y/lib/puppet/functions/y/value.rb': `Puppet::Functions.create_function(:'y::value') do
  dispatch(:value) { param 'Hash', :hash }
  def value(hash) = "${version} #{hash.size} #{('x' * 1000)[0, 3]}"
end`,
    'modules/y/lib/puppet/parser/functions/old.rb': `Puppet::Parser::Functions.newfunction(:old, type: :rvalue) { |args| "${version} #{args[0]}" }`,
    'modules/y/templates/t.erb': `${version} <%= @v %>`,
    'modules/y/lib/puppet/type/thing.rb': `Puppet::Type.newtype(:thing) do
  newparam(:first, namevar: true)
  newparam(:second, namevar: true) { munge { |value| value.upcase } }
  newproperty(:${version}) { newvalues(:a, /b/) }
  def self.title_patterns = [[/(.*)-(.*)/m, [[:first, ->(part) { part + '${version}' }], [:second]]]]
end`,
  }
}

function manifest(version: string): string {
  return `$v = 'v' $h = Hash(Array(Integer[1, 200]).map |$i| { [$i, "value \${i}"] })
notice(y::value($h), old('o'), template('y/t.erb'), inline_template("<%= @v %>"))
thing { 'a-b': ${version} => 'a' }`
}

function compileVersion(environment: string, version: string): void {
  expect(noticed(code(version), manifest(version), environment)).toEqual([
    `${version} 200 xxx ${version} o ${version} v v`,
  ])
}

/** What this process holds, in MiB; `outside` is mostly the memory of Ruby. */
function held() {
  collectGarbage()
  const { rss, heapUsed, external } = process.memoryUsage()
  const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 18) / 4
  return { rss: mebibytes(rss), heap: mebibytes(heapUsed), outside: mebibytes(external) }
}

describe('two environments with different versions of the same type and functions', () => {
  it('never mix, and hold no more after 1,000 catalogs than after 100', () => {
    const figures: ReturnType<typeof held>[] = []
    for (let round = 1; round <= 1000; round++) {
      if (round % 2 === 0) compileVersion('production', 'one')
      else compileVersion('testing', 'two')
      if (round % 100 === 0) figures.push(held())
    }
    console.info(
      `MiB after each 100 catalogs: ${figures.map(({ rss, heap, outside }) => `${rss} (JavaScript ${heap}, Ruby ${outside})`).join(', ')}`,
    )
    const [first, middle, last] = [figures[1]!, figures[4]!, figures.at(-1)!]
    // Ruby's memory grows by steps until it has room for the largest catalog beside its garbage.
    expect(last.outside - middle.outside).toBeLessThanOrEqual(4)
    // V8 keeps machine code for what runs often: 1 kB in each round.
    expect(last.heap - first.heap).toBeLessThan(4)
    // The machine code is made in memory that V8's threads keep; when, depends on how busy the machine is.
    expect(last.rss - middle.rss).toBeLessThan(32)
  })
})

describe('one commit after the other that changes Ruby code', () => {
  it('leaves no more machines behind than are kept', () => {
    const rounds = Array.from({ length: 30 }, (_, index) => {
      compileVersion('production', `v${index}`)
      return held()
    })
    console.info(`MiB after each commit: ${rounds.map(({ rss, outside }) => `${rss} (Ruby ${outside})`).join(', ')}`)
    const largest = Math.max(...rounds.slice(0, 10).map(({ outside }) => outside))
    expect(rounds.at(-1)!.outside).toBeLessThanOrEqual(largest + 2)
  })
})
