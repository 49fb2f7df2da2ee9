import { readFile } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { hasGit } from '../../../code/git/git-command.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { descriptorLimit } from '../../../machine/system/descriptor-limit.ts'
import { defineFaults, type Finding } from '../finding.ts'
import type { Check } from '../installation.ts'

const faults = defineFaults('machine', {
  GIT_MISSING: {
    severity: 'warning',
    what: () => 'There is no git here, or one older than 2.31',
    why: 'The repository is then read in JavaScript: slowly, and without pushes.',
    fix: () => 'apt-get install git',
  },
  NODE_OLD: {
    severity: 'error',
    what: (a: { version: string }) => `Node.js is ${a.version}, and 20.19 is needed`,
    why: 'Parts of the program are not there.',
    fix: () => 'Install Node.js 20.19 or newer.',
  },
  DESCRIPTORS: {
    severity: 'warning',
    what: (a: { limit: number }) => `A process may have ${a.limit} files and sockets open here`,
    why: 'Each node that asks takes one; beyond the limit nodes are refused.',
    fix: () => 'LimitNOFILE=65536 in the unit, or ulimit -n 65536.',
  },
  MEMORY: {
    severity: 'warning',
    what: (a: { mebibytes: number; needed: number; threads: number }) =>
      `There are ${a.mebibytes} MiB of memory, and ${a.threads} threads that compile take ${a.needed}`,
    why: 'The system ends the process, or swaps.',
    fix: () => "'plumb config set compile_workers 1 --section server' and compile_ahead_workers 0, or more memory.",
  },
})

const fewDescriptors = 4096
const mebibyte = 1024 * 1024
/** Memory of a server without its threads, and of each thread (docs/performance.md). */
const baseMebibytes = 250
const threadMebibytes = 100
const oldest = [20, 19] as const

/** Versions of programs, limits of processes, memory. */
export const machine: Check = {
  name: 'machine',
  doc: 'versions of Node.js and git, descriptors, memory',
  async run({ server }) {
    const findings: Finding[] = []
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
      findings.push(faults.NODE_OLD({ version: process.versions.node }))
    if (!server) return findings
    if (server.code_repo !== '' && !(await hasGit())) findings.push(faults.GIT_MISSING(undefined))
    const limit = descriptorLimit()
    if (limit !== undefined && limit < fewDescriptors) findings.push(faults.DESCRIPTORS({ limit }))
    return [...findings, ...(await memoryFor(server))]
  },
}

async function memoryFor({ compile_workers, compile_ahead_workers }: Settings): Promise<Finding[]> {
  const threads = (compile_workers || Math.max(1, availableParallelism() - 1)) + compile_ahead_workers
  const needed = baseMebibytes + threads * threadMebibytes
  const mebibytes = Math.floor((await memory()) / mebibyte)
  return mebibytes < needed ? [faults.MEMORY({ mebibytes, needed, threads })] : []
}

/** Bytes of memory that this machine has, or the container. */
async function memory(): Promise<number> {
  const bound = await readFile('/sys/fs/cgroup/memory.max', 'utf8').catch(() => 'max')
  const bytes = Number(bound)
  return Number.isFinite(bytes) && bytes > 0 ? Math.min(bytes, totalmem()) : totalmem()
}
