import { awaitWithTimeout } from '../../base/time/promise-timeout.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { certificatesCheck } from './checks/certificates.ts'
import { clockCheck } from './checks/clock.ts'
import { repositoryCodeCheck } from './checks/code.ts'
import { configurationCheck } from './checks/configuration.ts'
import { diskCheck } from './checks/disk.ts'
import { environmentsCheck } from './checks/environments.ts'
import { fileModesCheck } from './checks/file-modes.ts'
import { leftoversCheck } from './checks/leftovers.ts'
import { machineCheck } from './checks/machine.ts'
import { namesCheck } from './checks/names.ts'
import { portsCheck } from './checks/ports.ts'
import { repositoryCheck } from './checks/repository.ts'
import { secretsCheck } from './checks/secrets.ts'
import { storeCheck } from './checks/store.ts'
import { windowsCheck } from './checks/windows.ts'
import { type DoctorFinding, defineFaults } from './finding.ts'
import type { Check, Installation } from './installation.ts'

/** All checks, in order of execution. */
export const checks: readonly Check[] = [
  configurationCheck,
  certificatesCheck,
  fileModesCheck,
  clockCheck,
  namesCheck,
  portsCheck,
  repositoryCheck,
  environmentsCheck,
  repositoryCodeCheck,
  storeCheck,
  diskCheck,
  machineCheck,
  windowsCheck,
  leftoversCheck,
  secretsCheck,
]

/** Timeout of one check in milliseconds. */
const checkMs = 30_000

const defineCheckFaults = (check: string) =>
  defineFaults(check, {
    CHECK_FAILED: {
      severity: 'warning',
      what: (a: { why: string }) => `The check failed: ${a.why}`,
      why: 'Problems in this area are not reported.',
      fix: () => 'Run the command as root, or as the user of the server.',
    },
  })

/** Runs checks one after the other, and calls `begun` before each. A check that throws is reported as a finding. */
export async function runChecks(
  installation: Installation,
  wanted: readonly Check[],
  begun: (check: Check) => void,
): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  for (const check of wanted) {
    begun(check)
    findings.push(...(await runCheck(check, installation)))
  }
  return findings
}

/** Returns the details of checks that have them, by check. */
export async function describeChecks(
  installation: Installation,
  wanted: readonly Check[],
): Promise<Readonly<Record<string, unknown>>> {
  const details: Record<string, unknown> = {}
  for (const check of wanted) {
    const found = (await check.describe?.(installation)) ?? {}
    if (Object.keys(found).length > 0) details[check.name] = found
  }
  return details
}

async function runCheck(check: Check, installation: Installation): Promise<readonly DoctorFinding[]> {
  const { CHECK_FAILED } = defineCheckFaults(check.name)
  const createTimeoutError = () => new Error(`it takes longer than ${checkMs / 1000} seconds`)
  try {
    if (check.isUnlimited?.(installation)) return await check.run(installation)
    return await awaitWithTimeout(check.run(installation), checkMs, createTimeoutError)
  } catch (error) {
    return [CHECK_FAILED({ why: formatError(error) })]
  }
}
