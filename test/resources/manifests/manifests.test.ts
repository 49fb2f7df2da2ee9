import { applyBoth } from '../beside-puppet/apply-both.ts'
import type { ApplyCase } from '../beside-puppet/apply-case.ts'
import { accounts } from './accounts.ts'
import { exec } from './exec.ts'
import { file } from './file.ts'
import { metaparameters } from './metaparameters.ts'
import { purged, recordValues } from './records.ts'
import { ofModules, packages, services } from './rest.ts'
import { smallTypes } from './small-types.ts'
import type { Manifests } from './table.ts'

const modules = [
  ...['host_core', 'mailalias', 'sshkeys_core', 'cron_core', 'mount_core', 'augeas_core', 'selinux_core'],
  ...['stdlib', 'concat', 'inifile'],
]

const tables = { file, exec, metaparameters, accounts, purged, recordValues, services, packages, ofModules, smallTypes }

/** One case of so many runs by day; all of them at night. */
const sample = 8

function casesOf(table: string, manifests: Manifests): readonly (readonly [string, ApplyCase])[] {
  return Object.entries(manifests).map(([name, each]) => [
    `${table}: ${name}`,
    typeof each === 'string' ? { manifest: each } : each,
  ])
}

if (process.env['CI_NIGHTLY'] === '1')
  for (const [table, manifests] of Object.entries(tables))
    applyBoth(`manifests of ${table}`, modules, Object.fromEntries(casesOf(table, manifests)))
else {
  const all = Object.entries(tables).flatMap(([table, manifests]) => casesOf(table, manifests))
  applyBoth('a sample of manifests', modules, Object.fromEntries(all.filter((_, index) => index % sample === 0)))
}
