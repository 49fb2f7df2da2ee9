import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { localFiles } from '../../../machine/system/files.ts'
import { pause } from './pause.ts'

/** Requests to a daemon on Windows, which has no signals, with the signals that make the same request elsewhere. */
export const daemonRequests = { stop: 'SIGTERM', run: 'SIGUSR1', restart: 'SIGHUP' } as const

/** A request to a daemon. */
export type DaemonRequest = keyof typeof daemonRequests

/** Seconds between two looks for requests. */
const lookSeconds = 1

/** The file whose existence is the request. Only administrators can write to its folder, which is that of the PID file. */
function getRequestFile(pidfile: string, request: DaemonRequest): string {
  return join(dirname(pidfile), `agent.${request}`)
}

/** Makes a request. The file has no content, so that it is complete from its first moment. */
export async function requestOfDaemon(pidfile: string, request: DaemonRequest): Promise<void> {
  await writeFile(getRequestFile(pidfile, request), '')
}

/** Removes requests to an earlier daemon. */
export async function removeRequests(pidfile: string): Promise<void> {
  for (const request of listRequests()) await localFiles.remove(getRequestFile(pidfile, request))
}

/** Calls `listener` for each request until `stop` is aborted. A file is removed before its request is handled. */
export async function watchRequests(
  pidfile: string,
  stop: AbortSignal,
  listener: (request: DaemonRequest) => void,
): Promise<void> {
  while (!(await pause(lookSeconds, stop)))
    for (const request of listRequests()) {
      const file = getRequestFile(pidfile, request)
      // A scanner can make the status of a removed file unreadable for a moment.
      if ((await localFiles.stat(file).catch(() => undefined)) === undefined) continue
      // A file that cannot be removed now, because another program reads it, is removed at the next look.
      if (await isRemoved(file)) listener(request)
    }
}

const isRemoved = (file: string) =>
  localFiles.remove(file).then(
    () => true,
    () => false,
  )

const listRequests = () => Object.keys(daemonRequests) as DaemonRequest[]
