import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import type { Environment } from '../../code/environments/environments.ts'
import { joinPath } from '../../code/environments/modules.ts'
import { walkFiles } from '../../code/environments/tree-walk.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { ClassReader } from '../classes/class-reader.ts'
import { formatManifestError } from '../classes/manifest-classes.ts'
import { jsonMedia } from '../http/negotiation.ts'
import type { Services } from '../services/services.ts'
import { findPlainEnvironment } from './environment-parameter.ts'

/**
 * `GET /puppet/v3/environment_classes?environment=ENV`: classes of all manifests with their
 * parameters. protocol.md 10.
 */
export function addEnvironmentClassesRoutes(server: FastifyInstance, { environments, classReader }: Services): void {
  server.get('/puppet/v3/environment_classes', async (request, reply) => {
    const environment = await findPlainEnvironment(environments, request.call.query)
    const files = await listClassFiles(environment, classReader)
    const body = `{"name":${JSON.stringify(environment.name)},"files":[${files.join(',')}]}`
    const etag = createHash('sha256').update(body).digest('hex')
    const known = request.headers['if-none-match']?.replaceAll('"', '').replace(/--gzip$/, '')
    void reply.header('ETag', etag)
    return known === etag ? reply.code(304).send() : reply.type(jsonMedia.contentType).send(body)
  })
}

async function listClassFiles(environment: Environment, reader: ClassReader): Promise<readonly string[]> {
  const found = new Map<string, string>()
  for (const { tree, path } of listManifests(environment)) {
    const file = `${tree.root}/${path}`
    found.set(file, await readClasses(reader, tree, path, file))
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, told]) => told)
}

/**
 * The classes of a manifest as JSON. If the manifest cannot be parsed or is too large, the entry
 * contains the error.
 */
async function readClasses(reader: ClassReader, tree: CodeTree, path: string, file: string): Promise<string> {
  try {
    return await reader.read(file, tree.entry(path)?.oid, () => tree.readText(path) ?? '')
  } catch (error) {
    return formatManifestError(file, formatError(error))
  }
}

function* listManifests(environment: Environment): Generator<{ readonly tree: CodeTree; readonly path: string }> {
  const { code } = environment
  if (code.manifest && 'path' in code.manifest) yield* listFolderManifests(code.tree, code.manifest.path)
  for (const { directory } of environment.modules())
    yield* listFolderManifests(directory.tree, joinPath(directory.path, 'manifests'))
}

function* listFolderManifests(
  tree: CodeTree,
  folder: string,
): Generator<{ readonly tree: CodeTree; readonly path: string }> {
  for (const { path } of walkFiles(tree, folder)) if (path.endsWith('.pp')) yield { tree, path }
}
