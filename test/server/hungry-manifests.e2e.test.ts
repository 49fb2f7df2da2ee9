import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { askServer, plumb, type RunningServer, startServer } from '../support/plumb.ts'

const items = 'Array or Hash of more than 1000000 elements'
const text = 'String of more than 8388608 characters'

/** Manifests that make more than there is memory for, and what is said of each. Some ended the whole process. */
const hungry: Readonly<Record<string, readonly [manifest: string, message: string]>> = {
  mapped: ['$x = Integer[1, 1000000000].map |$i| { $i }', items],
  listed: ['$x = Array(Integer[1, 1000000000])', items],
  doubled: ['$x = Integer[1, 60].reduce([1]) |$all, $i| { $all + $all }', items],
  splat: ['$x = Integer[1, 60].reduce([1]) |$all, $i| { [*$all, *$all] }', items],
  reversed: ['$x = Integer[1, 1000000000].reverse_each |$i| { $i }', items],
  flattened: ['$x = Integer[1, 60].reduce([1]) |$all, $i| { [$all, $all] }.flatten', items],
  written: ['$x = Integer[1, 60].reduce([1]) |$all, $i| { [$all, $all] }\nnotify { "$x": }', text],
  grown: ['$x = Integer[1, 60].reduce("xxxx") |$all, $i| { "${all}${all}" }', text],
  padded: ['$x = sprintf("%1000000000s", "x")', text],
  rendered: ['$x = inline_template("<%= %q(x) * 20_000_000 %>")', text],
  declared: ['Integer[1, 1000000].each |$i| { notify { "n$i": } }', 'The catalog exceeds 250000 resources'],
  said: ['Integer[1, 1000000].each |$i| { notice("n$i") }', 'The compilation exceeds 100000 log messages'],
  told: [
    '$x = sprintf("%80000s", "x")\nInteger[1, 20000].each |$i| { notice("${x}${i}") }',
    'The log messages of the compilation exceed 16777216 characters',
  ],
  kept: [
    '$x = sprintf("%8000000s", "x")\n$y = Integer[1, 5000].map |$i| { Binary($x, "%s") }',
    'Binaries and long Strings exceed 1073741824 bytes in one compilation',
  ],
  sent: [
    '$x = sprintf("%8000000s", "x")\nInteger[1, 100].each |$i| { notify { "n$i": message => $x } }',
    'The catalog is larger than 268435456 bytes',
  ],
}

let repository: ControlRepository
let server: RunningServer

beforeAll(async () => {
  const nodes = Object.entries(hungry).map(([name, [manifest]]) => `node /^${name}/ {\n${manifest}\n}\n`)
  repository = controlRepository({ 'manifests/site.pp': `${nodes.join('')}node default { }\n` })
  server = await startServer({ repository: repository.bare, settings: { compile_workers: '1', key_type: 'ec' } })
  const names = [...Object.keys(hungry), 'honest'].map((name) => `${name}.test`)
  await plumb(['ca', 'generate', ...server.places, '--certname', names.join(','), '--key_type', 'ec'])
})
afterAll(async () => {
  await server?.stop()
})

const catalog = (certname: string) =>
  askServer(server, `/puppet/v3/catalog/${certname}?environment=production`, {
    as: certname,
    accept: 'application/json',
  })

it.each(Object.keys(hungry))('a manifest that is hungry (%s) fails alone', async (name) => {
  const { status, text } = await catalog(`${name}.test`)
  expect(text).toContain(hungry[name]![1])
  expect(status).toBe(500)
  expect((await catalog('honest.test')).status).toBe(200)
})
