import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FleetWorld } from './fleet-world.ts'

const site = `node /^app/ { include app }
node /^lb/ { include lb }
node mon { include watch }
node default { }
`
const files = {
  'manifests/site.pp': site,
  'modules/app/manifests/init.pp': "class app { @@host { \"${trusted['certname']}.app\": ip => '10.0.0.1' } }\n",
  'modules/lb/manifests/init.pp':
    "class lb { Host <<| |>> @@notify { \"of ${trusted['certname']}\": message => 'balanced' } }\n",
  'modules/watch/manifests/init.pp': 'class watch { Notify <<| |>> }\n',
}
const nodes = { app1: {}, app2: {}, lb1: {}, mon: {}, idle: {} }

describe('the impact on who collects what others export', () => {
  let world: FleetWorld

  beforeAll(async () => {
    world = new FleetWorld(files, nodes)
    for (const node of [...Object.keys(nodes), 'lb1', 'mon']) await world.agent(node)
  })
  afterAll(() => world.close())

  it('is found, though nothing that they read of the code has changed', async () => {
    const { 'modules/app/manifests/init.pp': app } = files
    const impact = await world.impact({ 'modules/app/manifests/init.pp': app.replace('10.0.0.1', '10.0.0.2') })
    expect(impact.unaffected).toEqual(['mon', 'idle'])
    expect(impact.changed.map(({ nodes: names, change }) => [names, change.changed])).toEqual([
      [
        ['lb1'],
        [
          { resource: 'Host[app1.app]', parameters: [{ name: 'ip', from: '10.0.0.1', to: '10.0.0.2' }] },
          { resource: 'Host[app2.app]', parameters: [{ name: 'ip', from: '10.0.0.1', to: '10.0.0.2' }] },
        ],
      ],
    ])
    expect(impact.exports).toEqual([
      {
        type: 'Host',
        ...{ added: [], removed: [], changed: ['Host[app1.app]', 'Host[app2.app]'] },
        ...{ exporters: ['app1', 'app2'], collectors: ['lb1'] },
      },
    ])
  })

  it('goes on while what collectors export changes, too', async () => {
    const impact = await world.impact({
      'modules/app/manifests/init.pp': 'class app { }\n',
      'modules/lb/manifests/init.pp': files['modules/lb/manifests/init.pp'].replace('balanced', 'changed'),
    })
    expect(
      impact.exports.map(({ type, removed, changed, collectors }) => [type, removed, changed, collectors]),
    ).toEqual([
      ['Host', ['Host[app1.app]', 'Host[app2.app]'], [], ['lb1']],
      ['Notify', [], ['Notify[of lb1]'], ['mon']],
    ])
    expect(impact.changed.flatMap((each) => each.nodes).sort()).toEqual(['lb1', 'mon'])
  })
})
