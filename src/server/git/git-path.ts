import type { GitService } from '../../code/git/serve-git.ts'
import type { Call } from '../http/call.ts'
import { plainRefusal } from '../http/refusal.ts'

/** A request of git's smart protocol over HTTP. Documentation/gitprotocol-http.txt. */
export interface GitRequest {
  /** The repository's name, without `.git`. */
  readonly repository: string
  readonly service: GitService
  /** Only the list of refs is asked for. */
  readonly advertise: boolean
}

/** True of a path at which repositories are served. */
export function isGitPath(path: string): boolean {
  return /^\/git(?:\/|$)/.test(path)
}

const services = ['upload-pack', 'receive-pack'] as const
const ofOldGit = /^(?:HEAD|objects\/.*|info\/(?:packs|alternates|http-alternates))$/

/** The request that a path means, as rules have seen it. Throws 404 and, for the dumb protocol, 403. */
export function gitRequestOf({ path, query }: Pick<Call, 'path' | 'query'>, method: string): GitRequest {
  const [, repository, rest] = /^\/git\/([^/]+)\.git\/(.+)$/.exec(path) ?? []
  if (repository === undefined || rest === undefined)
    throw plainRefusal(404, `Not Found: ${path}. The address of a repository is /git/NAME.git\n`)
  const service = services.find((each) => rest === `git-${each}`)
  if (service !== undefined && method === 'POST') return { repository, service, advertise: false }
  if (method === 'POST') throw plainRefusal(404, `Not Found: ${path}\n`)
  if (rest === 'info/refs') {
    const asked = query.get('service') ?? []
    const listed = services.find((each) => asked.length === 1 && asked[0] === `git-${each}`)
    if (listed !== undefined) return { repository, service: listed, advertise: true }
    if (asked.length > 0)
      throw plainRefusal(403, `There is no such service of git: git-upload-pack, git-receive-pack\n`)
  }
  if (rest === 'info/refs' || ofOldGit.test(rest))
    throw plainRefusal(403, 'Only the smart protocol of git is served here: git 1.6.6 or newer speaks it\n')
  throw plainRefusal(404, `Not Found: ${path}\n`)
}
