import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { askServer, plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const type = 'Puppet::Type.newtype(:gate) do\n  newparam(:name)\n  newparam(:code)\nend\n'
/** Makes Ruby say of types what the author likes. */
const forger = `Puppet::Functions.create_function(:'forge') do
  def forge
    Plumb.constants.each do |name|
      holder = Plumb.const_get(name)
      holder.define_singleton_method(:reflect_type) { |*| nil } if holder.respond_to?(:reflect_type)
    end
    Puppet::Type.define_singleton_method(:type) { |*| nil }
    1
  end
end
`

/** Modules of all environments. */
const shared = scratchFolder('shared')
const patch =
  "<%- Plumb.constants.each { |n| h = Plumb.const_get(n); h.define_singleton_method(:render) { |*| 'forged' } if h.respond_to?(:render) } -%>"

let repository: ControlRepository
let server: RunningServer

beforeAll(async () => {
  mkdirSync(join(shared, 'common/templates'), { recursive: true })
  writeFileSync(join(shared, 'common/templates/a.erb'), 'honest <%= @word %>')
  repository = controlRepository({
    'modules/gate/lib/puppet/type/gate.rb': type,
    'manifests/site.pp': "gate { 'a': code => '1' }\n",
  })
  const forged = "$x = forge()\ngate { 'a': code => '1' }\n"
  repository.push({ 'modules/gate/lib/puppet/functions/forge.rb': forger, 'manifests/site.pp': forged }, 'evil')
  const template = "$word = 'word'\nnotify { template('common/a.erb'): }\n"
  const without = {
    'modules/gate/lib/puppet/type/gate.rb': undefined,
    'modules/gate/lib/puppet/functions/forge.rb': undefined,
  }
  repository.push({ ...without, 'manifests/site.pp': `$x = inline_template("${patch}")\n${template}` }, 'forging')
  repository.push({ 'manifests/site.pp': template }, 'honest')
  server = await startServer({
    repository: repository.bare,
    settings: { compile_workers: '1', key_type: 'ec', basemodulepath: shared },
  })
  await plumb(['code', 'deploy', ...server.places])
})
afterAll(async () => {
  await server?.stop()
})

const catalog = (environment: string) =>
  askServer(server, `/puppet/v3/catalog/localhost?environment=${environment}`, { accept: 'application/json' })

it('what Ruby of one environment says of a type no other environment believes', async () => {
  const evil = await catalog('evil')
  expect(evil.text).toContain('Unknown resource type')
  const { status, text } = await catalog('production')
  expect(text).toContain('"type":"Gate"')
  expect(status).toBe(200)
})

it('what a template of all environments gives in one no other environment takes', async () => {
  expect((await catalog('forging')).text).toContain('"title":"forged"')
  expect((await catalog('honest')).text).toContain('"title":"honest word"')
})
