import type { FastifyInstance } from 'fastify'
import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import {
  isFileServedByCommit,
  isServedModuleFile,
  resolveStaticScope,
  type StaticScope,
} from '../../code/environments/static-catalog-files.ts'
import { getParameter } from '../http/parameters.ts'
import { createPlainRefusal } from '../http/refusal.ts'
import { sendFile } from '../sending/file-response.ts'
import type { Services } from '../services/services.ts'

const codeIdPattern = /^[_\-:;a-zA-Z0-9]+$/

/** Settings of the route. */
export interface StaticFileOptions {
  readonly static_catalogs_scope: StaticScope | 'auto'
}

/**
 * `GET /puppet/v3/static_file_content/PATH`: the content of a file at one commit. Checks are in the
 * order of protocol.md 7.
 */
export function addStaticFileRoutes(
  server: FastifyInstance,
  { environments, versionedCode, fileContent, asksOthers }: Services,
  { static_catalogs_scope: setting }: StaticFileOptions,
): void {
  /** True for a file that Puppet Server does not serve, but to which static catalogs with this scope refer. */
  const isModuleFile = async (environment: string, codeId: string, path: string) => {
    const scope = resolveStaticScope(setting, versionedCode ? undefined : codeId)
    if (scope === 'puppet') return false
    return isServedModuleFile(path, scope, await environments.moduleFolders(environment, codeId))
  }
  server.get('/puppet/v3/static_file_content/*', async (request, reply) => {
    const { path: whole, query } = request.call
    const path = whole.split('/').slice(4).join('/')
    const environment = getParameter(query, 'environment') ?? ''
    const codeId = getParameter(query, 'code_id') ?? ''
    if (environment === '' || codeId === '' || path === '')
      throw createPlainRefusal(
        400,
        'Error: A /static_file_content request requires an environment, a code-id, and a file-path',
      )
    if (!isEnvironmentName(environment))
      throw createPlainRefusal(400, `The environment must be purely alphanumeric, not '${environment}'`)
    if (!codeIdPattern.test(codeId))
      throw createPlainRefusal(
        400,
        `Invalid code-id '${codeId}'. Must contain only alpha-numerics and '-', '_', ';', or ':'`,
      )
    if (asksOthers.has('file_content')) {
      // The other server decides which files of a commit it serves.
      const there = await fileContent.find({ key: path, environment, codeId, node: request.call.client.certname })
      if (!there || there === 'directory')
        throw createPlainRefusal(404, `Not Found: ${path} does not exist in ${codeId}`)
      return sendFile(request, reply, there)
    }
    if (!isFileServedByCommit(path) && !(await isModuleFile(environment, codeId, path)))
      throw createPlainRefusal(
        403,
        'Request Denied: A /static_file_content request must be a file within the files, lib, scripts, or tasks directory of a module.',
      )
    const file = versionedCode
      ? await versionedCode.content(environment, codeId, path)
      : await environments.openFile(environment, codeId, path)
    if (!file) throw createPlainRefusal(404, `Not Found: ${path} does not exist in ${codeId}`)
    return sendFile(request, reply, file)
  })
}
