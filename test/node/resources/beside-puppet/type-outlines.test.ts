import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { describeCommand } from '../../../../src/cli/describe/describe.ts'
import { buildTypeOutlines } from '../../../../src/node/resources/type-outline.ts'
import { debianModules } from '../../../support/debian-modules.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const names = (await buildTypeOutlines())
  .map(({ name }) => name)
  // Debian has no modules with yumrepo and types of Windows.
  .filter(
    (name) => !['stage', 'yumrepo', 'registry_key', 'registry_value', 'acl', 'reboot', 'scheduled_task'].includes(name),
  )

const script = `
require 'json'
require 'puppet'
Puppet.initialize_settings(['--modulepath', ARGV.shift])
environment = Puppet::Node::Environment.create(:production, [ARGV.shift || Puppet[:modulepath]].flatten)
Puppet.override(environments: Puppet::Environments::Static.new(environment), current_environment: environment) do
  found = JSON.parse($stdin.read).to_h do |name|
    type = Puppet::Type.type(name)
    providers = type.providers.to_h { |each| [each, type.provider(each).features.map(&:to_s).sort] }
    [name, { attributes: (type.allattrs - Puppet::Type.metaparams).map(&:to_s).sort, features: type.features.map(&:to_s).sort, providers: providers }]
  end
  puts JSON.generate(found)
end
`

interface Real {
  readonly attributes: readonly string[]
  readonly features: readonly string[]
  readonly providers: Readonly<Record<string, readonly string[]>>
}

it("types have real Puppet's attributes, features and providers", async () => {
  const real = puppet.one('all types', { names, script }, () => {
    const words = ['-e', script, debianModules]
    const { stdout, stderr } = spawnSync('ruby', words, { input: JSON.stringify(names), encoding: 'utf8' })
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout) as Readonly<Record<string, Real>>
  })
  const own = (await buildTypeOutlines()).filter(({ name }) => names.includes(name))
  // Who provides a resource is a matter of the engine, and so are tags, which concat has for its own.
  const counts = (attribute: string) => attribute !== 'provider' && attribute !== 'tag'
  const ofOpenvox = (name: string, attribute: string) => name === 'package' && attribute === 'environment'
  const attributes = own.map(({ name, attributes: each }) => [
    name,
    each.map((attribute) => attribute.name).filter((attribute) => counts(attribute) && !ofOpenvox(name, attribute)),
  ])
  // Real Puppet's exec asks for a feature that it does not declare.
  const declared = (feature: string) => feature !== 'umask'
  const features = own.map(({ name, features: each }) => [
    name,
    each
      .map((feature) => feature.name)
      .filter(declared)
      .sort(),
  ])
  const provided = own.flatMap(({ name, providers }) =>
    providers.flatMap((each) =>
      real[name]?.providers[each.name] ? [[name, each.name, each.features.filter(declared)]] : [],
    ),
  )
  expect(attributes).toEqual(names.map((name) => [name, real[name]?.attributes.filter(counts)]))
  expect(features).toEqual(names.map((name) => [name, real[name]?.features]))
  expect(provided).toEqual(provided.map(([name, each]) => [name, each, real[String(name)]?.providers[String(each)]]))
})

it('shows a type by `plumb describe`', async () => {
  const said = { out: '' }
  const io = { out: (text: string) => (said.out += text) }
  const status = await describeCommand.run?.({ args: ['mailalias'], options: { providers: true }, io } as never)
  expect(status).toBe(0)
  expect(said.out).toContain('\nmailalias\n=========\n')
  expect(said.out).toContain('\n- **recipient**\n')
  expect(said.out).toContain('\n- **aliases**\n')
})
