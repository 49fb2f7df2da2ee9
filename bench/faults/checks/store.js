// The store: each report that was acknowledged, and the last facts of each node; and the audit log, whose chain is whole.
import { setTimeout as wait } from 'node:timers/promises'
import { localSystem } from '#built/machine/system/local-system.js'
import { verifyAuditLog } from '#built/store/audit/verify.js'

const withinMs = 120_000

/** Looks at what the server answers, once all that waited is stored. */
export async function storeServed({ asker, finding, acknowledged, remembered }) {
  const query = (text) => asker.json('GET', `/pdb/query/v4?query=${encodeURIComponent(text)}`)
  const missing = async () => {
    const stored = new Set((await query('reports[transaction_uuid]{}')).map((each) => each.transaction_uuid))
    const facts = new Map(
      (await query('facts[certname,value]{ name = "run" }')).map((each) => [each.certname, each.value]),
    )
    const reports = [...acknowledged.reports].filter((uuid) => !stored.has(uuid)).map((uuid) => `report ${uuid}`)
    const old = Object.entries(acknowledged.facts).filter(([name, run]) => !(facts.get(name) >= run))
    if (stored.size < remembered.reports) finding(`The store has ${stored.size} reports, and had ${remembered.reports}`)
    remembered.reports = stored.size
    return [...reports, ...old.map(([name, run]) => `facts ${run} of ${name}, which are ${facts.get(name)}`)]
  }
  const until = performance.now() + withinMs
  for (;;) {
    const lacking = await missing()
    if (lacking.length === 0) return
    if (performance.now() > until) return finding(`The store lacks ${lacking.slice(0, 5).join(', ')}`)
    await wait(50)
  }
}

/** Looks at every record of the audit log, which has to go on from the last one that was seen. */
export async function auditServed({ place, finding, remembered }) {
  const { problems, head, headAt } = await verifyAuditLog(place.auditdir, localSystem.files, remembered.auditHead)
  for (const { diagnostic } of problems) finding(`The audit log: ${diagnostic.message}`)
  if (remembered.auditHead !== undefined && headAt === undefined) finding('The audit log lost its last record')
  remembered.auditHead = head?.hash
}
