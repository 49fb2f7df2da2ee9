import { getCaLayout } from '../../../ca/file-layout.ts'
import { getControlPath, isServerListening } from '../../../deploy/control/control-socket.ts'
import { isAbandonedLock } from '../../../machine/system/lock-holder.ts'
import type { Files } from '../../../machine/system/system.ts'
import { readDisabledReason } from '../../../node/agent/process/disabled-lockfile.ts'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import type { Check, Installation } from '../installation.ts'

const faults = defineFaults('leftovers', {
  LOCK_LEFT: {
    severity: 'warning',
    what: (a: { file: string }) => `The process named in ${a.file} no longer exists`,
    why: 'Other processes may wait for the lock, or mistake a new process with the same ID for its owner.',
    fix: (a) => `Run 'rm ${a.file}'.`,
  },
  SOCKET_LEFT: {
    severity: 'warning',
    what: (a: { file: string }) => `No process listens on ${a.file}: the server did not shut down cleanly`,
    why: 'Nodes receive no catalogs, and pushes are tested by the hooks.',
    fix: () => "Read the log and the output of 'systemctl status plumb-server', and start the server again.",
  },
  AGENT_DISABLED: {
    severity: 'warning',
    what: (a: { reason: string }) => `The agent is disabled: ${a.reason}`,
    why: 'No catalogs are applied until the agent is enabled.',
    fix: () => "Run 'plumb agent --enable'.",
  },
})

/** Finds locks, PID files and sockets of dead processes, and a disabled agent. */
export const leftoversCheck: Check = {
  name: 'leftovers',
  doc: 'locks, PID files and sockets of dead processes; a disabled agent',
  async run(installation) {
    const { server, agent, system } = installation
    const findings = await checkLocks(installation)
    const socket = server && getControlPath(server)
    if (socket !== undefined && (await system.files.stat(socket)) !== undefined && !(await isServerListening(socket)))
      findings.push(faults.SOCKET_LEFT({ file: socket }))
    const reason = agent && (await readDisabledReason(system.files, agent.agent_disabled_lockfile))
    if (reason !== undefined) findings.push(faults.AGENT_DISABLED({ reason: reason || 'no reason given' }))
    return findings
  },
}

async function checkLocks({ server, agent, system }: Installation): Promise<DoctorFinding[]> {
  const files = [
    ...(server ? [getCaLayout(server.cadir).lock] : []),
    ...(agent ? [agent.agent_catalog_run_lockfile, agent.pidfile, agent.ssl_lockfile] : []),
  ]
  const findings: DoctorFinding[] = []
  for (const file of files) if (await isStaleLock(file, system.files)) findings.push(faults.LOCK_LEFT({ file }))
  return findings
}

async function isStaleLock(file: string, files: Pick<Files, 'readText'>): Promise<boolean> {
  const text = await files.readText(file)
  return text !== undefined && text.trim() !== '' && (await isAbandonedLock(file, text))
}
