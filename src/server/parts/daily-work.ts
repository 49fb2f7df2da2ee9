import { identityPart, logAlerts } from './identity.ts'
import { definePart } from './part.ts'

const oneDayMs = 24 * 3600 * 1000

/** Prints the certificate alerts at the start, and runs the daily work of all parts. */
export const dailyWorkPart = definePart('daily', [identityPart], ({ log, progress, opened, identity }) => {
  for (const { message, hint } of identity.alerts()) progress(`Warning: ${message}\n  ${hint}`)
  logAlerts(identity.alerts(), log)
  const timer = setInterval(() => {
    for (const { daily } of opened()) daily?.()
  }, oneDayMs).unref()
  return { close: async () => clearInterval(timer) }
})
