import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from '../beside-puppet/apply-both.ts'
import { accounts } from './accounts.ts'
import { exec } from './exec.ts'
import { file } from './file.ts'
import { metaparameters } from './metaparameters.ts'
import { purged, recordValues } from './records.ts'
import { packages, services } from './rest.ts'
import { smallTypes } from './small-types.ts'

const modules = ['host_core', 'mailalias', 'sshkeys_core', 'cron_core', 'mount_core', 'selinux_core']

const tables = { file, exec, metaparameters, accounts, purged, recordValues, services, packages, smallTypes }

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

for (const [table, manifests] of Object.entries(tables)) applyBoth(puppet, table, modules, manifests)
