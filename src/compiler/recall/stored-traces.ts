import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { isMissingFileError } from '../../base/system-error.ts'

/** The stored traces of an environment, in the form for display. */
export interface StoredTraces {
  readonly environment: string
  readonly nodes: number
  readonly bytes: number
  /** The reason why the traces are not used; `undefined` if they are used. */
  readonly off: string | undefined
}

/** Returns the folder that contains the traces of all environments. */
export function getTraceStoreFolder({ server_datadir }: { readonly server_datadir: string }): string {
  return join(server_datadir, 'traces')
}

/** Lists stored traces by environment. */
export async function listStoredTraces(folder: string): Promise<readonly StoredTraces[]> {
  const environments = await listNames(folder)
  return Promise.all(
    environments.map(async (environment) => {
      const files = (await listTraceFiles(join(folder, environment))).filter(({ path }) =>
        /\.trace(?:-ahead)?$/.test(path),
      )
      const bytes = files.reduce((sum, { size }) => sum + size, 0)
      const nodes = new Set(files.map(({ path }) => path.replace(/-ahead$/, ''))).size
      return { environment, nodes, bytes, off: await readDisablingReason(join(folder, environment)) }
    }),
  )
}

/** Removes the oldest traces if the total size of all traces exceeds the budget. */
export async function pruneTraces(folder: string, most: number = budgets.environment.keptTraces.bound): Promise<void> {
  const files = (await Promise.all((await listNames(folder)).map((name) => listTraceFiles(join(folder, name))))).flat()
  files.sort((one, other) => other.written - one.written)
  let bytes = 0
  for (const { path, size } of files) {
    bytes += size
    if (bytes > most) await rm(path, { force: true })
  }
}

interface TraceFile {
  readonly path: string
  readonly size: number
  readonly written: number
}

async function listTraceFiles(folder: string): Promise<TraceFile[]> {
  const files: TraceFile[] = []
  for (const name of await listNames(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile() && name !== 'off') files.push({ path, size: found.size, written: found.mtimeMs })
  }
  return files
}

async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort()
}

async function readDisablingReason(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, 'off'), 'utf8')).trim()
  } catch (error) {
    if (isMissingFileError(error)) return undefined
    throw error
  }
}
