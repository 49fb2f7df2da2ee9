import { reloader } from '../reloader.ts'
import { part } from './part.ts'
import { telemetry } from './telemetry.ts'

/** Reloads the files of all parts. */
export const reload = part('reload', [telemetry], ({ readSettings, opened, telemetry }) => ({
  value: reloader({
    readSettings,
    reloadables: () => opened().flatMap(({ reload }) => reload ?? []),
    after: () => Promise.all(opened().map(({ refresh }) => refresh?.())),
    told: (isDone) => telemetry.metrics.reloaded(isDone),
  }),
}))
