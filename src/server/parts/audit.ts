import { openAudit } from '../sealing/open-audit.ts'
import { definePart } from './part.ts'

/** The audit log; undefined if the setting `audit` is off, or the log cannot be opened. */
export const auditPart = definePart('audit', [], async ({ settings, system, log }) => {
  const audit = await openAudit(settings, system, log)
  return { value: audit, daily: () => void audit?.prune(), close: async () => audit?.close() }
})
