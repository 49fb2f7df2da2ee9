import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { toSlashes } from '../windows/machine-path.ts'
import type { System } from './system.ts'

/** Signals that end a command. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Exit status of a process that a signal ended, without the number of the signal. */
const signalStatus = 128

/**
 * Runs `work` with a folder in the temporary directory that only this user can read. The folder is removed afterwards, also
 * if a signal ends the process, because it can contain secrets.
 */
export async function withTemporaryFolder<Result>(
  prefix: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  const end = (signal: NodeJS.Signals) => {
    rmSync(folder, { recursive: true, force: true })
    process.exit(signalStatus + constants.signals[signal])
  }
  for (const signal of endings) process.on(signal, end)
  try {
    return await work(folder)
  } finally {
    for (const signal of endings) process.off(signal, end)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs `work` with a new folder for files of a program of Windows, whose name nobody can guess, and removes the folder afterwards. */
export async function withHiddenFolder<Result>(
  system: System,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = `${toSlashes(tmpdir())}/plumb-exchange-${randomBytes(12).toString('hex')}`
  await system.files.makeDirectory(folder, 0o700)
  try {
    return await work(folder)
  } finally {
    await system.files.remove(folder)
  }
}
