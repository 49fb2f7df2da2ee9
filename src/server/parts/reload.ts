import { createReloader } from '../reloader.ts'
import { definePart } from './part.ts'
import { telemetryPart } from './telemetry.ts'

/** Reloads the files of all parts. */
export const reloadPart = definePart('reload', [telemetryPart], ({ readSettings, opened, telemetry }) => ({
  value: createReloader({
    readSettings,
    reloadables: () => opened().flatMap(({ reload }) => reload ?? []),
    after: () => Promise.all(opened().map(({ refresh }) => refresh?.())),
    told: (isDone) => telemetry.metrics.reloaded(isDone),
  }),
}))
