import { join } from 'node:path'
import type { Settings } from '../../../machine/settings/settings.ts'
import { FileLock } from '../../../machine/system/file-lock.ts'
import { puppetNameHolder } from '../../../machine/system/lock-holder.ts'
import type { System } from '../../../machine/system/system.ts'
import type { Log } from '../log.ts'
import type { OrderedRun } from '../process/daemon.ts'
import { readDisabledReason } from '../process/disabled-lockfile.ts'
import { ExecutedOrders } from './executed-orders.ts'
import { OrderConnection } from './order-connection.ts'
import { openOrderSocket } from './order-socket.ts'
import { type Obstacle, OrderedRuns, runInProgress } from './ordered-runs.ts'

/** Settings, system and daemon of the connection for orders. */
export interface OrdersOptions {
  readonly settings: Settings
  readonly system: Pick<System, 'files' | 'now'>
  readonly log: Log
  /** Starts a run of the daemon. Returns false if the daemon already runs. */
  start(run: OrderedRun): boolean
  /** Aborted when the daemon ends. */
  readonly stop: AbortSignal
}

/** Waits for orders of the server and executes them, until the daemon ends. */
export async function obeyOrders({ settings, system, log, start, stop }: OrdersOptions): Promise<void> {
  const { files, now } = system
  const executed = await ExecutedOrders.open({
    ...{ files, now, path: join(settings.statedir, 'orders.json') },
    warn: (message) => log.warning(message),
  })
  const runs = new OrderedRuns({
    executed,
    async loadRules() {
      // Loaded with the first order, to keep the daemon small.
      const { createOrderRules } = await import('./order-rules.ts')
      return createOrderRules(settings, system, executed.notBefore)
    },
    findObstacle: () => findObstacle(settings, system),
    start,
    send: (message) => connection.send(message),
    log,
  })
  const connection = new OrderConnection({
    open: (signal) => openOrderSocket(settings, files, signal),
    receive: (message) => runs.receive(message),
    ...{ log, stop },
  })
  await connection.run()
  await runs.idle()
}

async function findObstacle(settings: Settings, { files }: Pick<System, 'files'>): Promise<Obstacle | undefined> {
  const reason = await readDisabledReason(files, settings.agent_disabled_lockfile)
  if (reason !== undefined) return { reason: 'disabled', message: `administratively disabled (Reason: '${reason}')` }
  const isRunning = await new FileLock(settings.agent_catalog_run_lockfile, puppetNameHolder).isHeld()
  return isRunning ? runInProgress : undefined
}
