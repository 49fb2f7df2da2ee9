import type { FastifyInstance } from 'fastify'
import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import { formatTaskName } from '../../code/environments/module-tasks.ts'
import { findModule, joinPath, type Module } from '../../code/environments/modules.ts'
import { jsonMedia } from '../http/negotiation.ts'
import { createBareRefusal } from '../http/refusal.ts'
import type { Services } from '../services/services.ts'
import { findPlainEnvironment } from './environment-parameter.ts'

const planFile = /^([a-z][a-z0-9_]*)\.(?:pp|yaml)$/

/**
 * `GET /puppet/v3/plans` and `/plans/MODULE/PLAN`: names of plans; like Puppet Server, without
 * plans in subfolders.
 */
export function addPlanRoutes(server: FastifyInstance, { environments }: Services): void {
  server.get('/puppet/v3/plans', { exposeHeadRoute: false }, async (request, reply) => {
    const environment = await findPlainEnvironment(environments, request.call.query)
    const names = (await mapCooperatively(environment.modules(), listPlans)).flat()
    const plans = names.map((plan) => ({ name: plan, environment: [{ name: environment.name, code_id: null }] }))
    return reply.type(jsonMedia.contentType).send(JSON.stringify(plans))
  })
  server.get('/puppet/v3/plans/:module/:plan', { exposeHeadRoute: false }, async (request, reply) => {
    const [moduleName = '', name = ''] = request.call.path.split('/').slice(4)
    const { code } = await findPlainEnvironment(environments, request.call.query)
    const module = findModule(code, moduleName)
    if (!module) throw createBareRefusal(404, `Could not find module '${moduleName}'`)
    const plan = formatTaskName(moduleName, name)
    if (!listPlans(module).includes(plan)) throw createBareRefusal(404, `Could not find plan '${name}'`)
    return reply.type(jsonMedia.contentType).send(JSON.stringify({ metadata: {}, name: plan }))
  })
}

function listPlans({ name, directory: { tree, path } }: Module): readonly string[] {
  const folder = joinPath(path, 'plans')
  const names = tree.list(folder).flatMap((each) => {
    const plan = planFile.exec(each)?.[1]
    return plan !== undefined && tree.entry(joinPath(folder, each))?.kind === 'file' ? [formatTaskName(name, plan)] : []
  })
  return [...new Set(names)]
}
