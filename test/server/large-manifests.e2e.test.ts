import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { LongestPause } from '../support/longest-pause.js'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const classes = (count: number) =>
  Array.from({ length: count }, (_, at) => `class m::c${at}(String $a = 'x', Array[Integer] $b = [1, 2]) { }`).join(
    '\n',
  )
const modules = Object.fromEntries(
  Array.from({ length: 400 }, (_, at) => [`modules/n${at}/metadata.json`, `{"name":"a-n${at}","version":"1.0.${at}"}`]),
)

let repository: ControlRepository
let serving: Serving

beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp': 'class plain { }\n',
    'modules/m/manifests/brackets.pp': `$x = ${'['.repeat(400_000)}${']'.repeat(400_000)}\n`,
    'modules/m/manifests/many.pp': classes(10_000),
    'modules/m/manifests/too_many.pp': classes(40_000),
    'modules/m/metadata.json': `{"name":"a-m","version":"1.0.0","x":"${'x'.repeat(2_000_000)}"}`,
    ...modules,
  })
  repository.pin()
  // The default rules deny these endpoints to everybody.
  const auth_conf = join(scratchFolder('large-manifests'), 'auth.conf')
  const rule = '{ name: "all", sort-order: 500, match-request { path: "/", type: path }, allow: "*" }'
  writeFileSync(auth_conf, `authorization { version: 1, rules: [ ${rule} ] }`)
  serving = await serve({ code_repo: repository.bare, auth_conf, max_code_file_bytes: '16000000' })
  await serving.credentials('admin.test')
})
afterAll(async () => {
  await serving?.stop()
})

it.each([
  [
    'environment_classes',
    [
      '{"name":"plain","params":[]}',
      '"m::c9999"',
      'too_many.pp cannot be read during compilation',
      'brackets.pp","error":',
    ],
  ],
  ['environment_modules', ['{"name":"a/n399","version":"1.0.399"}', '{"name":"m","version":null}']],
  ['environments', ['"production"']],
])('%s answers while others are answered, too', async (name, contained) => {
  const pause = new LongestPause()
  const path = `/puppet/v3/${name}?environment=production`
  const { status, text } = await serving.call('GET', path, { as: 'admin.test' })
  const longest = pause.end()
  expect(status, text.slice(0, 300)).toBe(200)
  for (const part of contained) expect(text).toContain(part)
  // Parsing it all there takes seconds.
  expect(longest).toBeLessThan(1000)
})
