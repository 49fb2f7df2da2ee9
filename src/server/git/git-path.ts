import type { GitService } from '../../code/git/git-service.ts'
import type { Call } from '../http/call.ts'
import { createPlainRefusal } from '../http/refusal.ts'

/** A request of git's smart HTTP protocol. Documentation/gitprotocol-http.txt. */
export interface GitRequest {
  /** Name of the repository, without `.git`. */
  readonly repository: string
  readonly service: GitService
  /** True if only the list of refs is requested. */
  readonly advertise: boolean
}

/** Returns true for paths below `/git`. */
export function isGitPath(path: string): boolean {
  return /^\/git(?:\/|$)/.test(path)
}

const services = ['upload-pack', 'receive-pack'] as const
const ofOldGit = /^(?:HEAD|objects\/.*|info\/(?:packs|alternates|http-alternates))$/

/** Parses the authorized path of a git request. Throws 404, or 403 for the dumb protocol. */
export function parseGitRequest({ path, query }: Pick<Call, 'path' | 'query'>, method: string): GitRequest {
  const [, repository, rest] = /^\/git\/([^/]+)\.git\/(.+)$/.exec(path) ?? []
  if (repository === undefined || rest === undefined)
    throw createPlainRefusal(404, `Not Found: ${path}. Repository URLs have the path /git/NAME.git\n`)
  const service = services.find((each) => rest === `git-${each}`)
  if (service !== undefined && method === 'POST') return { repository, service, advertise: false }
  if (method === 'POST') throw createPlainRefusal(404, `Not Found: ${path}\n`)
  if (rest === 'info/refs') {
    const asked = query.get('service') ?? []
    const listed = services.find((each) => asked.length === 1 && asked[0] === `git-${each}`)
    if (listed !== undefined) return { repository, service: listed, advertise: true }
    if (asked.length > 0)
      throw createPlainRefusal(403, `Unknown Git service; valid services: git-upload-pack, git-receive-pack\n`)
  }
  if (rest === 'info/refs' || ofOldGit.test(rest))
    throw createPlainRefusal(403, "Only Git's smart protocol is supported; use git 1.6.6 or newer\n")
  throw createPlainRefusal(404, `Not Found: ${path}\n`)
}
