// Runs of agents: facts and a catalog, then a report of it. Each answer acknowledges what was sent.
import { randomUUID } from 'node:crypto'
import { catalogRequest } from '../../server/client.js'
import { nodeReport } from '../../soak/node-report.js'
import { judgeCatalog } from '../checks/environments.js'
import { nodes } from '../place.js'

export const reports = (world) => {
  const { asker, acknowledged } = world
  return async () => {
    const run = world.number()
    const name = nodes[run % nodes.length]
    const environment = run % 2 === 0 ? 'production' : 'site'
    const time = new Date().toISOString()
    const facts = { name, values: { run, kernel: 'Linux' }, timestamp: time, expiration: time }
    const { method, path, body, type } = catalogRequest(facts, environment)
    const catalog = JSON.parse(await asker.ask(method, path, { as: name, body, type }))
    // Facts of an earlier time than those that are known are stale: docs/store.md.
    if (!world.isClockBack) acknowledged.facts[name] = run
    await judgeCatalog(world, environment, catalog)
    const uuid = randomUUID()
    const report = JSON.stringify({ ...nodeReport(name, catalog), transaction_uuid: uuid })
    const given = { as: name, body: report, type: 'application/json' }
    await asker.ask('PUT', `/puppet/v3/report/${name}?environment=${environment}`, given)
    acknowledged.reports.add(uuid)
  }
}
