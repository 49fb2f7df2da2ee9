import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { getSystemProgram } from './system-programs.ts'

const timeoutMs = 10_000

/** Names of programs that can hold a lock of the agent: Node, the executable of this program, and Puppet's Ruby. */
const holderNames = /^(?:node|plumb|ruby|puppet)[^"]*\.exe$/i

/**
 * False if a process is another program than an agent: Windows gives the ID of an ended process to the next process. True if
 * the name of the process cannot be read.
 */
export async function canBeAgentProcess(pid: number): Promise<boolean> {
  const words = ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']
  const { stdout } = await promisify(execFile)(getSystemProgram('tasklist.exe'), words, {
    timeout: timeoutMs,
    windowsHide: true,
  }).catch(() => ({ stdout: '' }))
  const name = parseProcessName(stdout, pid)
  return name === undefined || holderNames.test(name)
}

/** The name of a process in the output of `tasklist /FO CSV /NH`; undefined if the process is not listed. */
export function parseProcessName(output: string, pid: number): string | undefined {
  for (const line of output.split('\n')) {
    const [, name, id] = /^"([^"]*)","(\d+)"/.exec(line) ?? []
    if (Number(id) === pid) return name
  }
  return undefined
}
