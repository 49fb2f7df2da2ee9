// Writes an audit log until it is killed: audit-log.e2e.test.ts.
const [root, auditdir, round] = process.argv.slice(2)
const load = (path) => import(`${root}/dist/${path}.js`)
const { openAuditLog } = await load('store/audit/audit-log')
const { localFiles } = await load('machine/system/files')

const settings = { auditdir, audit_segment_size: 20_000, audit_ttl: 0, certname: 'killed.test' }
const log = await openAuditLog({ settings, files: localFiles, now: Date.now, say: () => {} })
const digest = `{sha256}${'0'.repeat(64)}`
const add = (count) => {
  for (let n = 0; n < 50; n++)
    log.add({ kind: 'catalog', node: `r${round}-${count}-${n}`, environment: 'e'.repeat(n), code_id: null, digest })
}
for (let count = 0; ; count++) {
  add(count)
  await new Promise((resolve) => setImmediate(resolve))
  if (count % 5 !== 0) continue
  await log.flush()
  process.send(count)
}
