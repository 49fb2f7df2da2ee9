// Writes an audit log on a disk that is full for a while: audit-log.e2e.test.ts.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { eventually } from '../../support/eventually.js'

const [root, disk] = process.argv.slice(2)
const load = (path) => import(`${root}/dist/${path}.js`)
const { openAuditLog } = await load('store/audit/audit-log')
const { parseChainLine } = await load('store/audit/chain')
const { readFileLines, listAuditSegments } = await load('store/audit/segments')
const { verifyAuditLog } = await load('store/audit/verify')
const { budgets } = await load('base/budgets/budgets')
const { localFiles } = await load('machine/system/files')

const said = []
const auditdir = join(disk, 'audit')
const settings = { auditdir, audit_segment_size: 1e9, audit_ttl: 0, certname: 'full.test' }
const log = await openAuditLog({ settings, files: localFiles, now: Date.now, say: (_, message) => said.push(message) })
let added = 0
const add = () => log.add({ kind: 'catalog', node: `n${added++}`, environment: 'e', code_id: null, digest: '' })

const filler = join(disk, 'filler')
writeFileSync(filler, Buffer.alloc(15_900 * 1024))
while (said.length === 0) {
  for (let n = 0; n < 50; n++) add()
  await endOfTurn()
}
for (let n = 0; n < budgets.audit.waiting.bound + 100; n++) add()
rmSync(filler)
// The log tries the disk again by itself, and ends with the number of the records that are lost.
await eventually(async () => (await counted()).lost)
await log.close()

async function counted() {
  let [kept, lost] = [0, 0]
  for (const { path } of await listAuditSegments(auditdir, localFiles))
    for await (const { text } of readFileLines(path)) {
      const { record } = parseChainLine(text) ?? {}
      if (record?.kind === 'catalog') kept++
      if (record?.kind === 'lost') lost += record.count
    }
  return { kept, lost }
}
const { kept, lost } = await counted()
const { problems } = await verifyAuditLog(auditdir, localFiles)
process.stdout.write(JSON.stringify({ said, kept, lost, added, problems }))
