// A real server under work of all kinds, killed with SIGKILL at random moments and started again; then all that was
// acknowledged is looked for: pushes, deploys, signatures, revocations, reports; and nothing may be held up or half done.
//   npm run faults [-- --kills 200] [--seed N] [--code repository|sources|both] [--store sqlite|postgresql]
//     [--servers 2] [--certificates N] [--only KIND…] [--json FILE] [--keep]
// Some kills come while it starts, some with all of its children; some starts have a clock that was set back two hours.
// With --servers 2 a second one serves the same repository, takes pushes, and is killed too. A PostgreSQL is cut off and restarted meanwhile. --certificates makes so many before: from 2,000 on a list comes from an
// index. The exit status is 1 with findings.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chanceOf, chosen } from '../test/support/chance.js'
import { askerOf } from './faults/ask.js'
import { authorityOnDisk, authorityServed } from './faults/checks/authority.js'
import { environmentsServed, repositoriesOnDisk } from './faults/checks/environments.js'
import { leftovers } from './faults/checks/leftovers.js'
import { auditServed, storeServed } from './faults/checks/store.js'
import { openDatabase } from './faults/database.js'
import { newLoad } from './faults/load.js'
import { readOptions } from './faults/options.js'
import { makePlace } from './faults/place.js'
import { secondServer } from './faults/second-server.js'
import { beginServer, canSetClock } from './faults/server.js'
import { freePort } from './free-port.js'
import { main, placesIn } from './server/plumbline.js'

/** Kills come at most so many milliseconds after work was acknowledged, of a kind by chance, or after a start began. */
const killWithinMs = { work: 1500, start: 1500 }
/** Milliseconds that a database is away at most. */
const databaseAwayMs = 1000
/** One kill or start in so many; before one kill in `allKinds` work of each kind has to be acknowledged. */
const oneIn = { allKinds: 2, startKilled: 10, clockBack: 10, databaseCrash: 2, withChildren: 3 }

const options = readOptions(process.argv.slice(2))
const chance = chanceOf(options.seed)
const findings = []
console.log(`${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`)
console.log(`Seed ${options.seed}, ${options.kills} kills: ${options.kinds.join(', ')}`)
const results = []
for (const [at, code] of options.code.entries()) {
  const kills = Math.floor((options.kills + at) / options.code.length)
  results.push(await killed(code, kills))
}
const summary = { seed: options.seed, results, findings }
if (options.json) writeFileSync(options.json, JSON.stringify(summary))
console.log(
  findings.length === 0 ? '\nNothing acknowledged was lost' : `\n${findings.length} findings:\n${findings.join('\n')}`,
)
process.exit(findings.length === 0 ? 0 : 1)

/** Kills a server of one kind of code so often; answers figures. */
async function killed(code, kills) {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-faults-'))
  const began = performance.now()
  console.log(
    `\nCode from ${code === 'sources' ? 'sources that are fetched' : 'the repository of the server'}, in ${folder}`,
  )
  const database = await openDatabase(folder, options.store)
  const world = await makeWorld(folder, code, database)
  try {
    const load = newLoad(world, options.kinds)
    const left = { locks: 0, temporary: 0, quarantines: 0 }
    for (world.round = 1; world.round <= kills; world.round++) {
      await round(world, load)
      for (const [kind, count] of Object.entries(leftovers(world))) left[kind] = Math.max(left[kind], count)
    }
    await lastLook(world)
    const minutes = (performance.now() - began) / 60_000
    const counts = { kills: world.kills, ...load.counts() }
    console.log(
      `${minutes.toFixed(1)} minutes: ${JSON.stringify(counts)} acknowledged; left lying at most ${JSON.stringify(left)}`,
    )
    return { code, ...counts, minutes, left }
  } catch (error) {
    console.log(`In round ${world.round} the server said:\n${world.server?.said().slice(-5000)}`)
    throw error
  } finally {
    await world.server?.kill(true)
    await world.beside?.kill()
    world.asker.close()
    await database.stop()
    if (!options.keep) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function makeWorld(folder, code, database) {
  const place = await makePlace(folder, { code, certificates: options.certificates, store: database.store })
  const port = await freePort()
  let number = 0
  const world = {
    place,
    port,
    database,
    asker: askerOf(place, port),
    round: 0,
    kills: 0,
    isClockBack: false,
    /** @type {ReturnType<typeof beginServer> | undefined} */
    server: undefined,
    /** A number that was never given before. */
    number: () => ++number,
    /** What the server said that it has. */
    acknowledged: { code: {}, facts: {}, reports: new Set() },
    certificates: new Map(),
    /** What may only grow. */
    remembered: { listNumber: 0, served: {}, reports: 0, auditHead: undefined },
    /** @type {Awaited<ReturnType<typeof secondServer>> | undefined} A second server of the same repository. */
    beside: undefined,
    finding(text) {
      const line = `${code}, kill ${world.round} of seed ${options.seed}: ${text}`
      if (findings.includes(line)) return
      console.log(line)
      findings.push(line)
    },
  }
  if (options.hasSecond && code === 'repository') world.beside = await secondServer(world)
  return world
}

/** A start, a look at all that was acknowledged, work of all kinds, a kill, and a look at what it left. */
async function round(world, load) {
  const clock = canSetClock && chance(oneIn.clockBack) === 0 ? '-2h' : undefined
  if (world.round > 1 && chance(oneIn.startKilled) === 0) {
    world.server = beginServer(world.place, { port: world.port, clock })
    await wait(chance(killWithinMs.start))
    await killAndLook(world)
  }
  await start(world, clock)
  await world.beside?.start()
  await lookAtServed(world)
  const moment = chance(killWithinMs.work)
  const work = load.begin()
  const crash = chance(oneIn.databaseCrash) === 0 ? world.database.crash(chance(databaseAwayMs)) : undefined
  await work.acknowledged(world.round % oneIn.allKinds === 0 ? options.kinds : [chosen(options.kinds, chance)])
  await wait(moment)
  if (world.server.end() !== undefined) world.finding(`The server ${world.server.end()} by itself`)
  work.over()
  await killAndLook(world, work)
  await crash
  if (world.round % 10 === 0)
    console.log(
      `${new Date().toISOString().slice(11, 19)} kill ${world.round}: ${JSON.stringify(load.counts())}, load ${loadavg()[0].toFixed(1)}`,
    )
}

async function start(world, clock) {
  world.isClockBack = clock !== undefined
  world.server = beginServer(world.place, { port: world.port, clock })
  await world.server.ready()
}

async function lookAtServed(world) {
  await environmentsServed(world)
  await authorityServed(world)
  await storeServed(world)
  await auditServed(world)
}

async function killAndLook(world, work) {
  const isSecondFirst = chance(2) === 0
  if (isSecondFirst) await world.beside?.kill()
  await world.server.kill(chance(oneIn.withChildren) === 0)
  if (!isSecondFirst) await world.beside?.kill()
  world.kills++
  await work?.ended()
  authorityOnDisk(world)
  await repositoriesOnDisk(world)
}

/** A last start, and what takes longer: every row of the store. */
async function lastLook(world) {
  await start(world, undefined)
  await lookAtServed(world)
  await world.server.kill(true)
  try {
    execFileSync(
      process.execPath,
      [main, 'store', 'check', '--store', world.database.store, ...placesIn(world.place.folder)],
      {
        stdio: 'pipe',
      },
    )
  } catch (error) {
    world.finding(`plumb store check: ${error.stdout}${error.stderr}`)
  }
}
