import { readFile } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { hasGit } from '../../../code/git/git-command.ts'
import { countDefaultThreads } from '../../../compiler/workers/pool-options.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { getDescriptorLimit } from '../../../machine/system/descriptor-limit.ts'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import type { Check } from '../installation.ts'

const faults = defineFaults('machine', {
  GIT_MISSING: {
    severity: 'warning',
    what: () => 'Git is not installed, or older than 2.31',
    why: 'The server reads the repository with a slower JavaScript implementation, and cannot accept pushes.',
    fix: () => "Run 'apt-get install git'.",
  },
  NODE_OLD: {
    severity: 'error',
    what: (a: { version: string }) => `Node.js is version ${a.version}; 20.19 is required`,
    why: 'The program uses functions that older versions do not have.',
    fix: () => 'Install Node.js 20.19 or newer.',
  },
  DESCRIPTORS: {
    severity: 'warning',
    what: (a: { limit: number }) => `The limit of open files and sockets per process is ${a.limit}`,
    why: 'Each connection of a node needs one; connections beyond the limit are rejected.',
    fix: () => 'Set LimitNOFILE=65536 in the systemd unit, or run ulimit -n 65536.',
  },
  MEMORY: {
    severity: 'warning',
    what: (a: { mebibytes: number; needed: number; threads: number }) =>
      `The machine has ${a.mebibytes} MiB of memory; ${a.threads} compile threads need ${a.needed} MiB`,
    why: 'The system may swap, or kill the server.',
    fix: () =>
      "Run 'plumb config set compile_workers 1 --section server', set compile_ahead_workers to 0, or add memory.",
  },
})

const fewDescriptors = 4096
const mebibyte = 1024 * 1024
/**
 * Memory in MiB that a server needs without its threads, and memory for each thread
 * (docs/performance.md).
 */
const baseMebibytes = 250
const threadMebibytes = 100
const oldest = [20, 19] as const

/** Checks the versions of programs, resource limits and memory. */
export const machineCheck: Check = {
  name: 'machine',
  doc: 'versions of Node.js and Git, file descriptors, memory',
  async run({ server }) {
    const findings: DoctorFinding[] = []
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
      findings.push(faults.NODE_OLD({ version: process.versions.node }))
    if (!server) return findings
    if (server.code_repo !== '' && !(await hasGit())) findings.push(faults.GIT_MISSING(undefined))
    const limit = getDescriptorLimit()
    if (limit !== undefined && limit < fewDescriptors) findings.push(faults.DESCRIPTORS({ limit }))
    return [...findings, ...(await checkMemory(server))]
  },
}

async function checkMemory({ compile_workers, compile_ahead_workers }: Settings): Promise<DoctorFinding[]> {
  const threads = (compile_workers || countDefaultThreads(availableParallelism())) + compile_ahead_workers
  const needed = baseMebibytes + threads * threadMebibytes
  const mebibytes = Math.floor((await readMemorySize()) / mebibyte)
  return mebibytes < needed ? [faults.MEMORY({ mebibytes, needed, threads })] : []
}

/** Memory of this machine or container in bytes. */
async function readMemorySize(): Promise<number> {
  const bound = await readFile('/sys/fs/cgroup/memory.max', 'utf8').catch(() => 'max')
  const bytes = Number(bound)
  return Number.isFinite(bytes) && bytes > 0 ? Math.min(bytes, totalmem()) : totalmem()
}
