import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { contentParts } from '../../base/bytes/content.ts'
import { isIssue, type PuppetError } from '../../base/issue.ts'
import { mapInTurns } from '../../base/threads/in-turns.ts'
import type { Environment } from '../../code/environments/environments.ts'
import {
  findTask,
  fullName,
  type Task,
  type TaskFile,
  taskErrorKind,
  taskIssues,
  taskNames,
} from '../../code/environments/module-tasks.ts'
import { findModule, type Module } from '../../code/environments/modules.ts'
import { isFileServedByCommit } from '../../code/environments/static-files.ts'
import { json } from '../http/negotiation.ts'
import { bareRefusal } from '../http/refusal.ts'
import type { Services } from '../services/services.ts'
import { plainEnvironment } from './environment-parameter.ts'

/**
 * `GET /puppet/v3/tasks` and `/tasks/MODULE/TASK`: tasks of the deployed commit. protocol.md 10.
 */
export function taskRoutes(server: FastifyInstance, { environments }: Services): void {
  server.get('/puppet/v3/tasks', { exposeHeadRoute: false }, async (request, reply) => {
    const environment = await plainEnvironment(environments, request.call.query)
    const tasks = (await mapInTurns(environment.modules(), (module) => tasksOf(module, environment))).flat()
    return reply.type(json.contentType).send(JSON.stringify(tasks))
  })
  server.get('/puppet/v3/tasks/:module/:task', { exposeHeadRoute: false }, async (request, reply) => {
    const [moduleName = '', name = ''] = request.call.path.split('/').slice(4)
    const environment = await plainEnvironment(environments, request.call.query)
    const module = findModule(environment.code, moduleName)
    if (!module) throw bareRefusal(404, `Could not find module '${moduleName}'`)
    try {
      const task = findTask(module, name, (each) => findModule(environment.code, each))
      if (!task) throw bareRefusal(404, `Could not find task '${name}'`)
      const files: unknown[] = []
      for (const file of task.files) files.push(await described(file, environment))
      const { metadata } = task
      return send(reply, 200, { metadata, name: fullName(moduleName, name), files })
    } catch (error) {
      const kind = taskErrorKind(error)
      if (kind === undefined) throw error
      const { message } = (error as PuppetError).diagnostic
      const details = isIssue(error, taskIssues.TASK_IMPLEMENTATION_MISSING)
        ? { missing: [message.split(' ').at(-1)] }
        : {}
      return send(reply, 500, { kind, msg: message, details })
    }
  })
}

function send(reply: FastifyReply, status: number, value: unknown): FastifyReply {
  return reply.code(status).type(json.contentType).send(JSON.stringify(value))
}

/** Tasks of a module for the list of tasks; invalid tasks are omitted. */
function tasksOf(module: Module, { name: environment, code }: Environment) {
  return taskNames(module).flatMap((name) => {
    const task = soundTask(module, name, (each) => findModule(code, each))
    if (!task) return []
    const { description = '', private: isPrivate = false } = task.metadata
    const places = [{ name: environment, code_id: null }]
    return [{ name: fullName(module.name, name), private: isPrivate, description, environment: places }]
  })
}

function soundTask(...given: Parameters<typeof findTask>): Task | undefined {
  try {
    return findTask(...given)
  } catch (error) {
    if (taskErrorKind(error) === undefined) throw error
    return undefined
  }
}

async function described({ name, tree, path, module, mount }: TaskFile, environment: Environment) {
  const { name: ENV, codeId } = environment
  const inMount = path.slice(path.indexOf(`${module}/${mount}/`) + module.length + mount.length + 2)
  const { size, sha256 } = await measured(environment, mount, module, inMount)
  const isOfCommit = codeId !== undefined && tree.codeId === codeId && isFileServedByCommit(path)
  const uri = isOfCommit
    ? { path: `/puppet/v3/static_file_content/${path}`, params: { environment: ENV, code_id: codeId } }
    : { path: `/puppet/v3/file_content/${mountPath(mount, module)}/${inMount}`, params: { environment: ENV } }
  return { filename: name, sha256, size_bytes: size, uri }
}

/** Path of a module's folder in the mounts of file_content. */
function mountPath(mount: string, module: string): string {
  if (mount === 'lib') return 'plugins'
  return `${mount === 'files' ? 'modules' : mount}/${module}`
}

async function measured(environment: Environment, mount: string, module: string, path: string) {
  const [name = '', ...rest] = `${mountPath(mount, module)}/${path}`.split('/')
  const opened = await environment.openContent({ mount: name, path: rest.join('/') })
  const hash = createHash('sha256')
  let size = 0
  if (opened && opened !== 'directory')
    for await (const chunk of contentParts(opened.content)) {
      hash.update(chunk)
      size += chunk.length
    }
  return { size, sha256: hash.digest('hex') }
}
