import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { iterateContent } from '../../base/bytes/content.ts'
import { isIssue, type PuppetError } from '../../base/issue.ts'
import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import type { Environment } from '../../code/environments/environments.ts'
import {
  findTask,
  formatTaskName,
  getTaskErrorKind,
  listTaskNames,
  type Task,
  type TaskFile,
  taskIssues,
} from '../../code/environments/module-tasks.ts'
import { findModule, type Module } from '../../code/environments/modules.ts'
import { isFileServedByCommit } from '../../code/environments/static-catalog-files.ts'
import { jsonMedia } from '../http/negotiation.ts'
import { createBareRefusal } from '../http/refusal.ts'
import type { Services } from '../services/services.ts'
import { findPlainEnvironment } from './environment-parameter.ts'

/**
 * `GET /puppet/v3/tasks` and `/tasks/MODULE/TASK`: tasks of the deployed commit. protocol.md 10.
 */
export function addTaskRoutes(server: FastifyInstance, { environments }: Services): void {
  server.get('/puppet/v3/tasks', { exposeHeadRoute: false }, async (request, reply) => {
    const environment = await findPlainEnvironment(environments, request.call.query)
    const tasks = (await mapCooperatively(environment.modules(), (module) => listTasks(module, environment))).flat()
    return reply.type(jsonMedia.contentType).send(JSON.stringify(tasks))
  })
  server.get('/puppet/v3/tasks/:module/:task', { exposeHeadRoute: false }, async (request, reply) => {
    const [moduleName = '', name = ''] = request.call.path.split('/').slice(4)
    const environment = await findPlainEnvironment(environments, request.call.query)
    const module = findModule(environment.code, moduleName)
    if (!module) throw createBareRefusal(404, `Could not find module '${moduleName}'`)
    try {
      const task = findTask(module, name, (each) => findModule(environment.code, each))
      if (!task) throw createBareRefusal(404, `Could not find task '${name}'`)
      const files: unknown[] = []
      for (const file of task.files) files.push(await describeTaskFile(file, environment))
      const { metadata } = task
      return sendJson(reply, 200, { metadata, name: formatTaskName(moduleName, name), files })
    } catch (error) {
      const kind = getTaskErrorKind(error)
      if (kind === undefined) throw error
      const { message } = (error as PuppetError).diagnostic
      const details = isIssue(error, taskIssues.TASK_IMPLEMENTATION_MISSING)
        ? { missing: [message.split(' ').at(-1)] }
        : {}
      return sendJson(reply, 500, { kind, msg: message, details })
    }
  })
}

function sendJson(reply: FastifyReply, status: number, value: unknown): FastifyReply {
  return reply.code(status).type(jsonMedia.contentType).send(JSON.stringify(value))
}

/** Tasks of a module for the list of tasks; invalid tasks are omitted. */
function listTasks(module: Module, { name: environment, code }: Environment) {
  return listTaskNames(module).flatMap((name) => {
    const task = findValidTask(module, name, (each) => findModule(code, each))
    if (!task) return []
    const { description = '', private: isPrivate = false } = task.metadata
    const places = [{ name: environment, code_id: null }]
    return [{ name: formatTaskName(module.name, name), private: isPrivate, description, environment: places }]
  })
}

function findValidTask(...given: Parameters<typeof findTask>): Task | undefined {
  try {
    return findTask(...given)
  } catch (error) {
    if (getTaskErrorKind(error) === undefined) throw error
    return undefined
  }
}

async function describeTaskFile({ name, tree, path, module, mount }: TaskFile, environment: Environment) {
  const { name: ENV, codeId } = environment
  const inMount = path.slice(path.indexOf(`${module}/${mount}/`) + module.length + mount.length + 2)
  const { size, sha256 } = await measureFile(environment, mount, module, inMount)
  const isOfCommit = codeId !== undefined && tree.codeId === codeId && isFileServedByCommit(path)
  const uri = isOfCommit
    ? { path: `/puppet/v3/static_file_content/${path}`, params: { environment: ENV, code_id: codeId } }
    : { path: `/puppet/v3/file_content/${getMountPath(mount, module)}/${inMount}`, params: { environment: ENV } }
  return { filename: name, sha256, size_bytes: size, uri }
}

/** Path of a module's folder in the mounts of file_content. */
function getMountPath(mount: string, module: string): string {
  if (mount === 'lib') return 'plugins'
  return `${mount === 'files' ? 'modules' : mount}/${module}`
}

async function measureFile(environment: Environment, mount: string, module: string, path: string) {
  const [name = '', ...rest] = `${getMountPath(mount, module)}/${path}`.split('/')
  const opened = await environment.openContent({ mount: name, path: rest.join('/') })
  const hash = createHash('sha256')
  let size = 0
  if (opened && opened !== 'directory')
    for await (const chunk of iterateContent(opened.content)) {
      hash.update(chunk)
      size += chunk.length
    }
  return { size, sha256: hash.digest('hex') }
}
