// What is measured: always one server after the other, the one that begins changing, so that both meet the same noise.
import { agentOf, catalogRequest, factsNow, flushRequest, statusRequest } from './client.js'
import { processorTime } from './process.js'

/** The middle of some numbers, and their least and most. */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: sorted[Math.floor(sorted.length / 2)], least: sorted[0], most: sorted.at(-1) }
}

/** Catalogs whose code both servers know: milliseconds that agents wait, and that processors work. */
export async function warmCatalogs(servers, agent, count) {
  const results = new Map(servers.map((server) => [server, { waits: [], work: 0 }]))
  for (let round = 0; round < count; round++)
    for (const server of inTurn(servers, round)) {
      const before = processorTime(server.pid)
      const { milliseconds } = await agent.call(server, catalogRequest())
      const result = results.get(server)
      result.waits.push(milliseconds)
      result.work += processorTime(server.pid) - before
    }
  return new Map([...results].map(([server, { waits, work }]) => [server, { ...spread(waits), work: work / count }]))
}

/** Our own catalogs as they are answered without compiling: milliseconds that agents wait, and that processors work. */
export async function recalledCatalogs(server, agent, count) {
  const waits = []
  const before = processorTime(server.pid)
  let checked = 0
  for (let round = 0; round < count; round++) {
    const { milliseconds, origin } = await agent.call(server, catalogRequest())
    if (origin === 'recalled') waits.push(milliseconds)
    else checked++
  }
  // One in so many is compiled, to be compared: a share of the work.
  return { ...spread(waits), work: (processorTime(server.pid) - before) / count, checked }
}

/** The first catalog after a push that changes one manifest; and how long the push takes until it is served. */
export async function catalogsAfterPushes(servers, agent, repository, count) {
  const results = new Map(servers.map((server) => [server, { waits: [], deploys: [] }]))
  for (let number = 1; number <= count; number++) {
    repository.change(number)
    for (const server of inTurn(servers, number)) {
      const started = performance.now()
      await server.deploy()
      const deployed = performance.now() - started
      const { milliseconds, bytes } = await agent.call(server, catalogRequest())
      const { content } = JSON.parse(bytes).resources.find(({ title }) => title === '/srv/www/revision').parameters
      if (content !== `${number}\n`) throw new Error(`${server.name} compiled revision ${content} instead of ${number}`)
      const result = results.get(server)
      result.waits.push(milliseconds)
      result.deploys.push(deployed)
    }
  }
  return new Map(
    [...results].map(([server, { waits, deploys }]) => [server, { ...spread(waits), deploy: spread(deploys).median }]),
  )
}

/** Many agents at once, each a node of its own; meanwhile one asks every 50 ms whether the server is well. */
export async function manyAgents(server, identity, names) {
  const watcher = agentOf(identity(names[0]))
  await watcher.call(server, statusRequest)
  const looks = []
  let under = true
  const watching = (async () => {
    while (under) {
      looks.push((await watcher.call(server, statusRequest)).milliseconds)
      await new Promise((done) => setTimeout(done, 50))
    }
  })()
  const started = performance.now()
  const waits = await Promise.all(
    names.map(async (name) => {
      const agent = agentOf(identity(name), { keepAlive: false })
      const { milliseconds } = await agent.call(server, catalogRequest(factsNow(name)))
      agent.close()
      return milliseconds
    }),
  )
  const seconds = (performance.now() - started) / 1000
  under = false
  await watching
  watcher.close()
  return { perSecond: names.length / seconds, waits: spread(waits), looks: spread(looks) }
}

/** How Puppet Server learns of code: the folder has it already, and its cache is flushed. */
export const flush = (agent, server) => agent.call(server, flushRequest)

/** Who begins changes from round to round. */
export function inTurn(servers, round) {
  return round % 2 === 0 ? servers : servers.toReversed()
}
