import { inTime } from '../../base/time/in-time.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import { certificates } from './checks/certificates.ts'
import { clock } from './checks/clock.ts'
import { code } from './checks/code.ts'
import { configuration } from './checks/configuration.ts'
import { disk } from './checks/disk.ts'
import { environments } from './checks/environments.ts'
import { fileModes } from './checks/file-modes.ts'
import { leftovers } from './checks/leftovers.ts'
import { machine } from './checks/machine.ts'
import { names } from './checks/names.ts'
import { ports } from './checks/ports.ts'
import { repository } from './checks/repository.ts'
import { store } from './checks/store.ts'
import { defineFaults, type Finding } from './finding.ts'
import type { Check, Installation } from './installation.ts'

/** All checks, in order of execution. */
export const checks: readonly Check[] = [
  configuration,
  certificates,
  fileModes,
  clock,
  names,
  ports,
  repository,
  environments,
  code,
  store,
  disk,
  machine,
  leftovers,
]

/** Timeout of one check in milliseconds. */
const checkMs = 30_000

const faultsOf = (check: string) =>
  defineFaults(check, {
    CHECK_FAILED: {
      severity: 'warning',
      what: (a: { why: string }) => `The check failed: ${a.why}`,
      why: 'Problems in this area are not reported.',
      fix: () => 'Run the command as root, or as the user of the server.',
    },
  })

/** Runs checks one after the other, and calls `begun` before each. A check that throws is reported as a finding. */
export async function examine(
  installation: Installation,
  wanted: readonly Check[],
  begun: (check: Check) => void,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const check of wanted) {
    begun(check)
    findings.push(...(await within(check, installation)))
  }
  return findings
}

async function within(check: Check, installation: Installation): Promise<readonly Finding[]> {
  const { CHECK_FAILED } = faultsOf(check.name)
  const late = () => new Error(`it takes longer than ${checkMs / 1000} seconds`)
  try {
    return await inTime(check.run(installation), checkMs, late)
  } catch (error) {
    return [CHECK_FAILED({ why: errorText(error) })]
  }
}
