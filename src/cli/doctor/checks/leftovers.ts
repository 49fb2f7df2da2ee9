import { caLayout } from '../../../ca/layout.ts'
import { answersAt, controlPath } from '../../../deploy/control/control.ts'
import { isLeftBehind } from '../../../machine/system/lock-holder.ts'
import type { Files } from '../../../machine/system/system.ts'
import { disabledReason } from '../../../node/agent/process/disabled.ts'
import { defineFaults, type Finding } from '../finding.ts'
import type { Check, Installation } from '../installation.ts'

const faults = defineFaults('leftovers', {
  LOCK_LEFT: {
    severity: 'warning',
    what: (a: { file: string }) => `The process that ${a.file} names is no more`,
    why: 'Others may wait for it, or take another process of the same number for it.',
    fix: (a) => `rm ${a.file}`,
  },
  SOCKET_LEFT: {
    severity: 'warning',
    what: (a: { file: string }) => `Nobody listens at ${a.file}: the server has ended without a word`,
    why: 'Pushes are compiled by the hooks, and nodes get nothing.',
    fix: () => "'systemctl status plumb-server' and its log say why; start it again.",
  },
  AGENT_DISABLED: {
    severity: 'warning',
    what: (a: { reason: string }) => `The agent is disabled: ${a.reason}`,
    why: 'Nothing is applied here until it is enabled.',
    fix: () => 'plumb agent --enable',
  },
})

/** Locks, process ids and sockets of processes that are no more; an agent that somebody disabled. */
export const leftovers: Check = {
  name: 'leftovers',
  doc: 'locks, process ids and sockets of processes that are no more; a disabled agent',
  async run(installation) {
    const { server, agent, system } = installation
    const findings = await ofLocks(installation)
    const socket = server && controlPath(server)
    if (socket !== undefined && (await system.files.stat(socket)) !== undefined && !(await answersAt(socket)))
      findings.push(faults.SOCKET_LEFT({ file: socket }))
    const reason = agent && (await disabledReason(system.files, agent.agent_disabled_lockfile))
    if (reason !== undefined) findings.push(faults.AGENT_DISABLED({ reason: reason || 'without a reason' }))
    return findings
  },
}

async function ofLocks({ server, agent, system }: Installation): Promise<Finding[]> {
  const files = [
    ...(server ? [caLayout(server.cadir).lock] : []),
    ...(agent ? [agent.agent_catalog_run_lockfile, agent.pidfile, agent.ssl_lockfile] : []),
  ]
  const findings: Finding[] = []
  for (const file of files) if (await isLeft(file, system.files)) findings.push(faults.LOCK_LEFT({ file }))
  return findings
}

async function isLeft(file: string, files: Pick<Files, 'readText'>): Promise<boolean> {
  const text = await files.readText(file)
  return text !== undefined && text.trim() !== '' && (await isLeftBehind(file, text))
}
